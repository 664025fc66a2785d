/**
 * Collects the candidates for a question from the stores: nodes by words, notes and nodes by meaning, or all by the recall formula
 * if weights were given. Notes that contain the words are found in the corpus instead, with the same terms that rank them.
 */
import {
  mergeHits,
  type RecallFilter,
  type RecallHit,
  type RecallQuery,
  type RecallStore,
  type RecallWeights,
  saturatedWeights,
} from '@agentm/nodes'
import type { MemoryContext } from '../memory-context.ts'
import { beliefReading, episodeReading } from '../nodes/node-readings.ts'
import { questionVector } from '../embedders/question-vector.ts'
import { noteConceptOf, noteOfItem, stretchConceptOf } from '../notes/pure/note-id.ts'
import { isRoutineEpisode } from './pure/routine.ts'
import type { MemoryKind, RecallRequest } from './recall-request.ts'

export interface Candidates {
  /** One hit per item: nodes that match by words, then items with a similar meaning. */
  readonly hits: readonly RecallHit[]
  /**
   * No other note has a higher similarity than this. Absent if the hits include every note, or if more than a few notes have no vector
   * yet.
   */
  readonly leastSimilarity?: number
  /** Ids of notes with texts that have no vector yet. */
  readonly withoutVector?: ReadonlySet<string>
  readonly pending: number
  /** Why the search by meaning was not possible. */
  readonly notice?: string
  /** The embedder that made the vector of the question, if there is one. */
  readonly embedder?: string
  /** Set if the recall formula decides the order. */
  readonly formula?: (of: MemoryKind) => RecallWeights
}

/** A query without words, for a search by vector alone. Items without a vector are found by their words elsewhere. */
const noWords = '·'
const byWords = 150
const byMeaning = 60
// A store does not know this filter, so many of its results may be dropped.
const mostFiltered = 1000

export async function findCandidates(
  context: MemoryContext,
  asked: { readonly request: RecallRequest; readonly partitions: readonly string[]; readonly at: number },
): Promise<Candidates> {
  const { request, at, partitions } = asked
  // The content of files is read from the files.
  const filter = { owner: context.owner, partitions, at, text: request.text, bare: true, ...optional(request) }
  const { vector, notice } = await questionVector(context, request.text)
  const ask = async (query: Partial<RecallQuery>, among?: Among) =>
    askStores(context, { ...request, among }, { ...filter, ...(vector === undefined ? {} : { vector }), ...query })
  const askMeaning = async (k = byMeaning) => {
    const near = async (among?: Among) => ask({ text: noWords, k, wSem: 1, wLex: 0, wRec: 0 }, among)
    const all = await near()
    const isCrowded = all.hits.length >= k && all.hits.filter(({ version }) => version === undefined).length < k / 2
    // If episodes fill most places, notes get a search of their own.
    const nearest = nearestOf(k, isCrowded && wantsFiles(request) ? [await near('files'), all] : [all])
    return nearest.pending === 0 ? nearest : withoutPending(context, nearest)
  }
  const k = isFiltered(request) ? mostFiltered : undefined
  const said = notice === undefined ? {} : { notice }
  const formula = formulaOf(request)
  if (formula !== undefined) {
    const files = [noteConceptOf(context.storeId), stretchConceptOf(context.storeId)].map((name) => [
      name,
      { ...formula('note'), wLex: 0 },
    ])
    const nodes = { [beliefReading.name]: formula('belief'), [episodeReading.name]: formula('episode') }
    const weighed = await ask({ k: k ?? byWords, weights: { ...Object.fromEntries(files), ...nodes } })
    const near = vector === undefined || !wantsFiles(request) ? undefined : await askMeaning(k)
    return { ...near, hits: onceEach(weighed.hits, near?.hits), pending: weighed.pending, ...said, formula }
  }
  const words = await askBeyondRoutine(request, k ?? byWords, async (most) =>
    ask({ k: most, ...wordsAlone(vector !== undefined) }, 'nodes'),
  )
  const meaning = vector === undefined ? undefined : await askMeaning(k)
  const by = vector === undefined ? {} : { embedder: vector.embedder }
  return { pending: 0, ...meaning, hits: onceEach(words.hits, meaning?.hits), ...by, ...said }
}

type Among = 'files' | 'nodes'
type Answered = Pick<Candidates, 'hits' | 'pending'>

/** The first list is about notes: a note that is not in it is no nearer than its last entry. */
function nearestOf(k: number, lists: readonly Answered[]): Answered & Pick<Candidates, 'leastSimilarity'> {
  const [first] = lists
  const last = first !== undefined && first.hits.length >= k ? first.hits.at(-1)?.score : undefined
  const answer = { hits: onceEach(...lists.map(({ hits }) => hits)), pending: lists.at(-1)?.pending ?? 0 }
  return last === undefined ? answer : { ...answer, leastSimilarity: last }
}

