/**
 * One recall: the nearest, the best by words and the newest are candidates, scored here, and the threshold certificate says
 * whether anything else could matter. Where it does not hold the lists grow. The server compares few vectors one by one, which is
 * exact. For many it uses its HNSW index, which may miss one, and the certificate does not notice that. Vectors the server
 * cannot compare are scanned in this process.
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
import { ceilingOutside, isCertified, type RecallArguments, scopeWeights } from '@agentm/nodes/store-kit'
import type { KnownEmbedder } from './embedders.ts'
import { heaviest, presentConcepts, weightedConcepts } from './pure/heaviest.ts'
import { lexemeQuery } from './pure/lexemes.ts'
import { type Candidate, type ListsRow, type Nearest, recallStatement } from './pure/recall-statement.ts'
import { hitOf, type HitRow, hitStatement } from './recall-hits.ts'
import type { StoreContext } from './store-context.ts'
import { unitOf, type VectorCache } from './vector-cache.ts'

/** A recall with everything looked up that ranking needs. */
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
  /** The most that what is in no list can score by similarity and time; asked for with how each concept ages. */
  readonly bound: (lists: ListsRow, names: readonly string[]) => number | undefined
  readonly learn?: (rows: readonly Candidate[]) => void
}

interface Scored {
  readonly key: number
  readonly signals: Pick<RecallHit, 'similarity' | 'lexical' | 'recency' | 'score'>
}

/** Where each list is bounded for itself, as those of the index are, they have to be long. */
const firstSize = { index: 512, other: 64 }
/** The index looks at no more candidates than this at once. */
const mostByIndex = 1024
/** Beyond so many changes since the copy was read, reading them with every question costs more than reading them once. */
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

/** What is farther than the end of the index's list and older than the newest is bounded by both. */
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
      // An index that gave up before the list was full says nothing about what it did not reach.
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
  // By status or time, the statement may leave out what is there; that says nothing about the copy.
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

/** The `k` highest. Numbers alone are sorted in a fraction of the time, and there may be a thousand. */
function bestScores(scored: readonly Scored[], k: number): readonly number[] {
  const sorted = Float64Array.from(scored, ({ signals }) => signals.score).toSorted()
  return Array.from(sorted.slice(-k)).toReversed()
}

/** The most that anything outside the lists can score; nothing when there is no such thing. */
function ceilingOf(
  { concepts }: StoreContext,
  { asked, query, at, vector }: RecallQuestion,
  { lists, size, found }: { readonly lists: ListsRow; readonly size: number; readonly found: Found },
): number | undefined {
  const names = presentConcepts(weightedConcepts(asked, concepts, query.weights), concepts, lists.present)
  const most = heaviest(asked, names)
  const best = lists.lex_best ?? 0
  const isAllNewest = lists.newest_count < size || (vector !== undefined && lists.pending === 0)
  const ends = {
    vector: found.bound(lists, names),
    lexical: best > 0 && lists.lex_count >= size ? (lists.lex_end ?? 0) / best : 0,
    recency: isAllNewest ? undefined : recency(lists.newest_end ?? 0, at, most.halfLife),
  }
  return ceilingOutside(ends, most)
}

/** Contents come for the hits alone, and for those that score as much as the last: newer ones of them go first. */
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
