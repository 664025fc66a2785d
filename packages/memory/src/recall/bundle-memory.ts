/**
 * What an agent should know before it starts: the notes that are always loaded, the notes for the phase of work, then other answers
 * to the question, within a budget of tokens.
 */
import type { Payload } from '@agentm/nodes'
import { readablePartitions } from '../bound-project.ts'
import { currentNotes } from './current-notes.ts'
import type { ListedFacts, NoteView } from '../index/note-view.ts'
import { NoteWords } from '../index/note-words.ts'
import type { MemoryContext } from '../memory-context.ts'
import type { IndexDrift } from '../index/note-index.ts'
import { type Bundle, bundle, type Piece } from './pure/bundle.ts'
import { maybeCopy, withoutCopies } from './pure/copies.ts'
import { isActive } from '../index/pure/indexed-note.ts'
import { alwaysLoadName, globalPartition, isInHome, placeOf } from '../notes/pure/note-place.ts'
import { phaseOf, type PhaseScope, phaseScopes, sectionIn } from './pure/phase.ts'
import { type BeginningSession, lastSessionPieces } from './last-session.ts'
import { localTime } from './local-time.ts'
import { type FoundItem, rankFound } from './pure/rank-found.ts'
import { isRoutineStatement } from './pure/routine.ts'
import { oneLine, shownId, sourceOf } from '../notes/pure/shown.ts'
import { type Looked, recallMemory } from './recall-memory.ts'
import type { CorpusStatistics } from '../ranking/pure/rank-lexical.ts'
import { beliefReading } from '../nodes/node-readings.ts'

/** What a bundle should contain: a phase of work, a question, and a budget of tokens. */
export interface BundleRequest {
  /** A phase of work. An unknown name counts as `work`. */
  readonly phase?: string
  /** The topic. The shown notes are ranked by it. */
  readonly query?: string
  /** The budget in tokens (default: that of the phase). */
  readonly limit?: number
  /** The most processor time to spend on looking for changed notes, and the longest time, in milliseconds. */
  readonly scanBudgetMs?: number
  readonly scanLimitMs?: number
  /** What was shown before, by `shownId`. It is left out. */
  readonly known?: ReadonlySet<string>
  /** An agent session begins: the bundle says what the last one here was doing. */
  readonly begins?: BeginningSession
}

const mostFound = 12
const mostOpened = 150
const mostBeliefs = 12

export async function bundleMemory(
  context: MemoryContext,
  request: BundleRequest,
  look: (partitions: readonly string[]) => Promise<Looked>,
): Promise<Bundle> {
  const phase = phaseOf(request.phase)
  const scope = phaseScopes[phase]
  const partitions = readablePartitions(context.project)
  const looked = await look(partitions)
  const query = request.query?.trim() ?? ''
  const drift = 'drift' in looked ? looked.drift : undefined
  const scoped = drift === undefined ? [] : await scopedItems(context, { scope, drift, partitions, query })
  const rest =
    query === '' ? await beliefPieces(context, partitions, request.known) : await foundPieces(context, query, looked)
  const last = request.begins === undefined ? [] : await lastSessionPieces(context, request.begins)
  const always = scoped.filter(({ alwaysLoad }) => alwaysLoad).map(pieceOf)
  const phased = scoped.filter(({ alwaysLoad }) => !alwaysLoad).map(pieceOf)
  const inOrder = [...always, ...last, ...phased, ...rest]
  const all = [...new Map(inOrder.map((piece) => [piece.label, piece])).values()]
  const { known } = request
  const pieces = known === undefined ? all : all.filter(({ ids }) => !ids.every((id) => known.has(id)))
  const project = context.project?.refusal === undefined ? context.project?.slug : undefined
  return bundle(pieces, { phase, project, budget: budgetOf(request.limit, scope) })
}

function budgetOf(limit: number | undefined, scope: PhaseScope): number {
  return limit !== undefined && limit >= 1 ? Math.floor(Math.min(limit, 1e7)) : scope.budget
}

