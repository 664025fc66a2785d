/**
 * One recall. Candidates are the nearest items, the best by words, and the newest; they are scored here. The threshold certificate decides
 * whether any other item could be among the hits. If so, the lists grow. The server compares few vectors one by one, which is exact. For
 * many it uses its HNSW index, which may miss one without the certificate noticing. Vectors that the server cannot compare are scanned in
 * this process.
 */
import {
  byRank,
  dot,
  type RecallAnswer,
  type RecallHit,
  type RecallQuery,
  recallScore,
  type RecallWeights,
  recency,
} from '@agentm/nodes'
import { ceilingOutside, heaviest, isCertified, type RecallArguments, scopeWeights } from '@agentm/nodes/store-kit'
import type { KnownEmbedder } from './embedders.ts'
import { lexemeQuery } from './pure/lexemes.ts'
import { type Candidate, type ListsRow, type Nearest, recallStatement } from './pure/recall-statement.ts'
import { presentConcepts, weightedConcepts } from './pure/weighted-concepts.ts'
import { hitOf, type HitRow, hitStatement } from './recall-hits.ts'
import type { StoreContext } from './store-context.ts'
import { unitOf, type VectorCache } from './vector-cache.ts'

/** A recall with all values that ranking needs. */
export interface RecallQuestion {
  readonly query: RecallQuery
  readonly asked: RecallArguments
  readonly at: number
  readonly vector: Float32Array | undefined
  /** Absent when the store holds no vector of it. */
  readonly embedder: KnownEmbedder | undefined
}

interface Found {
  readonly nearest: Nearest
  /** The highest score by similarity and time that an item outside the lists can have, given how each concept ages. */
  readonly bound: (lists: ListsRow, names: readonly string[]) => number | undefined
  readonly learn?: (rows: readonly Candidate[]) => void
}

interface Scored {
  readonly key: number
  readonly signals: Pick<RecallHit, 'similarity' | 'lexical' | 'recency' | 'score'>
}

/** The initial size. With the index, lists must be long, because each list is bounded separately. */
const firstSize = { index: 512, other: 64 }
/** The index examines at most this many candidates per query. */
const mostByIndex = 1024
/** After this many changes the copy is reloaded, because reading the changes at each query would cost more. */
const changesBeforeSync = 256

export async function recallFrom(
  context: StoreContext,
  cache: VectorCache,
  question: RecallQuestion,
): Promise<RecallAnswer> {
  const { embedder, vector, asked, at } = question
  const isCompared = embedder !== undefined && embedder.dimensions <= context.embedders.type.dimensions
  const isIndexed = isCompared && (await context.near.isReady(embedder.id))
  let widened = 0
  for (const { size, byIndex } of attempts(asked.k, isIndexed)) {
    const found =
      isCompared && vector !== undefined
        ? foundByServer(context, question, { vector, size, by: byIndex ? 'index' : 'comparing' })
        : await foundByScan(context, cache, question, size)
    const { lists, candidates } = await listed(context, question, { nearest: found.nearest, size })
    found.learn?.(candidates)
    const scored = candidates.map(scoredBy(question, lists.lex_best ?? 0))
    const best = bestScores(scored, asked.k)
    if (isCertified(best, asked.k, ceilingOf(context, question, { lists, size, found })))
      return {
        hits: await hitsOf(context, asked.k, { scored, last: best[asked.k - 1] ?? -Infinity }),
        pending: vector === undefined ? 0 : lists.pending,
        certified: true,
        widened,
        at,
      }
    widened += 1
  }
  throw new TypeError('lists that hold everything are certain')
}

function* attempts(k: number, isIndexed: boolean): Generator<{ readonly size: number; readonly byIndex: boolean }> {
  if (isIndexed)
    for (let size = Math.max(firstSize.index, k); size <= mostByIndex; size *= 2) yield { size, byIndex: true }
  for (let size = Math.max(firstSize.other, 2 * k); ; size *= 4) yield { size, byIndex: false }
}

/** Bounds an item by both lists: it is farther than the end of the index's list and older than the end of the newest. */
function foundByServer(
  { embedders }: StoreContext,
  { asked, at }: RecallQuestion,
  { vector, size, by }: { readonly vector: Float32Array; readonly size: number; readonly by: 'index' | 'comparing' },
): Found {
  return {
    nearest: { by, type: embedders.type, vector },
    bound({ near_count, near_end, newest_count, newest_end }, names) {
      if (by === 'comparing') return near_count < size ? undefined : (near_end ?? undefined)
      if (newest_count < size) return undefined
      // If the index stopped before the list was full, there is no bound for the items it did not reach.
      if (near_count < size) return Infinity
      const most = names.map((name) => {
        const { wSem, wRec, halfLife } = asked.weightsOf(name)
        return wSem * (near_end ?? 0) + wRec * recency(newest_end ?? 0, at, halfLife)
      })
      return Math.max(...most)
    },
  }
}

