import path from 'node:path'
import { observation, semanticMemory } from '@agentm/memory'
import { openPostgresStore } from '@agentm/nodes-postgres'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findPostgres, type OwnPostgres, startPostgres } from '../../../tools/postgres-server.mjs'
import { CliWorld } from './cli-world.ts'

const found = findPostgres()
let server: OwnPostgres | undefined
const worlds: CliWorld[] = []
beforeAll(async () => {
  if (typeof found !== 'string') server = await startPostgres(found)
}, 60_000)
afterAll(async () => {
  await Promise.all(worlds.map((world) => world.remove()))
  await server?.stop()
}, 60_000)

// A busy machine may need longer than people want to wait.
const recallHere = ['seam', 'recall-here', '--server-ms', '60000']
const note = 'Lamps are changed in March'
const belief = 'A lamp lasts two winters'
const episode = 'The lamp of the attic was changed'

/** A checkout whose log is on the server, with one note, one belief and one episode. */
async function setup(url: string) {
  const world = await CliWorld.make()
  worlds.push(world)
  await world.agentm(['config', 'set', 'owner', 'ada'])
  world.variables['AGENTM_NODES_URL'] = url
  const saved = await world.agentm(['save', note, '--kind', 'decision'])
  expect(saved).toMatchObject({ code: 0, err: '' })
  const store = await openPostgresStore({ url, concepts: [observation, semanticMemory] })
  const kept = {
    ownerUserId: 'ada',
    content: belief,
    sourceEpisodes: [],
    lastReinforced: new Date().toISOString(),
  }
  const drafts = [
    { concept: semanticMemory.name, id: 'b1', payload: kept, mutation: 'create' },
    {
      concept: observation.name,
      id: 'o1',
      payload: { ownerUserId: 'ada', kind: 'note', content: episode },
      mutation: 'record',
    },
  ]
  await store.log.append(drafts, { owner: 'ada', actor: 'test', partition: 'acme' })
  await store.close()
  return world
}

it(
  'beliefs and episodes of a log on a server are recalled by everyone who asks',
  { timeout: 120_000 },
  async ({ skip }) => {
    if (typeof found === 'string') skip(found)
    if (server === undefined) throw new Error('the server is started before the test')
    const world = await setup(server.url)
    const input = JSON.stringify({ cwd: world.repo, prompt: 'how many winters does a lamp last?' })
    const all = [note, belief, episode]
    const told = (text: string) => all.filter((each) => text.includes(each))
    const { out: recalled } = await world.agentm(['recall', 'lamp', 'attic'])
    expect(told(recalled)).toEqual(all)
    const prompted = await world.agentm(['hook', 'prompt-submit', '--within', '60000'], input)
    expect(told(prompted.out)).toContain(belief)
    const started = await world.agentm(['hook', 'session-start', '--within', '60000'], input)
    expect(told(started.out)).toEqual([note, belief])
    const seam = await world.agentm([...recallHere, '--query', 'lamp'])
    expect(told(seam.out)).toEqual(all)
    expect(told(await overMcp(world, 'lamp attic'))).toEqual(all)

    await server.kill()
    const other = JSON.stringify({ cwd: world.repo, prompt: 'when are lamps changed?' })
    const alone = await world.agentm(['hook', 'prompt-submit', '--within', '60000'], other)
    expect([alone.code, told(alone.out)]).toEqual([0, [note]])
    const seamAlone = await world.agentm([...recallHere, '--query', 'lamp of the attic'])
    expect([seamAlone.code, told(seamAlone.out), seamAlone.err]).toEqual([0, [note], ''])
  },
)

async function overMcp(world: CliWorld, text: string): Promise<string> {
  const client = new Client({ name: 'test', version: '1' })
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: world.home,
    XDG_CACHE_HOME: path.join(world.home, '.cache'),
    ...world.variables,
  }
  const agentm = path.join(import.meta.dirname, '../bin/agentm.mjs')
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [agentm, 'mcp'], cwd: world.repo, env }),
  )
  try {
    return JSON.stringify(await client.callTool({ name: 'memory_recall', arguments: { query: text } }))
  } finally {
    await client.close()
  }
}