interface Scoped {
  readonly scope: PhaseScope
  readonly drift: IndexDrift
  readonly partitions: readonly string[]
  readonly query: string
}

async function scopedItems(
  context: MemoryContext,
  { scope, drift, partitions, query }: Scoped,
): Promise<readonly FoundItem[]> {
  const { foreign } = drift
  const { notes } = context.corpus
  const rankIn = (key: string, kind: string) => rankOf(scope, { key, kind, foreign })
  const { keys, words } = notes.read((view) => {
    const counted = new NoteWords(
      (look) => notes.read(look, drift.overlay),
      ({ partition }) => partitions.includes(partition),
    )
    const wanted = view
      .listed()
      .filter(
        ({ key, scope: { kind, status, partition } }) =>
          partitions.includes(partition) && isInHome(key) && isActive(status) && rankIn(key, kind) !== undefined,
      )
    return { keys: worthOpening(view, { wanted, query, words: counted }), words: counted }
  }, drift.overlay)
  const { items } = await currentNotes(context, { keys, drift, partitions })
  const inScope = items.flatMap((item) => {
    const rank = rankIn(item.key ?? '', item.kind)
    return rank === undefined || !isActive(item.status) ? [] : [{ item, rank }]
  })
  const order = notes.read(() => orderOf(items, query, words, context.runtime.now()), drift.overlay)
  const inOrder = inScope.toSorted((a, b) => a.rank - b.rank || order(a.item) - order(b.item)).map(({ item }) => item)
  return withoutCopies(inOrder, maybeCopy)
}

interface WorthOpening {
  readonly wanted: readonly ListedFacts[]
  readonly query: string
  readonly words: NoteWords
}

/** Candidates in order: always-loaded notes, answers to the question, then the newest. More would not fit into the budget. */
function worthOpening(view: NoteView, { wanted, query, words }: WorthOpening): readonly string[] {
  const keyAt = new Map(wanted.map(({ place, key }) => [place, key]))
  const likely =
    query === '' ? [] : words.likely(view, { text: query, most: mostOpened }).flatMap((place) => keyAt.get(place) ?? [])
  const first = wanted.flatMap(({ key }) => {
    const { section } = placeOf(key)
    return section === alwaysLoadName || section === '' ? [{ key, isAlways: section === alwaysLoadName }] : []
  })
  const [always, front] = [true, false].map((isAlways) => first.filter((each) => each.isAlways === isAlways))
  const rest = [...likely, ...newestOf(view, wanted)].slice(0, mostOpened)
  return [...new Set([...(always ?? []), ...(front ?? [])].map(({ key }) => key).concat(rest))]
}

/** The newest notes, found without sorting all of them, because a session start waits for this. */
function newestOf(view: NoteView, wanted: readonly ListedFacts[]): readonly string[] {
  const times = view.times('createdAt')
  const timeOf = ({ place }: ListedFacts) => times[place] ?? 0
  const least = Float64Array.from(wanted, timeOf).toSorted().at(-mostOpened) ?? 0
  const among = wanted.filter((each) => timeOf(each) >= least)
  return among.toSorted((a, b) => timeOf(b) - timeOf(a) || (a.key < b.key ? -1 : 1)).map(({ key }) => key)
}

/** 0 for always-loaded notes, then the sections of the phase in order. Other notes of a vault appear only if the question finds them. */
function rankOf(
  scope: PhaseScope,
  { key, kind, foreign }: { readonly key: string; readonly kind: string; readonly foreign: ReadonlySet<string> },
): number | undefined {
  const { isOurs, section, stem, partition } = placeOf(key, foreign)
  if (!isOurs) return undefined
  if (section === alwaysLoadName) return 0
  const found = sectionIn(scope, { section, stem, kind })
  if (found === undefined || (partition === globalPartition && section === '')) return undefined
  return 1 + found
}

