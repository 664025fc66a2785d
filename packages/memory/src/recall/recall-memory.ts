/**
 * Finds answers to a question among notes, beliefs and episodes. The stores find candidates by words and by meaning; each note is
 * opened before it is used; then the pure ranking decides the order.
 */
import type { RecallHit } from '@agentm/nodes'
import { contentHash } from '@agentm/storage-seam'
import { readablePartitions } from '../bound-project.ts'
import { currentNotes, type CurrentNotes, similarityByKey } from './current-notes.ts'
import { type Candidates, findCandidates, isFiltered, wantsFiles } from './find-candidates.ts'
import type { MemoryContext } from '../memory-context.ts'
import { editedIn, indexedNow, isEdited } from '../index/indexed-now.ts'
import { InvalidNoteError } from '../memory-errors.ts'
import { IndexedNotes } from '../index/indexed-notes.ts'
import type { IndexDrift } from '../index/note-index.ts'
import { beliefReading, episodeReading } from '../nodes/node-readings.ts'
import { localTime } from './local-time.ts'
import type { LexicalIndex } from '../index/pure/lexical-index.ts'
import { noteConceptOf, stretchConceptOf } from '../notes/pure/note-id.ts'
import { maybeCopy, withoutCopies } from './pure/copies.ts'
import { aboveFloor } from './pure/floor.ts'
import { judged, type JudgedItem, resultOf } from './pure/judged.ts'
import { explain, type Ranking } from './pure/explain.ts'
import { type IndexedNote, isActive } from '../index/pure/indexed-note.ts'
import { type FoundItem, rankFound } from './pure/rank-found.ts'
import { isQuoted, isRoutineEpisode, isRoutineStatement } from './pure/routine.ts'
import { closeness, timeSpans } from '../ranking/pure/time-expressions.ts'
import { rerankDepth, rerankFirst } from '../rerankers/rerank-first.ts'
import type { Freshness, LeftOut, MemoryAnswer, RecallRequest } from './recall-request.ts'

/** The differences between the index and the store, or why they cannot be compared. */
export type Looked = { readonly drift: IndexDrift } | { readonly away: Error }

// Ranking thirty, fifty or a hundred made no difference, and each costs opening a file.
const mostOpened = 80
const mostOpenedFiltered = 400

export async function recallMemory(
  context: MemoryContext,
  request: RecallRequest,
  look: (partitions: readonly string[]) => Promise<Looked>,
): Promise<MemoryAnswer> {
  if (typeof request.text !== 'string' || request.text.trim() === '')
    throw new InvalidNoteError('text', 'is empty; say what to look for.')
  const at = request.at ?? context.runtime.now()
  const partitions = readablePartitions(context.project, request.project)
  const looked = await look(partitions)
  const found = await findCandidates(context, { request, partitions, at })
  const drift = 'drift' in looked && wantsFiles(request) ? looked.drift : undefined
  const indexed = drift === undefined ? new IndexedNotes() : await indexedNow(context, drift)
  // Forgotten notes are not counted in word statistics, but can be asked for by their status.
  const words = request.status === undefined ? indexed.living : indexed.whole
  const notes =
    drift === undefined
      ? undefined
      : await likelyNotes(context, { request, at, found, indexed, words, drift, partitions })
  const nodes = found.hits.flatMap((hit) => nodeItem(context, hit))
  const known = new Set(nodes.map(({ id }) => id))
  const items = [...nodes, ...(notes?.items ?? []).filter(({ id }) => !known.has(id))]
  const meaningWeight = context.embedder?.weight
  const ranking = { corpus: words, meaningWeight, ...(found.formula === undefined ? {} : { formula: found.formula }) }
  const floor = found.formula === undefined ? (request.floor ?? 'mild') : 'off'
  const asked = { text: request.text, corpus: words, embedder: found.embedder }
  // Whoever looks for files wants to see each; an agent that is told something needs it once.
  const isPersonal = ({ of, key = '' }: FoundItem) =>
    floor !== 'strict' && of === 'note' && indexed.byKey.get(key)?.isOwn !== true
  const question = { text: request.text, now: at, wallTime: localTime }
  let leftOut: LeftOut = { belowFloor: 0, routine: 0 }
  let stages: Omit<Ranking, 'plain' | 'results'> | undefined
  const rank = (some: readonly FoundItem[]) => {
    const passing = some.filter((item) => passes(item, request, at))
    const wanted = request.routine === true ? passing : passing.filter(({ isRoutine }) => !isRoutine)
    const ranked = rankFound(question, wanted, ranking)
    const answers = judged(ranked, asked)
    const above = aboveFloor(answers, floor)
    const most = Math.max(mostOf(request), found.formula === undefined ? rerankDepth(context) : 0)
    leftOut = { belowFloor: answers.length - above.length, routine: passing.length - wanted.length }
    const shown = withoutCopies(
      above,
      ({ item, matched }) => ({ ...maybeCopy(item), matched, isPersonal: isPersonal(item) }),
      most,
    )
    stages = { answers, aboveFloor: above, shown, isWhole: shown.length < most }
    return shown
  }
  const plain = notes === undefined ? rank(items) : await opened(rank, items, notes.open)
  const { ranked, notice } =
    found.formula === undefined ? await rerankFirst(context, request.text, plain) : { ranked: plain }
  const freshness = withRefusal(
    withNotice(freshnessOf(looked, notes?.unreadable ?? [], found), notice),
    context,
    request,
  )
  const isAll = leftOut.belowFloor + leftOut.routine === 0
  const results = ranked.slice(0, mostOf(request))
  const explained = request.explain === true && stages !== undefined ? { ...stages, plain, results } : undefined
  return {
    results: results.map(resultOf),
    freshness,
    ...(isAll ? {} : { leftOut }),
    ...(explained === undefined ? {} : { explanation: explain(question, words, explained) }),
    at,
  }
}

