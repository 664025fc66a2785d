import { createInMemoryStore, sampleConcepts, seededRandom } from '@agentm/conformance/logs'
import type { Draft, NodeStore } from '@agentm/nodes'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { ownPostgres } from '../../../tools/own-postgres.mjs'
import { ada, belief, sampleStore } from './sample-store.ts'

const server = ownPostgres()
const at = 1_700_000_000_000
const dimensions = 64

test('beyond 10,000 vectors an index is built in the background, and its certified answers are brute force’s', async ({
  skip,
}) => {
  if (!server().hasVectors) skip('this server has no pgvector')
  const random = seededRandom(9)
  // Around common centres, as the vectors of texts lie; at random in so many dimensions, nothing is near anything.
  const centres = Array.from({ length: 200 }, () => Array.from({ length: dimensions }, () => random() - 0.5))
  const around = () => (centres[Math.floor(random() * 200)] ?? []).map((value) => value + (random() - 0.5) * 0.4)
  const draftOf = (name: string): Draft =>
    belief(name, { content: 'same', from: at - Math.floor(random() * 1e10), values: around() })
  const schema = server().newSchema()
  const store = await sampleStore(server(), { schema })
  const brute = createInMemoryStore({ concepts: sampleConcepts })
  await write(
    [store, brute],
    Array.from({ length: 15_000 }, (_, i) => draftOf(`n${i}`)),
  )
  const client = new pg.Client({ connectionString: server().url })
  await client.connect()
  onTestFinished(() => client.end())
  const query = () => ({
    owner: 'ada',
    text: 'nothing',
    at,
    vector: { embedder: 'random', values: around() },
    wLex: 0,
    halfLife: 1e6,
  })
  await store.recall.recall(query())
  const ready = async () => {
    const { rows } = await client.query(`select indisvalid from pg_index where indexrelid = to_regclass($1)`, [
      `${schema}.vectors_nearest_1`,
    ])
    return rows[0]?.indisvalid
  }
  await expect.poll(ready, { timeout: 60_000 }).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, 1200))
  const rounds = 40
  const compared = async () => {
    let same = 0
    for (let round = 0; round < rounds; round++) {
      const asked = { ...query(), ...(round % 4 === 0 ? { partitions: ['p1'] } : {}) }
      const [ours, theirs] = [await store.recall.recall(asked), await brute.recall.recall(asked)]
      expect(ours.certified).toBe(true)
      const scores = [ours, theirs].map(({ hits }) => hits.map(({ score }) => score.toFixed(4)).join())
      if (scores[0] === scores[1]) same += 1
    }
    return same
  }
  // The certificate is as good as the index, which may miss one in a while.
  expect(await compared()).toBeGreaterThanOrEqual(rounds - 2)
  const used = async () => {
    await client.query('select pg_stat_clear_snapshot()')
    const { rows } = await client.query(
      `select idx_scan::int as used from pg_stat_user_indexes where indexrelname = 'vectors_nearest_1'`,
    )
    return rows[0]?.used
  }
  await expect.poll(used, { timeout: 15_000, interval: 500 }).toBeGreaterThan(10)

  const waiting = async () => {
    const { rows } = await client.query(`select count(*)::int as count from ${schema}.vectors where waits`)
    return rows[0]?.count
  }
  const later = Array.from({ length: 2500 }, (_, i) => draftOf(`m${i}`))
  const before = await waiting()
  await store.log.append(later, { ...ada, partition: 'p1' })
  expect(await waiting(), 'what is new waits beside the index').toBe(before + 2500)
  await brute.log.append(later, { ...ada, partition: 'p1' })
  expect(await compared()).toBeGreaterThanOrEqual(rounds - 2)
  await expect.poll(waiting, { timeout: 60_000, interval: 500 }).toBe(0)
  expect(await compared()).toBeGreaterThanOrEqual(rounds - 2)
})

/** A thousand at a time, in four partitions. */
async function write(stores: readonly NodeStore[], drafts: readonly Draft[]): Promise<void> {
  for (let from = 0; from < drafts.length; from += 1000)
    for (const { log } of stores)
      await log.append(drafts.slice(from, from + 1000), { ...ada, partition: `p${(from / 1000) % 4}` })
}
