/** What is asked all day goes by the indexes, also when its plans were made while the tables were empty. */
import type { Draft, NodeStore } from '@agentm/nodes'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { ownPostgres } from '../../../tools/own-postgres.mjs'
import { ada, observation, sampleStore, step } from './sample-store.ts'

const server = ownPostgres()

test('claims, appends and questions read no table as a whole once it has grown', async () => {
  const schema = server().newSchema()
  const store = await sampleStore(server(), { schema, connections: 1 })
  const { log, work } = store
  const { id: session } = await work.openSession({ actor: 'worker', leaseMs: 600_000 })
  const round = async (name: string) => {
    await log.append([step(name)], ada)
    await log.append([{ ...step(name), payload: { status: 'ready' }, update: true }], ada)
    const scope = { owners: ['ada'], concepts: ['v1:sample:step'], actor: 'worker', perPartition: 1000 }
    const taken = await work.take({ session, ...scope, k: 1 })
    expect(taken).toHaveLength(1)
    await log.append([{ ...step(name), payload: { status: 'done' }, update: true }], ada)
    await log.append([observation(`about ${name}`, name)], ada)
    await log.append([observation(`again about ${name}`, name)], ada)
    await log.latest(`v1:sample:step:${name}`, ada)
    await log.scan({ owner: 'ada', concepts: ['v1:sample:step'], order: 'newest', limit: 5 })
  }
  // By the sixth time, the plans are kept.
  for (let i = 0; i < 8; i++) await round(`early${i}`)
  const many = 3000
  await log.append(
    Array.from({ length: many }, (_, i) => observation(`filler ${i}`)),
    ada,
  )
  const rounds = 20
  for (let i = 0; i < rounds; i++) await round(`late${i}`)
  // A connection says what it read at the latest when it ends.
  await store.close()
  const client = new pg.Client({ connectionString: server().url })
  await client.connect()
  onTestFinished(() => client.end())
  const { rows } = await client.query(
    `select relname, seq_tup_read::int as read from pg_stat_user_tables where schemaname = $1 and seq_tup_read > $2`,
    [schema, many],
  )
  expect(rows).toEqual([])
})

test('vectors of new nodes and of changed ones are written without walking all that their owner has', async () => {
  const schema = server().newSchema()
  const store = await sampleStore(server(), { schema, connections: 1 })
  const { log } = store
  const looked = async (name: string) => {
    const [first] = compared(name, 1)
    await log.append(compared(name, 5), { ...ada, expects: { [`${first?.concept}:${first?.id}`]: 0 } })
    await log.append(
      compared(name, 5).map((draft) => ({ ...draft, payload: { content: `${name} again` } })),
      ada,
    )
  }
  // By the sixth time, the plans are kept.
  for (let i = 0; i < 8; i++) await looked(`early${i}-`)
  const many = 1000
  await log.append(compared('filler', many), ada)
  for (let i = 0; i < 8; i++) await looked(`late${i}-`)
  // A connection says what it read at the latest when it ends.
  await store.close()
  const client = new pg.Client({ connectionString: server().url })
  await client.connect()
  onTestFinished(() => client.end())
  const { rows } = await client.query(
    `select relname, indexrelname, idx_tup_read::int as read from pg_stat_user_indexes
      where schemaname = $1 and relname in ('items', 'vectors') and idx_tup_read > $2`,
    [schema, many],
  )
  expect(rows).toEqual([])
})

test('what belongs to a plan is found without walking all that its owner has, also where the owner is new', async () => {
  const schema = server().newSchema()
  const writer = await sampleStore(server(), { schema })
  const client = new pg.Client({ connectionString: server().url })
  await client.connect()
  onTestFinished(() => client.end())
  await writer.log.append(planned('eve', 'much', 2000), { ...ada, owner: 'eve' })
  await client.query(`analyze "${schema}".heads`)
  const many = 3000
  await writer.log.append(planned('ada', 'little', 2), ada)
  await writer.log.append(planned('ada', 'much', many), ada)
  const before = await walked(client, schema, writer)
  const store = await sampleStore(server(), { schema })
  const { log, work } = store
  const parent = 'v1:sample:plan:ada-little'
  const whose = { owner: 'ada', concepts: ['v1:sample:step'] }
  for (let i = 0; i < 10; i++) {
    const related = { field: 'dependsOn', to: stepOf('ada', 'little', 0) }
    const query = { ...whose, related, status: ['pending', 'blocked'], maxRemaining: 9 }
    expect((await log.scan(query)).nodes).toHaveLength(1)
    expect((await log.scan({ ...whose, parent, status: 'running', limit: 1 })).nodes).toEqual([])
    expect((await log.scan({ ...whose, parent, status: ['pending', 'ready'] })).nodes).toHaveLength(2)
    expect((await log.scan({ ...whose, parent, versions: 'all' })).nodes).toHaveLength(2)
    const first = await log.scan({ ...whose, parent: 'v1:sample:plan:ada-much', status: 'pending', limit: 1 })
    expect(first.nodes.map(({ id }) => id)).toEqual([stepOf('ada', 'much', 0)])
    expect((await log.scan({ ...whose, ids: [stepOf('ada', 'much', 7)] })).nodes).toHaveLength(1)
    expect(await log.latest(stepOf('ada', 'much', 9), ada)).toBeDefined()
    expect(await work.tally(parent, { owner: 'ada', concept: 'v1:sample:step' })).toEqual({ pending: 2 })
  }
  const after = await walked(client, schema, store)
  expect([...after].filter(([index, read]) => read - (before.get(index) ?? 0) > many)).toEqual([])
})

/** How many entries each index of the heads has given, once the store has said all it has to say. */
async function walked(client: pg.Client, schema: string, store: NodeStore): Promise<ReadonlyMap<string, number>> {
  // A connection says what it read at the latest when it ends.
  await store.close()
  const { rows } = await client.query<{ name: string; read: number }>(
    `select indexrelname as name, idx_tup_read::int as read from pg_stat_user_indexes
      where schemaname = $1 and relname = 'heads'`,
    [schema],
  )
  expect(rows.length).toBeGreaterThan(5)
  return new Map(rows.map(({ name, read }) => [name, read]))
}

function planned(owner: string, plan: string, count: number): Draft[] {
  return [
    { concept: 'v1:sample:plan', id: `${owner}-${plan}`, payload: { goal: plan }, mutation: 'plan' },
    ...Array.from({ length: count }, (_, i) =>
      step(`${owner}-${plan}-${i}`, {
        planId: `v1:sample:plan:${owner}-${plan}`,
        dependsOn: i === 1 ? [stepOf(owner, plan, 0)] : [],
      }),
    ),
  ]
}

function stepOf(owner: string, plan: string, i: number): string {
  return `v1:sample:step:${owner}-${plan}-${i}`
}

function compared(name: string, count: number): Draft[] {
  return Array.from({ length: count }, (_, i) => ({
    ...observation(`${name} ${i}`, `${name}${i}`),
    vector: { embedder: 'some', values: [i, 1, 2] },
  }))
}
