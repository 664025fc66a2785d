import type { FeedEvent, NodeLog } from '@agentm/nodes'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { ada, observation, sampleStore } from './sample-store.ts'
import { ownServer } from './own-server.ts'

const server = ownServer()

async function connection(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server().url })
  await client.connect()
  onTestFinished(async () => client.end().catch(() => undefined))
  return client
}

/** Takes a sequence number in a transaction that is still open, as an append does whose commit is late. */
async function appendLate(client: pg.Client, schema: string, id: string): Promise<void> {
  await client.query('begin')
  await client.query('select pg_current_xact_id()')
  await client.query(
    `insert into ${schema}.nodes (partition, id, version, concept, owner, created_by, created_at, mutation, payload)
      values ('attic', $1, 1, 'v1:sample:observation', 'ada', 'late', 1, 'late', '{"content":"late"}')`,
    [`v1:sample:observation:${id}`],
  )
}

/** Follows in the background; the list grows as events come. */
function following(log: NodeLog, after?: number): FeedEvent[] {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const events: FeedEvent[] = []
  void (async () => {
    const from = after === undefined ? {} : { after }
    for await (const event of log.feed({ owner: 'ada', signal: stop.signal, ...from })) events.push(event)
  })()
  return events
}

const contents = (events: readonly FeedEvent[]) => events.map(({ node }) => node.payload['content'])
const soon = async (ms = 150) => new Promise((resolve) => setTimeout(resolve, ms))

test('a version whose transaction commits late comes in its place, before the ones that were visible first', async () => {
  const schema = server().newSchema()
  const { log } = await sampleStore(server(), { schema })
  await log.append([observation('first')], ada)
  const events = following(log, 0)
  const late = await connection()
  await appendLate(late, schema, 'late')
  await log.append([observation('after the gap')], ada)
  await soon()
  expect(contents(events)).toEqual(['first'])
  await late.query('commit')
  await expect.poll(() => contents(events)).toEqual(['first', 'late', 'after the gap'])
})

test('a gap that is never filled is passed when its transaction ends', async () => {
  const schema = server().newSchema()
  const { log } = await sampleStore(server(), { schema })
  const events = following(log, 0)
  const failing = await connection()
  await appendLate(failing, schema, 'never')
  await log.append([observation('after the gap')], ada)
  await soon()
  expect(contents(events)).toEqual([])
  await failing.query('rollback')
  await expect.poll(() => contents(events)).toEqual(['after the gap'])
})

test('a transaction that writes elsewhere for long holds nothing back while there is no gap', async () => {
  const { log } = await sampleStore(server())
  const events = following(log, 0)
  const busy = await connection()
  await busy.query('begin')
  await busy.query('select pg_current_xact_id()')
  await log.append([observation('one')], ada)
  await log.append([observation('two')], ada)
  await expect.poll(() => contents(events)).toEqual(['one', 'two'])
})

test('the position never lies behind a version that may still appear', async () => {
  const schema = server().newSchema()
  const { log } = await sampleStore(server(), { schema })
  await log.append([observation('first')], ada)
  const late = await connection()
  await appendLate(late, schema, 'late')
  await log.append([observation('after the gap')], ada)
  const position = await log.position()
  await late.query('commit')
  const events = following(log, position)
  await expect.poll(() => contents(events)).toEqual(['late', 'after the gap'])
})

test('idle feeds cost at most about one statement a second, and wake when something happens', async () => {
  const counter = await connection()
  await counter.query('create database idle')
  await counter.query(`alter database idle set log_statement = 'all'`)
  const url = server().url.replace('/postgres?', '/idle?')
  const { log } = await sampleStore(server(), { url, schema: 'idle' })
  const other = await sampleStore(server(), { url, schema: 'idle' })
  const events = [following(log), following(log)]
  await soon(300)
  const before = statements()
  const began = performance.now()
  await soon(3000)
  expect(statements() - before).toBeGreaterThan(0)
  expect(statements() - before).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - began) / 1000))
  await other.log.append([observation('from elsewhere')], ada)
  await expect
    .poll(() => events.map((each) => contents(each)), { interval: 2 })
    .toEqual([['from elsewhere'], ['from elsewhere']])
})

function statements(): number {
  return server()
    .logged()
    .filter((line) => /^idle LOG: {2}(?:execute|statement)/.test(line)).length
}
