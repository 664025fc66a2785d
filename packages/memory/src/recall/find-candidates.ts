/**
 * Makes the vector of a question, and collects the nodes of the log that may answer it: by words and by meaning, or by the recall formula
 * if weights were given. Notes are found in their own index.
 */
import {
  type ItemVector,
  type RecallFilter,
  type RecallHit,
  type RecallQuery,
  type RecallWeights,
  saturatedWeights,
} from '@agentm/nodes'
import type { MemoryContext } from '../memory-context.ts'
import { beliefReading, episodeReading, turnReading } from '../nodes/node-readings.ts'
import { questionVector } from '../embedders/question-vector.ts'
import { isFiltered } from './likely-notes.ts'
import { isRoutineEpisode } from './pure/routine.ts'
import type { MemoryKind, RecallRequest } from './recall-request.ts'

export interface Candidates {
  /** One hit per node: those that match by words, then those with a similar meaning. */
  readonly hits: readonly RecallHit[]
  readonly pending: number
  /** The vector of the question, if an embedder made one. */
  readonly vector: ItemVector | undefined
  /** Why the search by meaning was not possible. */
  readonly notice?: string
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
  const { vector, notice } = await questionVector(context, request.text)
  const formula = formulaOf(request)
  const said = {
    vector,
    ...(notice === undefined ? {} : { notice }),
    ...(formula === undefined ? {} : { formula }),
  }
  const concepts = nodeConcepts(context, request)
  const { recall } = context
  if (recall === undefined || concepts.length === 0) return { hits: [], pending: 0, ...said }
  const filter = { owner: context.owner, concepts, partitions, at, text: request.text, ...optional(request) }
  const ask = async (query: Partial<RecallQuery>) =>
    recall.recall({ ...filter, ...(vector === undefined ? {} : { vector }), ...query })
  const k = isFiltered(request) ? mostFiltered : undefined
  if (formula !== undefined) {
    const weights = {
      [beliefReading.name]: formula('belief'),
      [episodeReading.name]: formula('episode'),
      [turnReading.name]: formula('session'),
    }
    const { hits, pending } = await ask({ k: k ?? byWords, weights })
    return { hits, pending, ...said }
  }
  const words = await askBeyondRoutine(request, k ?? byWords, async (most) =>
    ask({ k: most, ...wordsAlone(vector !== undefined) }),
  )
  const meaning = vector === undefined ? undefined : await ask({ ...nearest, text: noWords, k: k ?? byMeaning })
  const hits = [...new Map([...words.hits, ...(meaning?.hits ?? [])].map((hit) => [hit.id, hit])).values()]
  return { hits, pending: meaning?.pending ?? 0, ...said }
}

const nearest = { wSem: 1, wLex: 0, wRec: 0 } as const

function nodeConcepts({ log }: MemoryContext, { of }: RecallRequest): readonly string[] {
  if (log === undefined) return []
  const wanted = (kind: MemoryKind, concept: string) => (of === undefined || of.includes(kind) ? [concept] : [])
  return [
    ...wanted('belief', beliefReading.name),
    ...wanted('episode', episodeReading.name),
    ...wanted('session', turnReading.name),
  ]
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
    session: declared(turnReading.recallable),
  }
  return (of) => saturatedWeights({ ...own[of], ...given })
}

function declared(recallable: { readonly weights?: Partial<RecallWeights> } | undefined): RecallWeights {
  return { ...noteWeights, ...recallable?.weights }
}

function optional({ status, window }: RecallRequest): Pick<RecallFilter, 'status' | 'window'> {
  return { ...(status === undefined ? {} : { status }), ...(window === undefined ? {} : { window }) }
}