interface LikelyNotes extends CurrentNotes {
  /** Reads the notes from disk. */
  readonly open: (keys: readonly string[]) => Promise<readonly FoundItem[]>
}

async function likelyNotes(
  context: MemoryContext,
  asked: AskedNotes & { readonly found: Candidates; readonly partitions: readonly string[] },
): Promise<LikelyNotes> {
  const { found, indexed, drift, partitions } = asked
  const keyOf = ({ source }: RecallHit) => indexed.noteOf(source)?.key
  const files = [noteConceptOf(context.storeId), stretchConceptOf(context.storeId)]
  const hits = found.hits.filter(({ concept }) => files.includes(concept))
  const near = similarityByKey(hits, keyOf)
  const similarityOf = (key: string) => {
    const isTold =
      near.has(key) || isEdited(drift, key) || found.withoutVector?.has(indexed.get(key)?.id ?? '') === true
    return isTold ? { similarity: near.get(key) } : { similarityBelow: found.leastSimilarity }
  }
  const keys = keysToOpen(
    asked,
    hits.flatMap((hit) => keyOf(hit) ?? []),
  )
  const wanted = { similarityOf, drift, partitions }
  const { items, unreadable } = await currentNotes(context, { ...wanted, keys, fromMemory: true })
  const unopened = [...unreadable]
  const open = async (some: readonly string[]) => {
    const now = await currentNotes(context, { ...wanted, keys: some })
    unopened.push(...now.unreadable)
    return now.items
  }
  return { items, unreadable: unopened, open }
}

/** Repeats the ranking until each answer was opened. A note whose text has changed is ranked by its current text. */
async function opened(
  rank: (items: readonly FoundItem[]) => readonly JudgedItem[],
  items: readonly FoundItem[],
  open: LikelyNotes['open'],
): Promise<readonly JudgedItem[]> {
  const ranked = rank(items)
  const unopened = ranked.flatMap(({ item: { key, text } }) => (key === undefined || text !== undefined ? [] : [key]))
  if (unopened.length === 0) return ranked
  const byKey = new Map((await open(unopened)).map((item) => [item.key, item]))
  const isUnopened = new Set(unopened)
  const nowOf = (item: FoundItem) => (item.key !== undefined && isUnopened.has(item.key) ? byKey.get(item.key) : item)
  const isSame = ranked.every(({ item }) => nowOf(item)?.analyzed === item.analyzed)
  if (isSame) return ranked.map((each) => ({ ...each, item: nowOf(each.item) ?? each.item }))
  return opened(
    rank,
    items.flatMap((item) => nowOf(item) ?? []),
    open,
  )
}

function mostOf({ k = 10 }: RecallRequest): number {
  return Number.isNaN(k) ? 10 : Math.min(1000, Math.max(1, Math.floor(k)))
}

interface AskedNotes {
  readonly request: RecallRequest
  readonly at: number
  readonly indexed: IndexedNotes
  readonly words: LexicalIndex
  readonly drift: IndexDrift
}

