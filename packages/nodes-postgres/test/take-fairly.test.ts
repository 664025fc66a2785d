/** Where several partitions wait, one statement claims what the pure rule of fairness would pick, however it was guessed. */
import type { NodeStore } from '@agentm/nodes'
import { fairPick } from '@agentm/nodes/store-kit'
import fc from 'fast-check'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { ownPostgres } from '../../../tools/own-postgres.mjs'
import { ada, sampleStore, step } from './sample-store.ts'

const server = ownPostgres()

async function addReady({ log }: NodeStore, partition: string, ids: readonly string[], owner = 'ada'): Promise<void> {
  const drafts = ids.flatMap((id) => [step(id), { ...step(id, { status: 'ready' }), update: true }])
  if (ids.length > 0) await log.append(drafts, { ...ada, owner, partition })
}

async function taker({ work }: NodeStore, owner = 'ada') {
  const { id: session } = await work.openSession({ actor: 'worker', leaseMs: 600_000 })
  return async (k: number, perPartition = 100) => {
    const scope = { owners: [owner], concepts: ['v1:sample:step'], actor: 'worker', kinds: ['plain'] }
    const heads = await work.take({ session, ...scope, k, perPartition })
    return heads.map(({ partition, id }) => ({ partition, id: id.split(':').at(-1) ?? '' }))
  }
}

test('steps of many partitions are taken by one statement each, in fair order', async () => {
  const client = new pg.Client({ connectionString: server().url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('create database fairly')
  await client.query(`alter database fairly set log_statement = 'all'`)
  const url = server().url.replace('/postgres?', '/fairly?')
  const store = await sampleStore(server(), { url, schema: 'fairly' })
  const names = Array.from({ length: 40 }, (_, i) => `p${String(i).padStart(2, '0')}`)
  await addReady(
    store,
    'much',
    Array.from({ length: 100 }, (_, i) => `much-${i}`),
  )
  for (const name of names) await addReady(store, name, [`${name}-a`, `${name}-b`])
  const take = await taker(store)
  const first = await take(4)
  const before = statements()
  const taken = [...first]
  for (let i = 0; i < 10; i++) taken.push(...(await take(4)))
  expect(statements() - before).toBe(10)
  // Everybody's first before anybody's second.
  expect(taken.slice(0, 41).map(({ partition }) => partition)).toEqual(['much', ...names])
  expect(taken.slice(41).map(({ id }) => id)).toEqual(['much-1', 'p00-b', 'p01-b'])
  expect((await store.log.check()).problems).toEqual([])
})

function statements(): number {
  const sent = /^fairly LOG: {2}(?:execute|statement)/
  const aside = /pg_notify|from "fairly"\.sessions/
  return server()
    .logged()
    .filter((line) => sent.test(line) && !aside.test(line)).length
}

test('a partition that appears among those that are known ahead gets its turn at once', async () => {
  const store = await sampleStore(server())
  for (const name of ['a', 'b', 'd']) await addReady(store, name, [`${name}1`, `${name}2`, `${name}3`])
  const take = await taker(store)
  expect((await take(3)).map(({ id }) => id)).toEqual(['a1', 'b1', 'd1'])
  expect((await take(1)).map(({ id }) => id)).toEqual(['a2'])
  await addReady(store, 'c', ['c1'])
  // The guess was right of `b2`; behind it comes who was not there before.
  const taken = [...(await take(3)), ...(await take(3)), ...(await take(3))].map(({ id }) => id)
  expect(taken.slice(0, 3)).toEqual(['b2', 'c1', 'd2'])
  expect(taken).toHaveLength(6)
})

test('whatever waits, is done and comes along, takes are those of the pure rule', async () => {
  const store = await sampleStore(server())
  const wave = fc.record({
    arrive: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 5, maxLength: 5 }),
    finish: fc.nat({ max: 4 }),
    k: fc.integer({ min: 1, max: 6 }),
  })
  let run = 0
  let clock = 0
  await fc.assert(
    fc.asyncProperty(fc.array(wave, { minLength: 2, maxLength: 8 }), async (waves) => {
      run += 1
      const owner = `owner${run}`
      const take = await taker(store, owner)
      const queues: Queue[] = [0, 1, 2, 3, 4].map((i) => ({ partition: `${run}-${i}`, virtualTime: 0, ids: [] }))
      const running: Taken[] = []
      for (const [n, { arrive, finish, k }] of waves.entries()) {
        for (const [i, { partition, ids }] of queues.entries()) {
          const more = Array.from({ length: arrive[i] ?? 0 }, (_, j) => `${partition}-${n}-${j}`)
          await addReady(store, partition, more, owner)
          ids.push(...more)
        }
        for (const { id, partition } of running.splice(0, finish))
          await store.log.append([{ ...step(id, { status: 'done' }), update: true }], { ...ada, owner, partition })
        const picked = pick(queues, running, { k, perPartition, clock })
        clock = picked.clock
        // Where a guess was right of the first ones only, those are what one take gives.
        const taken: Taken[] = []
        let more: readonly Taken[]
        do taken.push(...(more = await take(k - taken.length, perPartition)))
        while (more.length > 0 && taken.length < k)
        expect(taken.map(({ id }) => id).toSorted()).toEqual(picked.ids.toSorted())
        running.push(...taken)
      }
    }),
    { numRuns: 25 },
  )
}, 60_000)

const perPartition = 3

interface Queue {
  readonly partition: string
  readonly ids: string[]
  virtualTime: number
}

interface Taken {
  readonly partition: string
  readonly id: string
}

/** By the pure rule; what is picked is gone from the queues. */
function pick(queues: readonly Queue[], running: readonly Taken[], options: Parameters<typeof fairPick>[1]) {
  const standing = queues.map((queue) => ({
    ...queue,
    ready: queue.ids.length,
    running: running.filter(({ partition }) => partition === queue.partition).length,
  }))
  const { picks, clock } = fairPick(standing, options)
  const ids = picks.flatMap(({ partition, count, virtualTime }) => {
    const queue = queues.find((each) => each.partition === partition)
    if (queue === undefined) throw new TypeError(`${partition} was picked and did not wait`)
    queue.virtualTime = virtualTime
    return queue.ids.splice(0, count)
  })
  return { ids, clock }
}
