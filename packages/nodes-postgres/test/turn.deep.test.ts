/** What one turn of the event loop asks for, ends of steps and then claims, is one statement; each is told what it would be told alone. */
import type { AppendOptions, Head, Node, NodeStore, TakeOptions } from '@agentm/nodes'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { lineCutter } from './line-cutter.ts'
import { ownPostgres } from '../../../tools/own-postgres.mjs'
import { ada, observation, sampleStore, step } from './sample-store.ts'

const server = ownPostgres()

const canonical = (id: string) => `v1:sample:step:${id}`
const short = (head: Pick<Node, 'id' | 'version'>) => `${head.id.split(':').at(-1) ?? ''}@${head.version}`

async function addReady({ log }: NodeStore, ids: readonly string[]): Promise<void> {
  await log.append(
    ids.flatMap((id) => [step(id), { ...step(id, { status: 'ready' }), update: true }]),
    ada,
  )
}

/** A worker that may run one step of the partition at a time. */
async function worker({ log, work }: NodeStore) {
  const { id: session } = await work.openSession({ actor: 'worker', leaseMs: 600_000 })
  const whose = { session, owners: ['ada'], concepts: ['v1:sample:step'], actor: 'worker', k: 1, perPartition: 1 }
  return {
    session,
    take: async (more: Partial<TakeOptions> = {}) => work.take({ ...whose, ...more }),
    end: async ({ id, version }: Pick<Node, 'id' | 'version'>, more: Partial<AppendOptions> = {}) =>
      log.append([{ concept: 'v1:sample:step', id, payload: { status: 'done' }, mutation: 'endStep', update: true }], {
        ...ada,
        expects: { [id]: version },
        ...more,
      }),
  }
}

function only(heads: readonly Head[]): Head {
  const [head, ...others] = heads
  if (head === undefined || others.length > 0) throw new TypeError(`one step was claimed, not ${heads.length}`)
  return head
}

async function told(asked: Promise<readonly Node[]>): Promise<unknown> {
  return asked.then(
    (nodes) => nodes.map(short),
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  )
}