/** The notes to open: the best of each search in turn, and every note that is newer than the index. */
function keysToOpen({ request, at, indexed, words, drift }: AskedNotes, found: readonly string[]): readonly string[] {
  const most = isFiltered(request) || (request.k ?? 0) > mostOpened / 2 ? mostOpenedFiltered : mostOpened
  const isWanted = (key: string) => {
    const note = indexed.byKey.get(key)
    return note !== undefined && mayPass(note, request)
  }
  const lists = [
    found.filter(isWanted),
    words.likely(request.text, most * 2, isWanted),
    ofTheTime(indexed, request, at),
  ]
  return [...new Set([...editedIn(drift).map(({ key }) => key), ...inTurn(lists).slice(0, most)])]
}

function ofTheTime({ byKey }: IndexedNotes, request: RecallRequest, at: number): readonly string[] {
  const spans = timeSpans(request.text, at, localTime)
  if (spans.length === 0) return []
  const inside = [...byKey.values()].filter(
    (note) => mayPass(note, request) && note.createdAt > 0 && closeness(note.createdAt, spans, localTime) === 1,
  )
  return inside.toSorted((a, b) => b.createdAt - a.createdAt).map(({ key }) => key)
}

function inTurn(lists: readonly (readonly string[])[]): readonly string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const turns = Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list[i] ?? []))
  return [...new Set(turns.flat())]
}

/** Whether a note can pass the filters, according to the index. It is checked again once the note is open. */
function mayPass({ kind, status }: IndexedNote, request: RecallRequest): boolean {
  const hasStatus = request.status === undefined ? isActive(status) : request.status.includes(status)
  return hasStatus && (request.kinds?.includes(kind) ?? true)
}

function passes(item: FoundItem, request: RecallRequest, at: number): boolean {
  const { of, kinds, status, window = 0, from = -Infinity, to = Infinity } = request
  const notBefore = window > 0 ? Math.max(from, at - window * 1000) : from
  return (
    (of?.includes(item.of) ?? true) &&
    (kinds?.includes(item.kind) ?? true) &&
    (status === undefined ? item.of !== 'note' || isActive(item.status) : status.includes(item.status)) &&
    item.createdAt >= notBefore &&
    item.createdAt < to
  )
}

function nodeItem({ corpus }: MemoryContext, hit: RecallHit): readonly FoundItem[] {
  const of = hit.concept === beliefReading.name ? 'belief' : hit.concept === episodeReading.name ? 'episode' : undefined
  if (of === undefined) return []
  const { id, partition, createdAt, text, similarity, lexical, payload } = hit
  return [
    {
      id,
      of,
      project: partition,
      kind: kindOf(of, payload),
      status: hit.status ?? '',
      title: '',
      tags: [],
      createdAt,
      agesFrom: Date.parse(String(payload['lastReinforced'])) || createdAt,
      text,
      alwaysLoad: false,
      section: '',
      analyzed: corpus.texts.of(`node ${contentHash(text)}`, { title: '', text }).analyzed,
      similarity,
      lexical,
      isRoutine: of === 'episode' ? isRoutineEpisode(payload) : isRoutineStatement(text),
    },
  ]
}

function kindOf(of: 'belief' | 'episode', payload: RecallHit['payload']): string {
  if (of === 'episode' && isQuoted(payload)) return 'tool_result'
  return typeof payload['kind'] === 'string' ? payload['kind'] : of
}

function withNotice(freshness: Freshness, notice: string | undefined): Freshness {
  if (notice === undefined) return freshness
  return { ...freshness, notice: [...(freshness.notice === undefined ? [] : [freshness.notice]), notice].join(' ') }
}

/** Adds a notice if the project is refused, because its hidden notes would otherwise look as if none existed. */
function withRefusal(freshness: Freshness, { project }: MemoryContext, request: RecallRequest): Freshness {
  const refusal = request.project === undefined ? project?.refusal : undefined
  if (refusal === undefined) return freshness
  const said = freshness.notice === undefined ? [] : [freshness.notice]
  return { ...freshness, notice: [`left out what belongs to the project: ${refusal.message}`, ...said].join(' ') }
}

function freshnessOf(looked: Looked, unopened: readonly string[], found: Candidates): Freshness {
  const { pending: pendingVectors, notice } = found
  if ('away' in looked)
    return {
      store: 'away',
      changed: 0,
      unreadable: [],
      conflictCopies: [],
      pendingVectors,
      notice: looked.away.message,
    }
  const { scan, edited, unreadable, changed } = looked.drift
  const touched = changed.size - editedIn(looked.drift).length
  return {
    store: scan.complete ? 'current' : 'behind',
    changed: edited,
    ...(touched === 0 ? {} : { touched }),
    unreadable: [...new Set([...unreadable, ...unopened])],
    conflictCopies: scan.conflictCopies,
    pendingVectors,
    ...(notice === undefined ? {} : { notice }),
  }
}
