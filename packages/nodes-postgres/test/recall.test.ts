import { createInMemoryStore, sampleConcepts, sampleObservation, seededRandom } from '@agentm/conformance/logs'
import type { Draft, NodeStore, RecallQuery } from '@agentm/nodes'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { ownPostgres } from '../../../tools/own-postgres.mjs'
import { ada, belief, observation, sampleStore } from './sample-store.ts'

const server = ownPostgres()
const at = 1_700_000_000_000
const embedder = 'random'
let now = at
const runtime = { now: () => now }
const inMemory = () => createInMemoryStore({ concepts: sampleConcepts, runtime })

/** Observations and beliefs, in five partitions. */
function vectorDrafts(random: () => number, count: number, dimensions: number): Draft[] {
  return Array.from({ length: count }, (_, i) => {
    const [content, values] = [`item ${i % 17} of ${i % 7}`, vectorOf(random, dimensions)]
    return i % 3 === 0
      ? { ...observation(content, `n${i}`), vector: { embedder, values } }
      : belief(`n${i}`, { content, values, from: at - Math.floor(random() * 3e9) })
  })
}

/** Writes each partition at its own time, to stores whose clock is `now`. */
async function write(stores: readonly NodeStore[], drafts: readonly Draft[], random: () => number): Promise<void> {
  for (let part = 0; part < 5; part++) {
    now = at - Math.floor(random() * 3e9)
    const own = drafts.filter(({ id }) => Number(id?.slice(1)) % 5 === part)
    for (const { log } of stores) if (own.length > 0) await log.append(own, { ...ada, partition: `p${part}` })
  }
}

function vectorOf(random: () => number, dimensions: number): number[] {
  return Array.from({ length: dimensions }, () => random() - 0.5)
}

function queries(random: () => number, count: number, dimensions: number): RecallQuery[] {
  return Array.from({ length: count }, (_, i) => ({
    owner: 'ada',
    at,
    k: 1 + Math.floor(random() * 10),
    text: `item ${i % 17}`,
    vector: { embedder, values: vectorOf(random, dimensions) },
    wSem: random(),
    wLex: 0,
    wRec: random(),
    halfLife: 10 ** (3 + random() * 4),
    ...(random() < 0.3 ? { partitions: ['p1', 'p2'] } : {}),
    ...(random() < 0.3 ? { concepts: [sampleObservation.name] } : {}),
    ...(random() < 0.3 ? { window: 2_000_000 } : {}),
  }))
}

/** What a recall says, up to rounding. Where every item has a vector, words, which each store weighs its own way, play no part. */
async function said({ recall }: NodeStore, query: RecallQuery) {
  const { certified, pending, hits } = await recall.recall(query)
  return { certified, pending, scores: hits.map(({ score }) => score.toFixed(4)) }
}

test.for(['scan', 'auto'] as const)('recall with vectors by %s gives what brute force gives', async (vectors) => {
  const random = seededRandom(5)
  const [store, brute] = [await sampleStore(server(), { vectors, runtime }), inMemory()]
  await write([store, brute], vectorDrafts(random, 400, 24), random)
  for (const query of queries(random, 25, 24)) expect(await said(store, query)).toEqual(await said(brute, query))
})

test('a scan sees what others appended, changed and emptied since its copy was read', async () => {
  const random = seededRandom(6)
  const options = { schema: server().newSchema(), vectors: 'scan', runtime } as const
  const [store, other, brute] = [await sampleStore(server(), options), await sampleStore(server(), options), inMemory()]
  const drafts = vectorDrafts(random, 300, 16)
  await write([other, brute], drafts, random)
  for (const query of queries(random, 20, 16)) {
    expect(await said(store, query)).toEqual(await said(brute, query))
    const changed = drafts.flatMap(({ id = '', concept }) => {
      const [chance, values] = [random(), vectorOf(random, 16)]
      if (chance >= 0.12) return []
      const content = chance < 0.1 ? `changed ${chance}` : ''
      const status = random() < 0.8 ? 'active' : 'pruned'
      return concept === sampleObservation.name
        ? [{ ...observation(content, id), ...(content !== '' && { vector: { embedder, values } }) }]
        : [belief(id, { content, from: at, status, ...(content !== '' && { values }) })]
    })
    await write([other, brute], changed, random)
  }
})

test('a scan does not miss a vector whose transaction was open when its copy was read', async () => {
  const schema = server().newSchema()
  const store = await sampleStore(server(), { schema, vectors: 'scan' })
  await store.log.append([{ ...observation('early', 'early'), vector: { embedder, values: [1, 0] } }], ada)
  const late = new pg.Client({ connectionString: server().url })
  await late.connect()
  onTestFinished(() => late.end())
  await late.query('begin')
  await late.query(`update ${schema}.items set text = text, changed_in = pg_current_xact_id()`)
  await late.query(`update ${schema}.vectors set quantized = '\\x007f', unit = '\\x000000000000803f'`)
  const ask = async (values: number[]) => {
    const { hits } = await store.recall.recall({
      owner: 'ada',
      text: 'early',
      vector: { embedder, values },
      at,
      wRec: 0,
    })
    return hits[0]?.similarity?.toFixed(3)
  }
  expect(await ask([1, 0])).toBe('1.000')
  await late.query('commit')
  expect([await ask([1, 0]), await ask([0, 1])]).toEqual(['0.000', '1.000'])
})

