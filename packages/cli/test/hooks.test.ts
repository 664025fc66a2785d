import { createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { CliWorld } from './cli-world.ts'
import { hookRounds } from './hook-rounds.ts'

async function setup() {
  const world = await CliWorld.forThisTest()
  await world.agentm(['save', 'Every write takes the lock first', '--kind', 'decision'])
  return world
}

const about = (world: CliWorld) => JSON.stringify({ cwd: world.repo, prompt: 'which write takes the lock first?' })
const hooks = ['prompt-submit', 'session-start'] as const

describe('hooks', () => {
  it('say all of it or nothing, whatever time they are given', { timeout: 120_000 }, async () => {
    const { prompt, session } = await hookRounds({ notes: 150, limits: [1, 60, 200] })
    expect(prompt.whole.out).toContain('[agentm] Possibly relevant notes')
    expect(prompt.whole.out).toContain('Every write takes the lock first')
    expect(session.whole.out).toContain('# Auto-context recall')
    for (const { whole, answers } of [prompt, session])
      for (const { code, out } of answers) {
        expect(code).toBe(0)
        expect(['', whole.out]).toContain(out)
      }
  })

  it.each(hooks)('%s ends when its time is over, though its question never comes to an end', async (hook) => {
    const world = await setup()
    expect(await world.agentm(['hook', hook, '--within', '50'], null)).toMatchObject({ code: 0, out: '' })
  })

  it.each(hooks)('%s tells the notes and ends, though the server of the log never answers', async (hook) => {
    const world = await setup()
    // The index of a log on a server is another file; it is made by the first who writes.
    const mute = await muteServer()
    try {
      world.variables['AGENTM_NODES_URL'] = mute.url
      const { code, out } = await world.agentm(['hook', hook, '--within', '60000'], about(world))
      expect(code).toBe(0)
      expect(out).toContain('Every write takes the lock first')
    } finally {
      await mute.close()
    }
  })
})

/** Takes connections, and says nothing. */
async function muteServer() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    url: `postgres://nobody@127.0.0.1:${address.port}/nowhere`,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
