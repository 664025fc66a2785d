/** Appends of one moment share a statement; each is acknowledged, and refused, as if it were alone. */
import type { AppendOptions, Draft, Node, NodeStore } from '@agentm/nodes'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { ownPostgres } from '../../../tools/own-postgres.mjs'
import { ada, observation, sampleStore, step } from './sample-store.ts'

const server = ownPostgres()

const names = (count: number) => Array.from({ length: count }, (_, i) => `s${String(i).padStart(2, '0')}`)
const ready = (id: string): Draft => ({ ...step(id), payload: { status: 'ready' }, update: true })
const canonical = (id: string) => `v1:sample:step:${id}`

async function added(store: NodeStore, ids: readonly string[], options: AppendOptions = ada): Promise<void> {
  await store.log.append(
    ids.map((id) => step(id)),
    options,
  )
}

test('appends of one moment share a few statements, and each gets what it wrote', async () => {
  const client = new pg.Client({ connectionString: server().url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('create database together')
  await client.query(`alter database together set log_statement = 'all'`)
  const url = server().url.replace('/postgres?', '/together?')
  const store = await sampleStore(server(), { url, schema: 'together' })
  const ids = names(40)
  await added(store, ids)
  const before = statements('together')
  const written = await Promise.all(
    ids.map(async (id) =>
      store.log.append([ready(id), observation(`of ${id}`)], { ...ada, expects: { [canonical(id)]: 1 } }),
    ),
  )
  expect(statements('together') - before).toBeLessThanOrEqual(4)
  expect(written.map(([node, seen]) => [node?.id, node?.version, node?.status, seen?.payload['content']])).toEqual(
    ids.map((id) => [canonical(id), 2, 'ready', `of ${id}`]),
  )
  const seqs = written.flat().map(({ seq }) => seq)
  expect(new Set(seqs).size).toBe(80)
  for (const node of written.flat())
    expect(await store.log.history(node.id, { ...ada, after: node.version - 1 })).toEqual([node])
  expect((await store.log.check()).problems).toEqual([])
})

function statements(database: string, what = /^/): number {
  const sent = new RegExp(`^${database} LOG: {2}(?:execute|statement)`)
  return server()
    .logged()
    .filter((line) => sent.test(line) && what.test(line) && !line.includes('pg_notify')).length
}

test('new nodes under a version that is known share a statement too, and none is read first', async () => {
  const client = new pg.Client({ connectionString: server().url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('create database fenced')
  await client.query(`alter database fenced set log_statement = 'all'`)
  const url = server().url.replace('/postgres?', '/fenced?')
  const store = await sampleStore(server(), { url, schema: 'fenced' })
  const ids = names(20)
  await added(store, ids)
  const before = statements('fenced')
  const written = await Promise.all(
    ids.map(async (id) =>
      store.log.append([observation(`of ${id}`, `${id}-1`)], { ...ada, expects: { [canonical(id)]: 1 } }),
    ),
  )
  expect(statements('fenced') - before).toBeLessThanOrEqual(4)
  expect(written.map(([seen]) => [seen?.version, seen?.payload['content']])).toEqual(ids.map((id) => [1, `of ${id}`]))
  expect((await store.log.check()).problems).toEqual([])
})

test('what was taken for new, and is not, becomes the next version, or is refused by what it expects', async () => {
  const schema = server().newSchema()
  const [store, other] = [await sampleStore(server(), { schema }), await sampleStore(server(), { schema })]
  const ids = names(6)
  await added(store, ids)
  // This process has never seen two of these nodes, and one of the steps is not as it was.
  for (const id of ids.slice(0, 2)) await other.log.append([observation('theirs', `${id}-1`)], ada)
  await other.log.append([ready('s02')], ada)
  const outcomes = await Promise.all(
    ids.map(async (id) =>
      store.log.append([observation('ours', `${id}-1`)], { ...ada, expects: { [canonical(id)]: 1 } }).then(
        ([node]) => node?.version,
        (error: unknown) => Object(error).code,
      ),
    ),
  )
  expect(outcomes).toEqual([2, 2, 'VERSION_CONFLICT', 1, 1, 1])
  const contents = await Promise.all(
    ids.map(async (id) => (await store.log.latest(`v1:sample:observation:${id}-1`, ada))?.payload['content']),
  )
  expect(contents).toEqual(['ours', 'ours', undefined, 'ours', 'ours', 'ours'])
  expect((await store.log.check()).problems).toEqual([])
})

test('of appends of one moment, those that must be refused are refused alone', async () => {
  const store = await sampleStore(server())
  const ids = names(12)
  await added(store, ids)
  const outcomes = await Promise.all(
    ids.map(async (id, i) => {
      const drafts = i % 4 === 1 ? [{ ...step(id, { status: 'done' }), update: true }] : [ready(id)]
      const expects = { [canonical(id)]: i % 4 === 2 ? 7 : 1 }
      return outcome(store.log.append(drafts, { ...ada, expects }))
    }),
  )
  const told = ['ready', 'GUARD_REFUSED', 'VERSION_CONFLICT', 'ready']
  expect(outcomes).toEqual(ids.map((_, i) => told[i % 4]))
  expect((await store.log.check()).problems).toEqual([])
})

async function outcome(writing: Promise<readonly Node[]>): Promise<unknown> {
  return writing.then(
    ([node]) => node?.status,
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  )
}

test('what somebody else wrote meanwhile refuses only who expected otherwise', async () => {
  const schema = server().newSchema()
  const [store, other] = [await sampleStore(server(), { schema }), await sampleStore(server(), { schema })]
  const ids = names(8)
  await added(store, ids)
  for (const id of ids.slice(0, 2)) await other.log.append([{ ...step(id, { title: 'theirs' }), update: true }], ada)
  const outcomes = await Promise.all(
    ids.map(async (id, i) =>
      outcome(store.log.append([ready(id)], { ...ada, ...(i !== 1 && { expects: { [canonical(id)]: 1 } }) })),
    ),
  )
  expect(outcomes).toEqual(['VERSION_CONFLICT', ...Array.from({ length: 7 }, () => 'ready')])
  expect(await store.log.latest(canonical('s01'), ada)).toMatchObject({ version: 3, payload: { title: 'theirs' } })
  expect((await store.log.check()).problems).toEqual([])
})

test('an append that writes nothing and only expects is judged all the same', async () => {
  const store = await sampleStore(server())
  await added(store, ['s'])
  const expecting = async (id: string, version: number) =>
    store.log.append([], { ...ada, expects: { [canonical(id)]: version } })
  expect(await expecting('s', 1)).toEqual([])
  expect(await expecting('absent', 0)).toEqual([])
  await expect(expecting('s', 2)).rejects.toMatchObject({ code: 'VERSION_CONFLICT', actual: 1 })
})

test('dependencies that end at the same moment are all counted, and owners stay apart', async () => {
  const store = await sampleStore(server())
  const ids = names(10)
  const bob = { ...ada, owner: 'bob' }
  await added(store, ids)
  await store.log.append([step('join', { dependsOn: ids.map(canonical) })], ada)
  await added(
    store,
    ids.map((id) => `bob-${id}`),
    bob,
  )
  const { id: session } = await store.work.openSession({ actor: 'worker', leaseMs: 60_000 })
  const of = async (id: string, status: string, options: AppendOptions) =>
    store.log.append([{ ...step(id, { status }), update: true }], options)
  await Promise.all(ids.flatMap((id) => [of(id, 'ready', ada), of(`bob-${id}`, 'ready', bob)]))
  await store.work.take({
    session,
    owners: ['ada', 'bob'],
    concepts: ['v1:sample:step'],
    actor: 'worker',
    k: 20,
    perPartition: 20,
  })
  await Promise.all(ids.flatMap((id) => [of(id, 'done', ada), of(`bob-${id}`, 'done', bob)]))
  expect(await store.log.latest(canonical('join'), ada)).toMatchObject({ remaining: 0 })
  const { nodes } = await store.log.scan({ owner: 'bob', status: 'done' })
  expect(nodes).toHaveLength(10)
  expect((await store.log.check()).problems).toEqual([])
})

test('of many who change one node at the same moment one wins, without asking the server for each', async () => {
  const client = new pg.Client({ connectionString: server().url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('create database crowd')
  await client.query(`alter database crowd set log_statement = 'all'`)
  const url = server().url.replace('/postgres?', '/crowd?')
  const store = await sampleStore(server(), { url, schema: 'crowd' })
  await added(store, ['s'])
  const before = statements('crowd', /begin|for update/)
  const outcomes = await Promise.all(
    Array.from({ length: 16 }, async () => {
      await Promise.resolve()
      return outcome(store.log.append([ready('s')], { ...ada, expects: { [canonical('s')]: 1 } }))
    }),
  )
  expect(outcomes.filter((each) => each === 'ready')).toHaveLength(1)
  expect(outcomes.filter((each) => each === 'VERSION_CONFLICT')).toHaveLength(15)
  expect(statements('crowd', /begin|for update/) - before).toBe(0)
  expect(await store.log.latest(canonical('s'), ada)).toMatchObject({ version: 2 })
})