test('large texts come with the hits, whole', async () => {
  const store = await sampleStore(server(), { vectors: 'scan' })
  const content = Array.from({ length: 20_000 }, (_, i) => `word${i}`).join(' ')
  await store.log.append([observation(content, 'large'), observation('word1', 'small')], ada)
  const { hits } = await store.recall.recall({ owner: 'ada', text: 'word19999' })
  expect(hits.map(({ text, payload }) => [text.length, payload['content'] === text])).toContainEqual([
    content.length,
    true,
  ])
})

test('words are found in identifiers, file names, and scripts without spaces', async () => {
  const store = await sampleStore(server())
  await store.log.append(
    [
      observation('see packages/nodes-postgres/src/LogWriter.ts at v1.2.3', 'a'),
      observation('東京の天気は晴れ', 'b'),
      observation("it's ÉCLAIR\\back", 'c'),
    ],
    ada,
  )
  const found = async (text: string) => {
    const { hits } = await store.recall.recall({ owner: 'ada', text })
    return hits.filter(({ lexical }) => lexical > 0).map(({ id }) => id.slice(-1))
  }
  expect(await Promise.all(['writer', 'postgres', '東京', 'éclair', 'back', "o'neil"].map(found))).toEqual([
    ['a'],
    ['a'],
    ['b'],
    ['c'],
    ['c'],
    [],
  ])
})

test('vectors of more dimensions than a page holds are scanned in this process', async () => {
  const store = await sampleStore(server())
  const values = Array.from({ length: 3000 }, (_, i) => (i === 7 ? 1 : 0.001))
  await store.log.append([{ ...observation('wide', 'wide'), vector: { embedder: 'wide', values } }], ada)
  const { hits } = await store.recall.recall({ owner: 'ada', text: 'wide', vector: { embedder: 'wide', values } })
  expect(hits[0]?.similarity).toBeCloseTo(1, 4)
})

test.for(['scan', 'auto'] as const)(
  'a vector by %s goes when the node it belongs to goes or is found no more',
  async (vectors) => {
    const schema = server().newSchema()
    const store = await sampleStore(server(), { schema, vectors })
    const vector = { embedder, values: [1, 2, 3] }
    const [alone] = await store.log.append([{ ...observation('one', 'a'), vector }], ada)
    await store.log.append(
      ['b', 'c'].map((id) => ({ ...observation(id, id), vector })),
      ada,
    )
    await store.log.append([{ ...observation('d', 'd'), vector }], ada)
    const client = new pg.Client({ connectionString: server().url })
    await client.connect()
    onTestFinished(() => client.end())
    const kept = async () => Number((await client.query(`select count(*) from ${schema}.vectors`)).rows[0]?.count)
    expect(await kept()).toBe(4)
    await store.log.redact(alone?.id ?? '', ada)
    await store.log.append([observation('', 'd')], ada)
    expect(await kept()).toBe(2)
    const { hits } = await store.recall.recall({ owner: 'ada', text: 'b', vector })
    expect(hits.map(({ similarity }) => similarity?.toFixed(6))).toEqual(['1.000000', '1.000000'])
  },
)

test('a version that is found as before writes nothing to what recall keeps', async () => {
  const schema = server().newSchema()
  const { log, recall } = await sampleStore(server(), { schema, vectors: 'scan' })
  const client = new pg.Client({ connectionString: server().url })
  await client.connect()
  onTestFinished(() => client.end())
  const kept = async () =>
    (await client.query(`select i.*, i.xmin::text as written_by, i.ctid from ${schema}.items i`)).rows
  const plan = { concept: 'v1:sample:plan', id: 'p', mutation: 'move' }
  const vector = { embedder, values: [1, 0] }
  await log.append([{ ...plan, payload: { goal: 'light the attic' }, vector }], ada)
  const before = await kept()
  await log.append([{ ...plan, payload: { status: 'running' } }], ada)
  await log.append([{ ...plan, payload: { status: 'done' } }, observation('beside it')], ada)
  expect((await kept()).filter(({ version, text }) => version === 1 && text !== 'beside it')).toEqual(before)
  const found = async () => {
    const { hits } = await recall.recall({ owner: 'ada', text: 'attic', vector, k: 1 })
    return hits.map(({ version, status, similarity }) => [version, status, similarity])
  }
  expect(await found()).toEqual([[3, 'done', 1]])
  expect(await log.check()).toMatchObject({ ok: true })
  await log.rebuild()
  expect(await found()).toEqual([[3, 'done', 1]])
})
