/** What the stores bring up for a question: by words, by meaning, or by the formula as it was asked. */
import {
  type ItemVector,
  mergeHits,
  type RecallFilter,
  type RecallHit,
  type RecallQuery,
  type RecallStore,
  type RecallWeights,
} from '@agentm/nodes'
import type { MemoryContext } from './memory-context.ts'
import { observation } from './observation.ts'
import { noteConceptOf } from './pure/note-id.ts'
import type { MemoryKind, RecallRequest } from './recall-request.ts'
import { semanticMemory } from './semantic-memory.ts'

export interface Candidates {
  /** One hit for each item, words before meaning. */
  readonly hits: readonly RecallHit[]
  readonly pending: number
  /** Present where the formula decides the order. */
  readonly formula?: (of: MemoryKind) => RecallWeights
}

const byWords = 150
const byMeaning = 60
// A filter the store does not know leaves little of what it brings up.
const mostFiltered = 1000

export async function findCandidates(
  context: MemoryContext,
  asked: { readonly request: RecallRequest; readonly partitions: readonly string[]; readonly at: number },
): Promise<Candidates> {
  const { request, at, partitions } = asked
  const filter = { owner: context.owner, partitions, at, text: request.text, ...optional(request) }
  const vector = await questionVector(context, request.text)
  const ask = async (query: Partial<RecallQuery>) =>
    askStores(context, request.of, { ...filter, ...(vector === undefined ? {} : { vector }), ...query })
  const k = isFiltered(request) ? mostFiltered : undefined
  const formula = formulaOf(request)
  if (formula !== undefined) {
    const weights = { [noteConceptOf(context.storeId)]: formula('note'), [semanticMemory.name]: formula('belief') }
    const found = await ask({ k: k ?? byWords, weights: { ...weights, [observation.name]: formula('episode') } })
    return { ...found, formula }
  }
  const words = await ask({ k: k ?? byWords, wSem: 0, wLex: 1, wRec: 0 })
  const meaning = vector === undefined ? undefined : await ask({ k: k ?? byMeaning, wSem: 1, wLex: 0, wRec: 0 })
  const hits = [...words.hits, ...(meaning?.hits ?? [])]
  return { hits: [...new Map(hits.map((hit) => [hit.id, hit])).values()], pending: words.pending }
}

export function isFiltered({ kinds, from, to }: RecallRequest): boolean {
  return kinds !== undefined || from !== undefined || to !== undefined
}

const weightNames = ['wSem', 'wLex', 'wRec', 'halfLife'] as const
const noteWeights: RecallWeights = { wSem: 0.2, wLex: 0.75, wRec: 0.05, halfLife: 90 * 86_400 }

/** Episodes alone are asked for to know what just happened: there the formula with its recency decides. */
function formulaOf(request: RecallRequest): Candidates['formula'] {
  const given = Object.fromEntries(
    weightNames.flatMap((name) => (request[name] === undefined ? [] : [[name, request[name]]])),
  )
  const onlyEpisodes = request.of?.length === 1 && request.of[0] === 'episode'
  if (Object.keys(given).length === 0 && !onlyEpisodes) return undefined
  const own = {
    note: noteWeights,
    belief: declared(semanticMemory.recallable),
    episode: declared(observation.recallable),
  }
  return (of) => ({ ...own[of], ...given })
}

function declared(recallable: { readonly weights?: Partial<RecallWeights> } | undefined): RecallWeights {
  return { ...noteWeights, ...recallable?.weights }
}

function optional({ status, window }: RecallRequest): Pick<RecallFilter, 'status' | 'window'> {
  return { ...(status === undefined ? {} : { status }), ...(window === undefined ? {} : { window }) }
}

/** Made once for all stores. An embedder that fails leaves words and time; what it said is not the asker's concern. */
async function questionVector({ embedder }: MemoryContext, text: string): Promise<ItemVector | undefined> {
  if (embedder === undefined) return undefined
  try {
    const [values] = await embedder.embed([text])
    if (values === undefined || Array.from(values).every((value) => value === 0)) return undefined
    return { embedder: embedder.name, values }
  } catch {
    return undefined
  }
}

async function askStores(
  context: MemoryContext,
  of: readonly MemoryKind[] | undefined,
  query: RecallQuery,
): Promise<{ readonly hits: readonly RecallHit[]; readonly pending: number }> {
  const wanted = (kind: MemoryKind, concept: string) => (of === undefined || of.includes(kind) ? [concept] : [])
  // Among the files are beliefs that other devices published.
  const wantsFiles = of === undefined || of.includes('note') || of.includes('belief')
  const notes = wantsFiles ? [noteConceptOf(context.storeId)] : []
  const nodes =
    context.log === undefined ? [] : [...wanted('belief', semanticMemory.name), ...wanted('episode', observation.name)]
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
