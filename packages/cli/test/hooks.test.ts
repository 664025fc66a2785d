import { readdir, utimes } from 'node:fs/promises'
import path from 'node:path'
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
const noTime = /^agentm: memory was not searched, because it took longer than \d+ ms\..*\n$/

describe('hooks', () => {
  it('say all of it, or that there was no time, whatever time they are given', { timeout: 120_000 }, async () => {
    const { prompt, session } = await hookRounds({ notes: 150, limits: [1, 60, 200] })
    expect(prompt.whole.out).toContain('Possibly relevant:')
    expect(prompt.whole.out).toContain('Every write takes the lock first')
    expect(session.whole.out).toContain('# Auto-context recall')
    for (const { whole, answers } of [prompt, session])
      for (const { code, out } of answers) {
        expect(code).toBe(0)
        expect([whole.out, expect.stringMatching(noTime)]).toContainEqual(out)
      }
  })

  it(
    'show a session nothing twice, and everything again once its context was shortened',
    { timeout: 120_000 },
    async () => {
      const world = await setup()
      await world.agentm(['save', 'The lock is taken with a marker', '--kind', 'fact'])
      const decided = 'Every write takes the lock first'
      const known = 'The lock is taken with a marker'
      const ask = async (hook: string, input: object) => {
        const { out } = await world.agentm(
          ['hook', hook, '--within', '60000'],
          JSON.stringify({ cwd: world.repo, ...input }),
        )
        return [decided, known].filter((text) => out.includes(text))
      }
      const [mine, other] = [{ session_id: 's/1' }, { session_id: '../s2' }]
      const prompt = { prompt: 'which write takes the lock first, with which marker?' }
      expect(await ask('session-start', { ...mine, source: 'startup' })).toEqual([decided])
      expect(await ask('prompt-submit', { ...mine, ...prompt })).toEqual([known])
      expect(await ask('prompt-submit', { ...mine, ...prompt })).toEqual([])
      expect(await ask('session-start', { ...mine, source: 'resume' })).toEqual([])
      expect(await ask('prompt-submit', { ...other, ...prompt })).toEqual([decided, known])
      expect(await ask('prompt-submit', prompt)).toEqual([decided, known])
      await world.agentm([
        'supersede',
        'projects/acme/fact/the-lock-is-taken-with-a-marker.md',
        `${known} 2`,
        '--reason',
        'new',
      ])
      expect(await ask('prompt-submit', { ...mine, ...prompt })).toEqual([known])
      expect(await ask('session-start', { ...mine, source: 'compact' })).toEqual([decided])
      expect(await ask('prompt-submit', { ...mine, ...prompt })).toEqual([known])
      const kept = path.join(world.home, '.agentm/hooks')
      // Locks lie beside what they guard.
      const files = async () => (await readdir(kept)).filter((name) => !name.startsWith('.'))
      expect(await files()).toHaveLength(2)
      const [file = ''] = await files()
      const longAgo = new Date(Date.now() - 30 * 86_400_000)
      await utimes(path.join(kept, file), longAgo, longAgo)
      await ask('prompt-submit', { session_id: 'another', ...prompt })
      expect(await files()).not.toContain(file)
    },
  )

  it.each(hooks)('%s begins with a word: a host that finds a bracket or a brace takes it for JSON', async (hook) => {
    const world = await setup()
    await world.file('repo/.harness/PLAN.md', 'x')
    for (const input of [about(world), 'no json', '{}']) {
      const { out } = await world.agentm(['hook', hook, '--within', '60000'], input)
      expect(out).toMatch(/^(?:$|[A-Za-z])/)
    }
    const elsewhere = await CliWorld.forThisTest()
    const { out } = await elsewhere.agentm(['hook', hook, '--within', '60000'], about(elsewhere))
    expect(out).toMatch(/^(?:$|[A-Za-z])/)
  })

  it.each(hooks)('%s ends when its time is over, though its question never comes to an end', async (hook) => {
    const world = await setup()
    expect(await world.agentm(['hook', hook, '--within', '50'], null)).toMatchObject({
      code: 0,
      out: expect.stringMatching(noTime),
    })
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
