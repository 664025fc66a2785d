import type { FeedEvent, NodeLog } from '@agentm/nodes'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { ada, observation, sampleStore } from './sample-store.ts'
import { ownPostgres } from '../../../tools/own-postgres.mjs'

const server = ownPostgres()

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
  await expect.poll(() => contents(events)).toEqual(['first'])
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

test('several feeds share one question about what an append of theirs made new', async () => {
  const counter = await connection()
  await counter.query('create database shared')
  await counter.query(`alter database shared set log_statement = 'all'`)
  const url = server().url.replace('/postgres?', '/shared?')
  const { log } = await sampleStore(server(), { url, schema: 'shared' })
  const events = [following(log, 0), following(log, 0)]
  await log.append([observation('warm')], ada)
  await expect.poll(() => events.map((each) => each.length)).toEqual([1, 1])
  await soon(300)
  const before = asked('shared', / from "shared"\.nodes /)
  const began = performance.now()
  for (let i = 0; i < 20; i++) {
    await log.append([observation(`n${i}`)], ada)
    await expect.poll(() => events.map((each) => each.length), { interval: 1 }).toEqual([i + 2, i + 2])
  }
  const looks = asked('shared', / from "shared"\.nodes /) - before
  expect(looks).toBeGreaterThanOrEqual(20)
  // One for each append most often; one that began before the append was announced, and the clock, ask once more.
  expect(looks).toBeLessThanOrEqual(40 + Math.ceil((performance.now() - began) / 1000))
})

test('feeds for different owners and concepts each get their own from one look', async () => {
  const { log } = await sampleStore(server())
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const wanted = [
    { owner: 'ada' },
    { owner: 'bob' },
    { owner: ['ada', 'bob'], concepts: ['v1:sample:item'] },
    { owner: ['ada', 'bob'], concepts: ['v1:sample:observation'] },
  ]
  const got = wanted.map((): string[] => [])
  wanted.forEach((options, i) => {
    void (async () => {
      for await (const { node } of log.feed({ ...options, after: 0, signal: stop.signal }))
        got[i]?.push(`${node.owner} ${String(node.payload['content'])}`)
    })()
  })
  await soon(50)
  await log.append([observation('one')], ada)
  await log.append([observation('two')], { ...ada, owner: 'bob' })
  await log.append([observation('three')], ada)
  const all = ['ada one', 'bob two', 'ada three']
  await expect.poll(() => got).toEqual([['ada one', 'ada three'], ['bob two'], [], all])
})

function statements(): number {
  return asked('idle', /^/)
}

function asked(database: string, what: RegExp): number {
  return server()
    .logged()
    .filter((line) => line.startsWith(`${database} LOG:  `) && /: {2}(?:execute|statement)/.test(line))
    .filter((line) => what.test(line)).length
}