async function listening(name: string): Promise<string> {
  const client = new pg.Client({ connectionString: server().url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`create database ${name}`)
  await client.query(`alter database ${name} set log_statement = 'all'`)
  return server().url.replace('/postgres?', `/${name}?`)
}

function statements(database: string): number {
  const sent = new RegExp(`^${database} LOG: {2}(?:execute|statement)`)
  const aside = /pg_notify|from "[a-z]+"\.sessions/
  return server()
    .logged()
    .filter((line) => sent.test(line) && !aside.test(line)).length
}

test.for([{ pooled: false }, { pooled: true }])(
  'an end and a claim of the same turn are one statement, and the claim gets the place that the end leaves: %o',
  async ({ pooled }) => {
    const schema = pooled ? 'turnspooled' : 'turns'
    const store = await sampleStore(server(), { url: await listening(schema), schema, pooled })
    const ids = Array.from({ length: 12 }, (_, i) => `s${String(i).padStart(2, '0')}`)
    await addReady(store, ids)
    const { take, end } = await worker(store)
    let running = only(await take())
    const before = statements(schema)
    for (const id of ids.slice(1)) {
      // Whichever is asked first: claims go last.
      const [taken, [ended]] = await Promise.all([take(), end(running)])
      expect(ended).toMatchObject({ version: 4, status: 'done' })
      expect(taken.map(short)).toEqual([`${id}@3`])
      running = only(taken)
      expect(await store.log.latest(running.id, ada)).toMatchObject({ status: 'running', seq: running.seq })
    }
    expect(statements(schema) - before).toBe(2 * (ids.length - 1))
    expect((await store.log.check()).problems).toEqual([])
  },
)

test('an append that is refused leaves the claim beside it as it is', async () => {
  const schema = server().newSchema()
  const [store, other] = [await sampleStore(server(), { schema }), await sampleStore(server(), { schema })]
  await addReady(store, ['a', 'b', 'c', 'd'])
  const { take, end } = await worker(store)
  const a = only(await take({ perPartition: 2 }))
  await other.log.append([{ ...step('a', { title: 'theirs' }), update: true }], ada)
  const outcomes = await Promise.all([told(end(a)), told(take({ perPartition: 2 }))])
  expect(outcomes).toEqual(['VERSION_CONFLICT', ['b@3']])
  expect(await store.log.latest(a.id, ada)).toMatchObject({ version: 4, status: 'running' })
  expect((await store.log.history(canonical('b'), ada)).map(({ version }) => version)).toEqual([1, 2, 3])
  expect((await store.log.check()).problems).toEqual([])
})

test('a claim that expected something else leaves the append beside it as it is, and finds what is there', async () => {
  const schema = server().newSchema()
  const [store, other] = [await sampleStore(server(), { schema }), await sampleStore(server(), { schema })]
  await addReady(store, ['a', 'b', 'c', 'd'])
  const { take, end } = await worker(store)
  let running = only(await take())
  await other.log.append([{ ...step('b', { title: 'theirs' }), update: true }], ada)
  const [ended, taken] = await Promise.all([end(running), take()])
  expect([...ended, ...taken].map(short)).toEqual(['a@4', 'c@3'])
  running = only(taken)
  const theirs = await worker(other)
  expect(await told(theirs.take({ perPartition: 2 }))).toEqual(['d@3'])
  expect(await Promise.all([told(end(running)), told(take({ perPartition: 2 }))])).toEqual([['c@4'], ['b@4']])
  expect(await store.log.latest(canonical('b'), ada)).toMatchObject({ payload: { title: 'theirs' } })
  expect((await store.log.check()).problems).toEqual([])
})

test('a claim of a session that is over is refused, and the append beside it is not', async () => {
  const store = await sampleStore(server())
  await addReady(store, ['a', 'b'])
  const { session, take, end } = await worker(store)
  const a = only(await take())
  await store.work.closeSession(session)
  expect(await Promise.all([told(end(a)), told(take())])).toEqual([['a@4'], 'SESSION_LOST'])
  expect(await store.log.latest(canonical('b'), ada)).toMatchObject({ status: 'ready' })
})

test('a step that an end makes ready is claimed in the same turn', async () => {
  const store = await sampleStore(server())
  await addReady(store, ['a'])
  await store.log.append([step('next', { dependsOn: [canonical('a')] })], ada)
  const { take, end } = await worker(store)
  const a = only(await take())
  const promoted = { ...step('next', { status: 'ready' }), update: true }
  const made = store.log.append([promoted], { ...ada, expects: { [canonical('next')]: 1 } })
  const [ended, next, taken] = await Promise.all([end(a), made, take()])
  expect([ended, next, taken].map((nodes) => nodes.map(short))).toEqual([['a@4'], ['next@2'], ['next@3']])
  expect((await store.log.check()).problems).toEqual([])
})

test('what an end frees is made ready, whatever is claimed beside it, and claimed by the next turn', async () => {
  const store = await sampleStore(server())
  await addReady(store, ['a', 'b', 'c'])
  await store.log.append(
    [step('next', { dependsOn: [canonical('a')] }), step('last', { dependsOn: [canonical('b')] })],
    ada,
  )
  const { take, end } = await worker(store)
  const freed = { concept: 'v1:sample:step', status: 'pending', payload: { status: 'ready' }, mutation: 'freeStep' }
  let running = only(await take())
  for (const [ended, claimed] of [
    ['a@4', 'b@3'],
    ['b@4', 'c@3'],
    ['c@4', 'next@3'],
    ['next@4', 'last@3'],
  ] as const) {
    const [nodes, heads] = await Promise.all([end(running, { freed }), take()])
    expect([...nodes, ...heads].map(short)).toEqual([ended, claimed])
    running = only(heads)
  }
  expect((await store.log.check()).problems).toEqual([])
})

test.for([
  { when: 'before', left: 3 },
  { when: 'after', left: 4 },
] as const)('of a line cut $when the server has done what a turn asked for, nobody knows the outcome', async (cut) => {
  const schema = server().newSchema()
  const line = await lineCutter(server())
  const store = await sampleStore(server(), { schema, url: line.url })
  const witness = await sampleStore(server(), { schema })
  await addReady(store, ['a', 'b', 'c'])
  const { take, end } = await worker(store)
  const a = only(await take())
  const isCut = line.cut('endStep', cut.when)
  expect(await Promise.all([told(end(a)), told(take())])).toEqual(['OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN'])
  await isCut
  // Both or neither: the claim was made by the statement that ended the step.
  const [ended, claimed] = await Promise.all([a.id, canonical('b')].map((id) => witness.log.latest(id, ada)))
  expect([ended?.version, claimed?.status]).toEqual([cut.left, cut.left === 4 ? 'running' : 'ready'])
  expect(await told(end(a))).toEqual(cut.left === 4 ? 'VERSION_CONFLICT' : ['a@4'])
  expect((await witness.log.check()).problems).toEqual([])
})

test('an end waits for nobody who writes what is claimed beside it', async () => {
  const schema = server().newSchema()
  const store = await sampleStore(server(), { schema })
  await addReady(store, ['a', 'b', 'c'])
  const { take, end } = await worker(store)
  const a = only(await take())
  const client = new pg.Client({ connectionString: server().url })
  await client.connect()
  onTestFinished(() => client.end())
  const lock = `select from ${schema}.heads where id = $1 for update`
  await client.query('begin')
  await client.query(lock, [canonical('b')])
  const taking = take()
  expect(await told(end(a))).toEqual(['a@4'])
  // Who holds the one may want the other next; had the end waited, this would be a deadlock.
  await client.query(lock, [a.id])
  await client.query('rollback')
  // Nor does a claim wait: a step that somebody writes is passed over, and found by the next look.
  expect(await taking).toEqual([])
  expect((await take()).map(short)).toEqual(['b@3'])
  expect((await store.log.check()).problems).toEqual([])
})

test('what a turn asked for is flushed where any of it must be', async () => {
  const schema = server().newSchema()
  const store = await sampleStore(server(), { schema })
  const client = new pg.Client({ connectionString: server().url })
  await client.connect()
  onTestFinished(() => client.end())
  // Asked at the commit itself, which is when the level counts.
  await client.query(`create table ${schema}.levels (id text, level text);
    create function ${schema}.note_level() returns trigger language plpgsql as $$
    begin
      insert into ${schema}.levels values (new.id || '@' || new.version, current_setting('synchronous_commit'));
      return null;
    end $$;
    create constraint trigger levels after insert on ${schema}.nodes deferrable initially deferred
      for each row execute function ${schema}.note_level()`)
  await addReady(store, ['a', 'b', 'c', 'd', 'e'])
  const { take, end } = await worker(store)
  let running = only(await take({ durability: 'normal' }))
  const levels = ['normal', 'full'] as const
  for (const ended of levels)
    for (const taken of levels) {
      const [, heads] = await Promise.all([end(running, { durability: ended }), take({ durability: taken })])
      running = only(heads)
    }
  const { rows } = await client.query<{ id: string; level: string }>(`select id, level from ${schema}.levels`)
  const flushed = Object.fromEntries(rows.map(({ id, level }) => [id.replace('v1:sample:step:', ''), level]))
  expect(flushed).toMatchObject({ 'a@3': 'off', 'a@4': 'off', 'b@3': 'off', 'b@4': 'on', 'c@3': 'on' })
  expect(flushed).toMatchObject({ 'c@4': 'on', 'd@3': 'on', 'd@4': 'on', 'e@3': 'on' })
})

test('claims beside an append that only adds find what it added too', async () => {
  const store = await sampleStore(server())
  await addReady(store, ['a', 'b', 'c'])
  const { take } = await worker(store)
  const seen = [observation('one'), observation('two')]
  const asked = [store.log.append(seen, ada), take({ perPartition: 9 })] as const
  const [nodes, taken] = await Promise.all(asked)
  expect(nodes.map(({ payload }) => payload['content'])).toEqual(['one', 'two'])
  expect(taken.map(short)).toEqual(['a@3'])
  expect((await store.log.check()).problems).toEqual([])
})