async function foundByScan(
  { concepts }: StoreContext,
  cache: VectorCache,
  { asked, at, vector, embedder }: RecallQuestion,
  n: number,
): Promise<Found> {
  if (embedder === undefined || vector === undefined)
    return { nearest: { by: 'scan', keys: [], since: undefined }, bound: () => undefined }
  const cached = await cache.of(embedder)
  const weightsOf = (scope: Parameters<typeof scopeWeights>[1]) => scopeWeights(asked, scope, concepts)
  const { keys, bound } = cached.index.candidates(vector, { n, at, weightsOf })
  // With a filter by status or time, an absent row may only be filtered out, so the copy is not corrected.
  const isFiltered = asked.status !== undefined || asked.notBefore !== undefined
  return {
    nearest: { by: 'scan', keys, since: cached.since },
    bound: () => bound,
    learn: (rows) => cache.learn(cached, isFiltered ? [] : keys, rows, changesBeforeSync),
  }
}

async function listed(
  { database, concepts }: StoreContext,
  { asked, query, at, vector, embedder }: RecallQuestion,
  { nearest, size }: { readonly nearest: Nearest; readonly size: number },
) {
  const statement = recallStatement({
    schema: database.schema,
    concepts,
    asked,
    at,
    names: weightedConcepts(asked, concepts, query.weights),
    embedder: embedder?.id ?? 0,
    hasVector: vector !== undefined,
    words: lexemeQuery(query.text) ?? '',
    size,
    nearest,
  })
  const [lists] = await database.read<ListsRow>(statement)
  if (lists === undefined) throw new TypeError('a select without a table answers one row')
  const candidates: readonly Candidate[] = JSON.parse(lists.candidates ?? '[]')
  return { lists, candidates }
}

function scoredBy({ asked, at, vector }: RecallQuestion, best: number): (candidate: Candidate) => Scored {
  const known = new Map<string, RecallWeights>()
  return ([key, concept, agesFrom, similarity, unit, rank]) => {
    // Looked up once per concept, not once per candidate.
    const weights = known.get(concept) ?? asked.weightsOf(concept)
    known.set(concept, weights)
    const compared =
      unit === null || vector === undefined ? undefined : dot(unitOf(Buffer.from(unit, 'base64')), vector)
    const signals = {
      similarity: similarity ?? compared,
      lexical: best > 0 ? rank / best : 0,
      recency: recency(agesFrom, at, weights.halfLife),
    }
    return { key, signals: { ...signals, score: recallScore(signals, weights) } }
  }
}

/** The `k` highest scores. Plain numbers are sorted much faster, and there may be a thousand. */
function bestScores(scored: readonly Scored[], k: number): readonly number[] {
  const sorted = Float64Array.from(scored, ({ signals }) => signals.score).toSorted()
  return Array.from(sorted.slice(-k)).toReversed()
}

/** The highest score that an item outside the lists can have; `undefined` if there is none. */
function ceilingOf(
  { concepts }: StoreContext,
  { asked, query, at, vector }: RecallQuestion,
  { lists, size, found }: { readonly lists: ListsRow; readonly size: number; readonly found: Found },
): number | undefined {
  const names = presentConcepts(weightedConcepts(asked, concepts, query.weights), concepts, lists.present)
  const most = heaviest(names.map((name) => asked.weightsOf(name)))
  const best = lists.lex_best ?? 0
  const isAllNewest = lists.newest_count < size || (vector !== undefined && lists.pending === 0)
  const ends = {
    vector: found.bound(lists, names),
    lexical: best > 0 && lists.lex_count >= size ? (lists.lex_end ?? 0) / best : 0,
    recency: isAllNewest ? undefined : recency(lists.newest_end ?? 0, at, most.halfLife),
  }
  return ceilingOutside(ends, most)
}

/** Loads the content of the hits only, and of the items with the same score as the last hit, because the newer ones of them come first. */
async function hitsOf(
  { database }: StoreContext,
  k: number,
  { scored, last }: { readonly scored: readonly Scored[]; readonly last: number },
): Promise<readonly RecallHit[]> {
  const top = scored.filter(({ signals }) => signals.score >= last)
  if (top.length === 0) return []
  const keys = top.map(({ key }) => key)
  const rows = await database.read<HitRow>({ text: hitStatement(database.schema), values: [keys] })
  const rowOf = new Map(rows.map((row) => [row.key, row]))
  return top
    .flatMap(({ key, signals }) => {
      const row = rowOf.get(key)
      return row === undefined ? [] : [hitOf(row, signals)]
    })
    .toSorted(byRank)
    .slice(0, k)
}
