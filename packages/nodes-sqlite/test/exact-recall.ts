/** Recall against brute force: every node of a generated store scored in JavaScript, words taken straight from the index. */
import { seededRandom } from '@agentm/conformance/logs'
import {
  byRank,
  defineConcept,
  type Draft,
  dot,
  type RecallQuery,
  recallScore,
  recency,
  unitVector,
} from '@agentm/nodes'
import { lexicalTerms } from '@agentm/nodes/store-kit'
import { expect } from 'vitest'
import { z } from 'zod'
import { loadSqlite } from '../src/load-sqlite.ts'
import { openStore, ownDirectory } from './open-store.ts'

const at = 1_700_000_000_000
const vocabulary = 'lamp green attic broken fuse ladder socket dim warm switch cable bulb'.split(' ')
const embedder = 'exact/6'
const partitions = ['attic', 'cellar']

const schema = z.object({ text: z.string(), status: z.enum(['active', 'old']), from: z.number().optional() })

/** One concept ages from its newest version, the other from a time of its own, which only the head has. */
const concepts = [
  defineConcept({ name: 'v1:exact:note', schema, recallable: { text: ({ text }) => text, active: ['active'] } }),
  defineConcept({
    name: 'v1:exact:letter',
    schema,
    recallable: {
      text: ({ text }) => text,
      active: ['active'],
      agesFrom: ({ from }, { createdAt }) => from ?? createdAt,
    },
  }),
]

interface Item {
  readonly id: string
  readonly concept: string
  readonly partition: string
  readonly text: string
  readonly createdAt: number
  readonly active: boolean
  readonly agesFrom: number | undefined
  readonly vector: readonly number[] | undefined
}

/** So many stores, each an owner with nodes of its own, asked `questions` times each. */
export async function compareWithBruteForce({
  stores,
  seed,
  questions,
}: {
  stores: number
  seed: number
  questions: number
}) {
  const random = seededRandom(seed)
  let now = at
  const store = await openStore(ownDirectory(), { recallDepth: 2, concepts, runtime: { now: () => now } })
  const { DatabaseSync } = await loadSqlite()
  const database = new DatabaseSync(store.path)
  let widened = 0
  for (let i = 0; i < stores; i++) {
    const owner = `owner${i}`
    const items = randomItems(random, owner)
    for (const time of new Set(items.map(({ createdAt }) => createdAt)))
      for (const partition of partitions) {
        now = time
        const drafts = items.filter((item) => item.createdAt === time && item.partition === partition).map(draftOf)
        if (drafts.length > 0) await store.log.append(drafts, { owner, actor: 'test', partition, durability: 'normal' })
      }
    for (let q = 0; q < questions; q++) {
      const query = randomQuestion(random, owner)
      const answer = await store.recall.recall(query)
      const wanted = bruteForce(items, query, matches(database, query.text))
      expect(answer.certified).toBe(true)
      expect(answer.hits.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id))
      answer.hits.forEach(({ score }, n) => expect(score).toBeCloseTo(wanted[n]?.score ?? Number.NaN, 5))
      widened += answer.widened
    }
  }
  database.close()
  return { widened }
}

function matches(
  database: { prepare(sql: string): { all(...values: string[]): unknown[] } },
  text: string,
): ReadonlyMap<string, number> {
  const match = lexicalTerms(text)
    .map((phrase) => `"${phrase.join(' ')}"`)
    .join(' OR ')
  const rows = database
    .prepare(
      'select r.id as id, -words.rank as raw from words join recall r on r.key = words.rowid where words match ?',
    )
    .all(match) as { id: string; raw: number }[]
  return new Map(rows.map(({ id, raw }) => [id, raw]))
}

function bruteForce(items: readonly Item[], query: RecallQuery & { k: number }, words: ReadonlyMap<string, number>) {
  const scope = items.filter(
    ({ concept, partition, createdAt, active }) =>
      active &&
      (query.concepts?.includes(concept) ?? true) &&
      (query.partitions?.includes(partition) ?? true) &&
      (query.window === undefined || query.window === 0 || createdAt >= at - query.window * 1000),
  )
  const best = Math.max(0, ...scope.map(({ id }) => words.get(id) ?? 0))
  const weights = { wSem: 0.7, wLex: 0, wRec: 0.3, halfLife: 3600, ...query }
  const question = query.vector === undefined ? undefined : unitVector(query.vector.values)
  return scope
    .map(({ id, createdAt, agesFrom = createdAt, vector }) => {
      const similarity = vector === undefined || question === undefined ? undefined : dot(unitVector(vector), question)
      const lexical = best === 0 ? 0 : (words.get(id) ?? 0) / best
      const signals = { similarity, lexical, recency: recency(agesFrom, at, weights.halfLife) }
      return { id, createdAt, score: recallScore(signals, weights) }
    })
    .toSorted(byRank)
    .slice(0, query.k)
}

/** Written at a few times, so that few appends write many. */
function randomItems(random: () => number, owner: string): readonly Item[] {
  const times = Array.from({ length: 4 }, () => at - Math.floor(random() * 2e7))
  return Array.from({ length: 5 + Math.floor(random() * 60) }, (_, n) => {
    const concept = random() < 0.5 ? 'v1:exact:note' : 'v1:exact:letter'
    const createdAt = times[Math.floor(random() * 4)] ?? at
    return {
      id: `${concept}:${owner}-${n}`,
      concept,
      partition: random() < 0.5 ? 'attic' : 'cellar',
      text: Array.from({ length: 1 + random() * 9 }, () => vocabulary[Math.floor(random() ** 2 * 12)]).join(' '),
      createdAt,
      active: random() < 0.9,
      agesFrom: concept === 'v1:exact:letter' ? createdAt + Math.floor((random() - 0.5) * 3e7) : undefined,
      vector: random() < 0.75 ? randomVector(random) : undefined,
    }
  })
}

function draftOf({ id, concept, text, active, agesFrom, vector }: Item): Draft {
  const payload = { text, status: active ? 'active' : 'old', ...(agesFrom !== undefined && { from: agesFrom }) }
  return { id, concept, payload, mutation: 'write', ...(vector && { vector: { embedder, values: vector } }) }
}

function randomQuestion(random: () => number, owner: string): RecallQuery & { k: number } {
  return {
    owner,
    at,
    text: Array.from({ length: 1 + random() * 4 }, () => vocabulary[Math.floor(random() * 12)]).join(' '),
    k: 1 + Math.floor(random() * 8),
    wSem: random() < 0.2 ? 0 : random(),
    wLex: random() < 0.3 ? 0 : random(),
    wRec: random() < 0.2 ? 0 : random(),
    halfLife: 10 ** (1 + random() * 5),
    ...(random() < 0.8 ? { vector: { embedder, values: randomVector(random) } } : {}),
    ...(random() < 0.3 ? { concepts: ['v1:exact:note'] } : {}),
    ...(random() < 0.3 ? { partitions: ['attic'] } : {}),
    ...(random() < 0.3 ? { window: Math.floor(random() * 20_000) } : {}),
  }
}

/** Clustered, so that there are near ties. */
function randomVector(random: () => number): readonly number[] {
  const centre = Math.floor(random() * 4)
  return Array.from({ length: 6 }, (_, i) => (i === centre ? 2 : 0) + random() - 0.5)
}
