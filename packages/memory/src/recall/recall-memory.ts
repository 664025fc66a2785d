/**
 * Finds answers to a question among notes, beliefs and episodes. The stores find candidates by words and by meaning; each note is
 * opened before it is used; then the pure ranking decides the order.
 */
import type { RecallHit } from '@agentm/nodes'
import { contentHash } from '@agentm/storage-seam'
import { readablePartitions } from '../bound-project.ts'
import { currentNotes, isReadable } from './current-notes.ts'
import { type Candidates, findCandidates, wantsFiles } from './find-candidates.ts'
import type { MemoryContext } from '../memory-context.ts'
import { InvalidNoteError } from '../memory-errors.ts'
import type { IndexDrift } from '../index/note-index.ts'
import { NoteWords } from '../index/note-words.ts'
import { beliefReading, episodeReading, turnReading } from '../nodes/node-readings.ts'
import { followLinks } from './follow-links.ts'
import { localTime } from './local-time.ts'
import { asManyAsGood, mostListed } from './pure/as-many-as-good.ts'
import { asksForAll } from '../ranking/pure/asks-for-all.ts'
import { maybeCopy, withoutCopies } from './pure/copies.ts'
import { aboveFloor } from './pure/floor.ts'
import { eventBounds } from './pure/event-bounds.ts'
import { judged, resultOf } from './pure/judged.ts'
import { explain, type Ranking } from './pure/explain.ts'
import { isActive } from '../index/pure/indexed-note.ts'
import { likelyNotes } from './likely-notes.ts'
import { type FoundItem, rankFound } from './pure/rank-found.ts'
import { isQuoted, isRoutineEpisode, isRoutineStatement } from './pure/routine.ts'
import { rerankDepth, rerankFirst } from '../rerankers/rerank-first.ts'
import { analyzeQuery, type CorpusStatistics } from '../ranking/pure/rank-lexical.ts'
import type { Freshness, LeftOut, MemoryAnswer, MemoryKind, RecallRequest } from './recall-request.ts'
import { withoutKnownBeliefs } from './without-known-beliefs.ts'

/** The differences between the index and the store, or why they cannot be compared. */
export type Looked = { readonly drift: IndexDrift } | { readonly away: Error }

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
  const drift = 'drift' in looked ? looked.drift : undefined
  const notes = await notesFor(context, { request, at, partitions, found, drift })
  const nodes = found.hits.flatMap((hit) => nodeItem(context, hit))
  const known = new Set(nodes.map(({ id }) => id))
  const items = [...nodes, ...notes.items.filter(({ id }) => !known.has(id))]
  const meaningWeight = context.embedder?.weight
  const formula = found.formula === undefined ? {} : { formula: found.formula }
  const ranking = { corpus: notes.words, meaningWeight, ...formula }
  const floor = found.formula === undefined ? (request.floor ?? 'mild') : 'off'
  const asked = { text: request.text, corpus: notes.words, embedder: judgedEmbedder(context, found) }
  // A person who searches wants to see each file; an agent needs the same text only once.
  const isPersonal = ({ of, facts }: FoundItem) => floor !== 'strict' && of === 'note' && facts?.isOwn !== true
  const related = context.relatedWords
  const query = context.corpus.notes.read(() => analyzeQuery(request.text, notes.words, { related }))
  const question = { text: request.text, now: at, wallTime: localTime, related, query }
  const rank = (some: readonly FoundItem[]): Stages => {
    const passing = some.filter((item) => passes(item, request, at))
    const wanted = request.routine === true ? passing : passing.filter(({ isRoutine }) => !isRoutine)
    const ranked = rankFound({ ...question, events: eventBounds(request.text, wanted, notes.words) }, wanted, ranking)
    const answers = judged(ranked, { ...asked, query })
    const above = aboveFloor(answers, floor)
    const most = Math.max(mostOf(request), found.formula === undefined ? rerankDepth(context) : 0)
    const leftOut = { belowFloor: answers.length - above.length, routine: passing.length - wanted.length }
    const shown = withoutCopies(
      above,
      ({ item, matched }) => ({ ...maybeCopy(item), matched, isPersonal: isPersonal(item) }),
      most,
    )
    return { answers, aboveFloor: above, shown, isWhole: shown.length < most, leftOut }
  }
  // Within one read of the index, because the ranking asks how rare words are.
  const rankNow = (some: readonly FoundItem[]) => context.corpus.notes.read(() => rank(some))
  const first = await opened(rankNow, items, notes.open)
  const links = found.formula === undefined ? { text: request.text, corpus: notes.words, ...notes } : undefined
  const linked = links === undefined ? [] : await followLinks(first.shown, links)
  const stages = linked.length === 0 ? first : await opened(rankNow, joined(items, linked), notes.open)
  const { shown: plain, leftOut } = stages
  const { ranked, notice } =
    found.formula === undefined ? await rerankFirst(context, request.text, plain) : { ranked: plain }
  const freshness = withRefusal(
    withNotice(freshnessOf(looked, notes.unreadable, found.pending + notes.pending, found.notice), notice),
    context,
    request,
  )
  const isAll = leftOut.belowFloor + leftOut.routine === 0
  const wanted = isOpenEnded(request) ? asManyAsGood(ranked, usualOf(request)) : ranked
  const results = wanted.slice(0, mostOf(request))
  const explained = request.explain === true ? { ...stages, plain, results } : undefined
  return {
    results: results.map(resultOf),
    freshness,
    ...(isAll ? {} : { leftOut }),
    ...(explained === undefined ? {} : { explanation: explain(question, notes.words, explained) }),
    at,
  }
}