/** Sorts by the question if there is one, otherwise newest first. Always-loaded notes are sorted by name. */
function orderOf(
  items: readonly FoundItem[],
  query: string,
  corpus: CorpusStatistics,
  now: number,
): (item: FoundItem) => number {
  const newest = items.toSorted((a, b) =>
    a.alwaysLoad && b.alwaysLoad
      ? String(a.key) < String(b.key)
        ? -1
        : 1
      : b.agesFrom - a.agesFrom || (String(a.key) < String(b.key) ? -1 : 1),
  )
  const ranked =
    query === ''
      ? []
      : rankFound({ text: query, now, wallTime: localTime }, newest, { corpus }).map(({ item }) => item.id)
  const places = new Map(
    [...ranked, ...newest.map(({ id }) => id).filter((id) => !ranked.includes(id))].map((id, i) => [id, i]),
  )
  return ({ id }) => places.get(id) ?? 0
}

type Labelled = Pick<
  FoundItem,
  'id' | 'of' | 'kind' | 'writtenBy' | 'key' | 'project' | 'alwaysLoad' | 'section' | 'text'
>

function pieceOf(item: Labelled): Piece {
  const { key, id, text = '' } = item
  return { label: labelOf(item), source: sourceOf(item), text, ids: [shownId({ key: key ?? id, id, text })] }
}

/** A belief or an episode has no file, so it is labelled with its kind. */
function labelOf({ of, id, key = '', project, alwaysLoad, section }: Labelled): string {
  if (of !== 'note') return `${of}: ${id.split(':').at(-1)}`
  const { stem } = placeOf(key)
  if (alwaysLoad) return `always-load: ${stem}`
  if (section === '' && stem === '_index') return `${project}/_index.md`
  return [project, section, stem].filter((part) => part !== '').join('/')
}

/** Other entries that answer the question. */
async function foundPieces(context: MemoryContext, query: string, looked: Looked): Promise<readonly Piece[]> {
  const { results } = await recallMemory(context, { text: query, k: mostFound, floor: 'strict' }, async () => looked)
  return results.map(pieceOf)
}

async function beliefPieces(
  { log, owner }: MemoryContext,
  partitions: readonly string[],
  known: BundleRequest['known'] = new Set(),
): Promise<readonly Piece[]> {
  if (log === undefined) return []
  const pages = await Promise.all(
    partitions.map(async (partition) =>
      log.scan({
        owner,
        concepts: [beliefReading.name],
        status: 'active',
        partition,
        order: 'newest',
        limit: mostBeliefs,
      }),
    ),
  )
  const held = pages
    .flatMap(({ nodes }) => nodes)
    .filter(({ redacted, payload }) => !redacted && !isRoutineStatement(String(payload['content'])))
  const said = held
    .toSorted((a, b) => Number(b.payload['confidence']) - Number(a.payload['confidence']))
    .slice(0, mostBeliefs)
    .map(({ id, payload }) => ({ id, text: String(payload['content']), isUnconfirmed: isUnconfirmed(payload) }))
    .filter((belief) => !known.has(shownId(belief)))
  return [
    ...pieceOfBeliefs(said.filter((belief) => !belief.isUnconfirmed)),
    ...pieceOfBeliefs(said.filter((belief) => belief.isUnconfirmed)),
  ]
}

/** Learned from agent sessions, and not yet seen by a person. */
function isUnconfirmed(payload: Payload): boolean {
  return payload['origin'] === 'sessions' && payload['confirmedAt'] === undefined
}

interface SaidBelief {
  readonly id: string
  readonly text: string
  readonly isUnconfirmed: boolean
}

function pieceOfBeliefs(said: readonly SaidBelief[]): readonly Piece[] {
  const [first] = said
  if (first === undefined) return []
  const text = said.map((belief) => `- ${oneLine(belief.text)}`).join('\n')
  const ids = said.map(shownId)
  return first.isUnconfirmed
    ? [{ label: 'learned from past sessions', source: 'not confirmed by a person', text, ids }]
    : [{ label: 'beliefs', source: 'what was learned', text, ids }]
}
