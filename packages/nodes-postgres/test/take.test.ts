/** Claims are decided on what the server last said would come next; what is there by then is what counts. */
import type { NodeStore, TakeOptions } from '@agentm/nodes'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { ownPostgres } from '../../../tools/own-postgres.mjs'
import { ada, sampleStore, step } from './sample-store.ts'

const server = ownPostgres()

const canonical = (id: string) => `v1:sample:step:${id}`

async function addReady({ log }: NodeStore, ids: readonly string[], partition = 'attic'): Promise<void> {
  const drafts = ids.flatMap((id) => [step(id), { ...step(id, { status: 'ready' }), update: true }])
  await log.append(drafts, { ...ada, partition })
}

/** Takes in the name of a session of its own; answers short ids and versions. */
async function taker({ work }: NodeStore) {
  const { id: session } = await work.openSession({ actor: 'worker', leaseMs: 600_000 })
  return async (k: number, more: Partial<TakeOptions> = {}) => {
    const heads = await work.take({
      session,
      owners: ['ada'],
      concepts: ['v1:sample:step'],
      actor: 'worker',
      k,
      perPartition: 100,
      ...more,
    })
    expect(heads.every((head) => head.status === 'running' && head.session === session)).toBe(true)
    return heads.map(({ id, version }) => `${id.split(':').at(-1) ?? ''}@${version}`)
  }
}

test('steps that are taken one after the other cost one statement each', async () => {
  const client = new pg.Client({ connectionString: server().url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('create database taking')
  await client.query(`alter database taking set log_statement = 'all'`)
  const url = server().url.replace('/postgres?', '/taking?')
  const store = await sampleStore(server(), { url, schema: 'taking' })
  await addReady(
    store,
    Array.from({ length: 24 }, (_, i) => `s${String(i).padStart(2, '0')}`),
  )
  const take = await taker(store)
  expect(await take(1)).toEqual(['s00@3'])
  const before = statements()
  for (let i = 1; i < 12; i++) expect(await take(1)).toEqual([`s${String(i).padStart(2, '0')}@3`])
  expect(await take(4)).toHaveLength(4)
  expect(statements() - before).toBe(12)
  expect((await store.log.check()).problems).toEqual([])
})

function statements(): number {
  const sent = /^taking LOG: {2}(?:execute|statement)/
  const aside = /pg_notify|from "taking"\.sessions/
  return server()
    .logged()
    .filter((line) => sent.test(line) && !aside.test(line)).length
}

test('what was changed since it was seen is claimed as it is, and what is gone is not', async () => {
  const schema = server().newSchema()
  const [store, other] = [await sampleStore(server(), { schema }), await sampleStore(server(), { schema })]
  await addReady(store, ['a', 'b', 'c', 'd'])
  const take = await taker(store)
  expect(await take(1)).toEqual(['a@3'])
  await other.log.append([{ ...step('b', { title: 'another title' }), update: true }], ada)
  expect(await (await taker(other))(1)).toEqual(['c@3'])
  // Its new version is the youngest of those that are ready.
  expect(await take(3)).toEqual(['d@3', 'b@4'])
  const b = await other.log.latest(canonical('b'), ada)
  expect(b).toMatchObject({ payload: { title: 'another title', status: 'running' } })
  expect(await take(1)).toEqual([])
  expect((await store.log.check()).problems).toEqual([])
})

test('two stores that take in turns and at once get each step once', async () => {
  const schema = server().newSchema()
  const stores = [await sampleStore(server(), { schema }), await sampleStore(server(), { schema })]
  const [first] = stores
  if (first === undefined) throw new TypeError('two stores were opened')
  const ids = Array.from({ length: 60 }, (_, i) => `s${i}`)
  await addReady(first, ids)
  const takes = await Promise.all(stores.map(taker))
  const got: string[] = []
  for (let round = 0; round < 6; round++) for (const take of takes) got.push(...(await take(2)))
  const greedy = async (take: (k: number) => Promise<string[]>): Promise<void> => {
    for (let taken = await take(3); taken.length > 0; taken = await take(3)) got.push(...taken)
  }
  await Promise.all([...takes, ...takes].map(greedy))
  expect(got.toSorted()).toEqual(ids.map((id) => `${id}@3`).toSorted())
})

test('a partition takes no more at once than it may, however much is known to come', async () => {
  const store = await sampleStore(server())
  await addReady(store, ['a', 'b', 'c', 'd', 'e'])
  const take = await taker(store)
  expect(await take(1, { perPartition: 3 })).toEqual(['a@3'])
  expect(await take(4, { perPartition: 3 })).toEqual(['b@3', 'c@3'])
  expect(await take(4, { perPartition: 3 })).toEqual([])
  await store.log.append([{ ...step('b', { status: 'done' }), update: true }], ada)
  expect(await take(4, { perPartition: 3 })).toEqual(['d@3'])
})

test('a partition that comes later gets its turn beside one that is known ahead', async () => {
  const store = await sampleStore(server())
  await addReady(store, ['a', 'b', 'c', 'd', 'e', 'f'])
  const take = await taker(store)
  expect(await take(1)).toEqual(['a@3'])
  expect(await take(1)).toEqual(['b@3'])
  await addReady(store, ['x', 'y'], 'cellar')
  expect((await take(4)).toSorted()).toEqual(['c@3', 'd@3', 'x@3', 'y@3'])
  expect(await take(4)).toEqual(['e@3', 'f@3'])
})

test('a guess for some kinds or parents is none for others', async () => {
  const store = await sampleStore(server())
  const kinds = { a: 'red', b: 'blue', c: 'red', d: 'blue' }
  for (const [id, kind] of Object.entries(kinds))
    await store.log.append([step(id, { kind }), { ...step(id, { status: 'ready' }), update: true }], ada)
  const take = await taker(store)
  expect(await take(1, { kinds: ['blue'] })).toEqual(['b@3'])
  expect(await take(1)).toEqual(['a@3'])
  expect(await take(2, { kinds: ['blue'] })).toEqual(['d@3'])
  expect(await take(2, { kinds: ['red'] })).toEqual(['c@3'])
})