function judgedEmbedder({ embedder }: MemoryContext, { vector }: Candidates) {
  return vector === undefined ? undefined : { name: vector.embedder, near: embedder?.near }
}

/** With the linked notes, in place of what is known of them without their links. */
function joined(items: readonly FoundItem[], linked: readonly FoundItem[]): readonly FoundItem[] {
  const keys = new Set(linked.map(({ key }) => key))
  return [...items.filter(({ key }) => key === undefined || !keys.has(key)), ...linked]
}

interface NotesFor {
  /** The keys of the notes whose files have this name or alias. */
  readonly keysOf: (name: string) => readonly string[]
  readonly items: readonly FoundItem[]
  readonly words: CorpusStatistics
  readonly pending: number
  /** Reads the notes from disk. */
  readonly open: (keys: readonly string[]) => Promise<readonly FoundItem[]>
  /** Keys of the notes that could not be read. */
  readonly unreadable: readonly string[]
}

interface AskedHere {
  readonly request: RecallRequest
  readonly at: number
  readonly partitions: readonly string[]
  readonly found: Candidates
  readonly drift: IndexDrift | undefined
}

async function notesFor(context: MemoryContext, asked: AskedHere): Promise<NotesFor> {
  const { request, partitions, found, drift } = asked
  if (drift === undefined || !wantsFiles(request)) {
    const words = new NoteWords(
      (look) => context.corpus.notes.read(look),
      ({ partition }) => partitions.includes(partition),
    )
    return { keysOf: () => [], items: [], words, pending: 0, unreadable: [], open: async () => [] }
  }
  const { vector } = found
  const likely = likelyNotes(context, { ...asked, drift, vector, formula: found.formula?.('note') })
  const unreadable: string[] = []
  const similarityOf = (key: string) => likely.similarities.get(key)
  const byKey = new Map(likely.items.map((item) => [item.key, item]))
  const known = (key: string) => byKey.get(key)
  const open = async (keys: readonly string[]) => {
    const now = await currentNotes(context, { keys, similarityOf, known, drift, partitions })
    unreadable.push(...now.unreadable)
    return now.items
  }
  return {
    ...likely,
    keysOf: (name) =>
      context.corpus.notes
        .read((view) => view.holdersOfFact('name', name), drift.overlay)
        .flatMap((note) => (isReadable(note, { owner: context.owner, partitions }) ? [note.key] : [])),
    items: await withoutKnownBeliefs(context, likely.items),
    unreadable,
    open,
  }
}