/** A note without a vector is ranked by its words, so these notes must be known. */
async function withoutPending(
  { recall, embedder, owner }: MemoryContext,
  { leastSimilarity, ...nearest }: ReturnType<typeof nearestOf>,
): Promise<Answered & Pick<Candidates, 'leastSimilarity' | 'withoutVector'>> {
  if (leastSimilarity === undefined || embedder === undefined) return nearest
  const { items, total } = await recall.pending({ embedder: embedder.name, owner, limit: fewPending })
  if (total > fewPending) return nearest
  return { ...nearest, leastSimilarity, withoutVector: new Set(items.map(({ id }) => noteOfItem(id))) }
}

const fewPending = 100

function onceEach(...lists: readonly (readonly RecallHit[] | undefined)[]): readonly RecallHit[] {
  return [...new Map(lists.flatMap((hits) => (hits ?? []).map((hit) => [hit.id, hit] as const))).values()]
}

/** Whether files are wanted: notes, and the beliefs of other devices. */
export function wantsFiles({ of }: Pick<RecallRequest, 'of'>): boolean {
  return of === undefined || of.includes('note') || of.includes('belief')
}

/** If routine records of programs fill most places, more candidates are read. */
async function askBeyondRoutine<A extends { readonly hits: readonly RecallHit[] }>(
  { routine = false }: RecallRequest,
  k: number,
  ask: (k: number) => Promise<A>,
): Promise<A> {
  const answer = await ask(k)
  if (routine || k >= mostFiltered || answer.hits.length < k) return answer
  const dropped = answer.hits.filter(
    ({ concept, payload }) => concept === episodeReading.name && isRoutineEpisode(payload),
  )
  return dropped.length > k / 2 ? ask(mostFiltered) : answer
}

/**
 * Ranks by words. If few items contain the words, all others would have a score of 0 and the store would have to sort all of them.
 * A tiny weight for meaning or recency avoids that.
 */
function wordsAlone(hasVector: boolean): RecallWeights {
  const trace = 1e-3
  return { wSem: hasVector ? trace : 0, wLex: 1, wRec: hasVector ? 0 : trace, halfLife: noteWeights.halfLife }
}

export function isFiltered({ kinds, from, to }: RecallRequest): boolean {
  return kinds !== undefined || from !== undefined || to !== undefined
}

const weightNames = ['wSem', 'wLex', 'wRec', 'halfLife'] as const
const noteWeights: RecallWeights = { wSem: 0.2, wLex: 0.75, wRec: 0.05, halfLife: 90 * 86_400 }

/** A request for episodes alone asks what just happened, so the formula with its recency decides. */
function formulaOf(request: RecallRequest): Candidates['formula'] {
  const given = Object.fromEntries(
    weightNames.flatMap((name) => (request[name] === undefined ? [] : [[name, request[name]]])),
  )
  const onlyEpisodes = request.of?.length === 1 && request.of[0] === 'episode'
  if (Object.keys(given).length === 0 && !onlyEpisodes) return undefined
  const own = {
    note: noteWeights,
    belief: declared(beliefReading.recallable),
    episode: declared(episodeReading.recallable),
  }
  return (of) => saturatedWeights({ ...own[of], ...given })
}

function declared(recallable: { readonly weights?: Partial<RecallWeights> } | undefined): RecallWeights {
  return { ...noteWeights, ...recallable?.weights }
}

function optional({ status, window }: RecallRequest): Pick<RecallFilter, 'status' | 'window'> {
  return { ...(status === undefined ? {} : { status }), ...(window === undefined ? {} : { window }) }
}

async function askStores(
  context: MemoryContext,
  request: Pick<RecallRequest, 'of'> & { readonly among: Among | undefined },
  query: RecallQuery,
): Promise<{ readonly hits: readonly RecallHit[]; readonly pending: number }> {
  const { of, among } = request
  const wanted = (kind: MemoryKind, concept: string) => (of === undefined || of.includes(kind) ? [concept] : [])
  // A note's first item has all its words; its parts are compared by meaning.
  const files = [noteConceptOf(context.storeId), stretchConceptOf(context.storeId)]
  const notes = among !== 'nodes' && wantsFiles(request) ? files : []
  const nodes =
    context.log === undefined || among === 'files'
      ? []
      : [...wanted('belief', beliefReading.name), ...wanted('episode', episodeReading.name)]
  const isOne = context.nodeRecall === context.recall
  const asks: readonly (readonly [RecallStore | undefined, readonly string[]])[] = isOne
    ? [[context.recall, [...notes, ...nodes]]]
    : [
        [context.recall, notes],
        [context.nodeRecall, nodes],
      ]
  const answers = await Promise.all(
    asks.map(async ([store, concepts]) =>
      store === undefined || concepts.length === 0 ? undefined : store.recall({ ...query, concepts }),
    ),
  )
  const found = answers.filter((answer) => answer !== undefined)
  return {
    hits: mergeHits(
      found.map((answer) => answer.hits),
      query.k ?? byWords,
    ),
    pending: found.reduce((sum, { pending }) => sum + pending, 0),
  }
}
