/** The line is cut while something is written: what the caller is told, and that trying again with `expects` is safe. */
import type { Node, NodeStore } from '@agentm/nodes'
import { expect, test } from 'vitest'
import { type LineCutter, lineCutter } from './line-cutter.ts'
import { ownPostgres } from '../../../tools/own-postgres.mjs'
import { ada, observation, sampleStore, step } from './sample-store.ts'

const server = ownPostgres()
const id = 'v1:sample:observation:a'

/** One store whose line can be cut, and one that sees what became of it. */
async function setup(): Promise<{ line: LineCutter; store: NodeStore; witness: NodeStore }> {
  const schema = server().newSchema()
  const line = await lineCutter(server())
  return {
    line,
    store: await sampleStore(server(), { schema, url: line.url }),
    witness: await sampleStore(server(), { schema }),
  }
}

const versions = async ({ log }: NodeStore, of = id) => (await log.history(of, ada)).map(({ version }) => version)

const created = [
  { when: 'before', left: [], again: { version: 1 } },
  { when: 'after', left: [1], again: { code: 'VERSION_CONFLICT', expected: 0, actual: 1 } },
] as const

test.for(created)(
  'of a line cut $when the server has written a new node nobody knows the outcome, and trying again writes it once',
  async ({ when, left, again }) => {
    const { line, store, witness } = await setup()
    const write = async () => store.log.append([observation('only once', 'a')], { ...ada, expects: { [id]: 0 } })
    const cut = line.cut('only once', when)
    await expect(write()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    await cut
    expect(await versions(witness)).toEqual(left)
    expect(await outcome(write())).toMatchObject(again)
    expect(await versions(witness)).toEqual([1])
    expect((await store.log.check()).problems).toEqual([])
  },
)

const changed = [
  { when: 'before', left: [1], again: { version: 2 } },
  { when: 'after', left: [1, 2], again: { code: 'VERSION_CONFLICT', expected: 1, actual: 2 } },
] as const

test.for(changed)(
  'of a line cut $when the server has changed a node, trying again with the version that was read changes it once',
  async ({ when, left, again }) => {
    const { line, store, witness } = await setup()
    await store.log.append([observation('at first', 'a')], ada)
    const write = async () => store.log.append([observation('changed once', 'a')], { ...ada, expects: { [id]: 1 } })
    const cut = line.cut('changed once', when)
    const told = { code: 'OUTCOME_UNKNOWN', message: expect.stringContaining('read it again') }
    await expect(write()).rejects.toMatchObject(told)
    await cut
    expect(await versions(witness)).toEqual(left)
    expect(await outcome(write())).toMatchObject(again)
    expect(await versions(witness)).toEqual([1, 2])
  },
)

/** The node that was written, or why none was. */
async function outcome(writing: Promise<readonly Node[]>): Promise<unknown> {
  return writing.then(
    ([node]) => node,
    (error: unknown) => error,
  )
}

test('of a line cut while a claim is committed, the step is won by that session or by nobody, and found by who asks', async () => {
  const { line, store, witness } = await setup()
  await store.log.append([step('s'), { ...step('s', { status: 'ready' }), update: true }], ada)
  const { id: session } = await store.work.openSession({ actor: 'worker', leaseMs: 60_000 })
  const take = async () =>
    store.work.take({ session, owners: ['ada'], concepts: ['v1:sample:step'], actor: 'worker', k: 1 })
  const cut = line.cut('startSampleStep', 'after')
  await expect(take()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
  await cut
  expect(await take()).toEqual([])
  expect(await witness.log.latest('v1:sample:step:s', ada)).toMatchObject({ status: 'running', session })
})

test('a question whose line is cut is asked again, and nobody notices', async () => {
  const { line, store } = await setup()
  await store.log.append([observation('there', 'a')], ada)
  const cut = line.cut(id, 'after')
  expect((await store.log.latest(id, ada))?.version).toBe(1)
  await cut
})

test('without expects, trying again writes a second version: the outcome is the caller’s to look at', async () => {
  const { line, store, witness } = await setup()
  const cut = line.cut('twice', 'after')
  await expect(store.log.append([observation('twice', 'a')], ada)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
  await cut
  await store.log.append([observation('twice', 'a')], ada)
  expect(await versions(witness)).toEqual([1, 2])
})

test.each(['before', 'after'] as const)(
  'of a line cut %s the server has freed a dependent, the append that ended the last it waited for stands, and a look finds the rest',
  async (when) => {
    const { line, store, witness } = await setup()
    const running = ['ready', 'running'].map((status) => ({ ...step('s', { status }), update: true }))
    await store.log.append([step('s'), ...running, step('waits', { dependsOn: ['s'] })], ada)
    const freed = { concept: 'v1:sample:step', status: 'pending', payload: { status: 'ready' }, mutation: 'freeStep' }
    const cut = line.cut('freeStep', when)
    const [ended] = await store.log.append([{ ...step('s', { status: 'done' }), update: true }], { ...ada, freed })
    await cut
    expect(ended).toMatchObject({ version: 4, status: 'done' })
    const { nodes } = await witness.log.scan({ owner: 'ada', status: 'pending', maxRemaining: 0 })
    expect(nodes.map(({ id: left }) => left)).toEqual(when === 'before' ? ['v1:sample:step:waits'] : [])
    expect((await store.log.check()).problems).toEqual([])
  },
)