/** The stages of one ranking, and how many results it left out. */
type Stages = Omit<Ranking, 'plain' | 'results'> & { readonly leftOut: LeftOut }

/** Repeats the ranking until each answer was opened. A note whose text has changed is ranked by its current text. */
async function opened(
  rank: (items: readonly FoundItem[]) => Stages,
  items: readonly FoundItem[],
  open: NotesFor['open'],
): Promise<Stages> {
  const stages = rank(items)
  const { shown: ranked } = stages
  const unopened = ranked.flatMap(({ item: { key, text } }) => (key === undefined || text !== undefined ? [] : [key]))
  if (unopened.length === 0) return stages
  const byKey = new Map((await open(unopened)).map((item) => [item.key, item]))
  const isUnopened = new Set(unopened)
  const nowOf = (item: FoundItem) => (item.key !== undefined && isUnopened.has(item.key) ? byKey.get(item.key) : item)
  const isSame = ranked.every(({ item }) => nowOf(item)?.facts?.hash === item.facts?.hash)
  if (isSame) return { ...stages, shown: ranked.map((each) => ({ ...each, item: nowOf(each.item) ?? each.item })) }
  return opened(
    rank,
    items.flatMap((item) => nowOf(item) ?? []),
    open,
  )
}

function mostOf(request: RecallRequest): number {
  return isOpenEnded(request) ? mostListed : usualOf(request)
}

function usualOf({ k, usual = 10 }: RecallRequest): number {
  const most = k ?? usual
  return Number.isNaN(most) ? 10 : Math.min(1000, Math.max(1, Math.floor(most)))
}

/** Whether the question decides how many results there are. */
function isOpenEnded({ k, text }: RecallRequest): boolean {
  return k === undefined && asksForAll(text)
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
  const of = kindOfConcept[hit.concept]
  if (of === undefined) return []
  const { id, partition, text, similarity, lexical, payload } = hit
  // A session may be captured, and learned from, long after it took place.
  const createdAt = Date.parse(String(payload[timeFieldOf[of]])) || hit.createdAt
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
      analyzed: corpus.texts.of(contentHash(text), text),
      similarity,
      lexical,
      isRoutine: of === 'episode' ? isRoutineEpisode(payload) : isRoutineStatement(text),
    },
  ]
}

/** The field that says when it happened. */
const timeFieldOf = { belief: 'evidenceAt', episode: '', session: 'startedAt' } as const

const kindOfConcept: Readonly<Record<string, Exclude<MemoryKind, 'note'>>> = {
  [beliefReading.name]: 'belief',
  [episodeReading.name]: 'episode',
  [turnReading.name]: 'session',
}

function kindOf(of: Exclude<MemoryKind, 'note'>, payload: RecallHit['payload']): string {
  if (of === 'episode' && isQuoted(payload)) return 'tool_result'
  if (of === 'session') return String(payload['host'])
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

function freshnessOf(
  looked: Looked,
  unopened: readonly string[],
  pendingVectors: number,
  notice: string | undefined,
): Freshness {
  if ('away' in looked)
    return {
      store: 'away',
      changed: 0,
      unreadable: [],
      conflictCopies: [],
      pendingVectors,
      notice: looked.away.message,
    }
  const { scan, differences, edited, unreadable, changed } = looked.drift
  const touched = changed.size - edited.length
  return {
    store: scan.complete ? 'current' : 'behind',
    changed: differences,
    ...(touched === 0 ? {} : { touched }),
    unreadable: [...new Set([...unreadable, ...unopened])],
    conflictCopies: scan.conflictCopies,
    pendingVectors,
    ...(notice === undefined ? {} : { notice }),
  }
}
