/**
 * The notes that may answer a question, from the index alone: those that hold its words, those that are near in meaning, and those of the
 * time that it names. None is opened yet.
 */
import type { ItemVector, RecallWeights } from '@agentm/nodes'
import type { IndexDrift } from '../index/note-index.ts'
import type { NoteView } from '../index/note-view.ts'
import { highest, NoteWords } from '../index/note-words.ts'
import { isActive } from '../index/pure/indexed-note.ts'
import type { NoteScope } from '../index/pure/segment.ts'
import type { MemoryContext } from '../memory-context.ts'
import type { RelatedWords } from '../ranking/pure/related-words.ts'
import { closeness, timeSpans } from '../ranking/pure/time-expressions.ts'
import { isReadable, itemOf } from './current-notes.ts'
import { localTime } from './local-time.ts'
import type { FoundItem } from './pure/rank-found.ts'
import type { RecallRequest } from './recall-request.ts'

export interface LikelyNotes {
  readonly items: readonly FoundItem[]
  /** The words of all notes that may be read. */
  readonly words: NoteWords
  /** How many notes have no vector yet. They are found only by words. */
  readonly pending: number
  /** How near each candidate is to the question, by its key. */
  readonly similarities: ReadonlyMap<string, number>
}

export interface AskedNotes {
  readonly request: RecallRequest
  readonly at: number
  readonly partitions: readonly string[]
  readonly drift: IndexDrift
  readonly vector: ItemVector | undefined
  /** Set if the recall formula decides the order: then recent notes are candidates, too. */
  readonly formula: RecallWeights | undefined
}

// Ranking thirty, fifty or a hundred made no difference.
const mostRanked = 80
const mostRankedFiltered = 400
const byMeaning = 60

export function likelyNotes(context: MemoryContext, asked: AskedNotes): LikelyNotes {
  const { corpus } = context
  const { request, partitions, drift } = asked
  // Forgotten notes are not counted in word statistics, but can be asked for by their status.
  const counts = ({ partition, status }: NoteScope) =>
    partitions.includes(partition) && (request.status !== undefined || status !== 'deleted')
  return corpus.notes.read((view) => {
    const words = new NoteWords((look) => corpus.notes.read(look, drift.overlay), counts)
    const wanted = view.mask((scope) => counts(scope) && mayPass(scope, request))
    const near = asked.vector === undefined ? undefined : corpus.notes.similarities(view, asked.vector)
    const places = candidates(view, { ...asked, words, wanted, near, related: context.relatedWords })
    const similarities = new Map<string, number>()
    const items = places.flatMap((place) => {
      const [facts, analyzed] = [view.facts(place), view.analyzed(place)]
      if (facts === undefined || analyzed === undefined) return []
      if (!isReadable(facts, { owner: context.owner, partitions })) return []
      const similarity = near?.[place]
      if (similarity === undefined || Number.isNaN(similarity)) return [itemOf(facts, analyzed)]
      similarities.set(facts.key, similarity)
      return [{ ...itemOf(facts, analyzed), similarity }]
    })
    return { items, words, pending: near === undefined ? 0 : withoutVector(near, wanted), similarities }
  }, drift.overlay)
}

interface Candidates extends AskedNotes {
  readonly related: RelatedWords | undefined
  readonly words: NoteWords
  readonly wanted: Uint8Array
  readonly near: Float32Array | undefined
}

/** The best of each search in turn, and every note that is newer than the index. */
function candidates(view: NoteView, asked: Candidates): readonly number[] {
  const { request, words, wanted, near, formula } = asked
  const most = isFiltered(request) || (request.k ?? 0) > mostRanked / 2 ? mostRankedFiltered : mostRanked
  const lists = [
    near === undefined ? [] : highest(only(Float64Array.from(near), wanted), byMeaning),
    words.likely(view, { text: request.text, related: asked.related, most: most * 2, mask: wanted }),
    ofTheTime(view, asked),
    formula === undefined ? [] : highest(only(view.times('agesFrom'), wanted), most),
  ]
  return [...new Set([...view.changedPlaces(), ...inTurn(lists).slice(0, most)])]
}

function only(values: Float64Array, wanted: Uint8Array): Float64Array {
  for (let i = 0; i < values.length; i++) if (wanted[i] !== 1 || Number.isNaN(values[i])) values[i] = 0
  return values
}

function ofTheTime(view: NoteView, { request, at, wanted }: Candidates): readonly number[] {
  const spans = timeSpans(request.text, at, localTime)
  if (spans.length === 0) return []
  const times = view.times('createdAt').map((time) => (time > 0 && closeness(time, spans, localTime) === 1 ? time : 0))
  return highest(only(times, wanted), mostRanked)
}

function inTurn(lists: readonly (readonly number[])[]): readonly number[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const turns = Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list[i] ?? []))
  return [...new Set(turns.flat())]
}

function withoutVector(near: Float32Array, wanted: Uint8Array): number {
  let count = 0
  for (let i = 0; i < near.length; i++) if (wanted[i] === 1 && Number.isNaN(near[i])) count += 1
  return count
}

export function isFiltered({ kinds, from, to }: RecallRequest): boolean {
  return kinds !== undefined || from !== undefined || to !== undefined
}

/** Whether a note can pass the filters, according to the index. It is checked again once the note is open. */
function mayPass({ kind, status }: NoteScope, request: RecallRequest): boolean {
  const hasStatus = request.status === undefined ? isActive(status) : request.status.includes(status)
  return hasStatus && (request.kinds?.includes(kind) ?? true)
}
