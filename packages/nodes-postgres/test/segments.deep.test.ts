/** Packed vectors: what a cold process reads first, and never the last word. */
import { seededRandom } from '@agentm/conformance/logs'
import type { Draft, NodeStore } from '@agentm/nodes'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { ownPostgres } from '../../../tools/own-postgres.mjs'
import { ada, belief, observation, sampleStore } from './sample-store.ts'

const server = ownPostgres()
const at = 1_700_000_000_000
const embedder = 'random'
const dimensions = 8

const random = seededRandom(11)
const vectorValues = () => ({ values: Array.from({ length: dimensions }, () => random() - 0.5) })
const vectorOf = () => ({ embedder, ...vectorValues() })

const idOf = (name: string) => `v1:sample:belief:${name}`

function drafts(count: number): Draft[] {
  return Array.from({ length: count }, (_, i) => belief(`n${i}`, { content: `item ${i}`, from: at, ...vectorValues() }))
}

const query = { owner: 'ada', at, k: 5, text: 'zebra', vector: vectorOf(), wSem: 1, wLex: 0, wRec: 0 }

/** A store of a process that has read nothing yet. */
async function cold(schema: string): Promise<NodeStore> {
  return sampleStore(server(), { schema, vectors: 'scan' })
}

async function found(store: NodeStore) {
  const { certified, hits } = await store.recall.recall(query)
  expect(certified).toBe(true)
  return hits.map(({ id, similarity }) => `${id} ${similarity?.toFixed(5) ?? ''}`)
}

async function client(): Promise<pg.Client> {
  const connected = new pg.Client({ connectionString: server().url })
  await connected.connect()
  onTestFinished(() => connected.end())
  return connected
}

test('who reads many vectors packs them, and a cold process answers from what is packed and what changed since', async () => {
  const schema = server().newSchema()
  const names = Array.from({ length: 4500 }, (_, i) => `n${i}`)
  const first = await cold(schema)
  await first.log.append(drafts(4500), ada)
  const before = await found(first)
  await first.close()
  const asked = await client()
  const packed = async () => {
    const { rows } = await asked.query(
      `select coalesce(sum(rows), 0)::int as rows, count(*)::int as count from ${schema}.segments`,
    )
    return rows[0]
  }
  expect(await packed()).toEqual({ rows: 4500, count: 5 })
  expect(await found(await cold(schema))).toEqual(before)

  const best = names.find((name) => idOf(name) === before[0]?.split(' ')[0])
  const far = names.find((name) => !before.some((each) => each.startsWith(`${idOf(name)} `)))
  if (best === undefined || far === undefined) throw new TypeError('something was found, and something was not')
  const { log } = await cold(schema)
  const near = { content: 'now the nearest', from: at, values: query.vector.values }
  await log.append([belief(best, { content: '', from: at }), belief(far, near), belief('new', near)], ada)
  const after = ['new', far].map((name) => `${idOf(name)} 1.00000`).toSorted()
  const answers = await found(await cold(schema))
  expect(answers.slice(0, 2).toSorted()).toEqual(after)
  expect(answers.slice(2)).toEqual(before.slice(1, 4))
  // Packed vectors do not make the damaged whole: without them the same is found.
  await asked.query(`delete from ${schema}.segments`)
  expect(await found(await cold(schema))).toEqual(answers)
})

test('what is redacted, and what is built anew, is packed nowhere', async () => {
  const schema = server().newSchema()
  const store = await cold(schema)
  await store.log.append(drafts(4200), ada)
  const [node] = await store.log.append([{ ...observation('a secret', 's'), vector: vectorOf() }], ada)
  await found(store)
  await store.close()
  const asked = await client()
  const count = async () => (await asked.query(`select count(*)::int as count from ${schema}.segments`)).rows[0]
  expect(await count()).toEqual({ count: 5 })
  const second = await cold(schema)
  await second.log.redact(node?.id ?? '', ada)
  expect(await count()).toEqual({ count: 0 })
  expect(await found(second)).toHaveLength(5)
  await second.close()
  expect(await count()).toEqual({ count: 5 })
  await (await cold(schema)).log.rebuild()
  expect(await count()).toEqual({ count: 0 })
})

test('packing waits for nobody and keeps nobody from an answer', async () => {
  const schema = server().newSchema()
  const store = await cold(schema)
  await store.log.append(drafts(4200), ada)
  const other = await client()
  await other.query('begin')
  await other.query(`select from ${schema}.packing for update`)
  expect(await found(store)).toHaveLength(5)
  await store.close()
  await other.query('commit')
  const { rows } = await other.query(`select count(*)::int as count from ${schema}.segments`)
  expect(rows).toEqual([{ count: 0 }])
})
