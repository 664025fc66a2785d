/** What is asked all day goes by the indexes, also when its plans were made while the tables were empty. */
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { ownServer } from './own-server.ts'
import { ada, observation, sampleStore, step } from './sample-store.ts'

const server = ownServer()

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
