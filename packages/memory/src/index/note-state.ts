/**
 * What is read of the index once for each of its revisions: the columns of the segments, and the notes that came since the last of
 * them was made. Segments never change, so the next revision takes over those that it still has.
 */
import type { ByteRows } from '@agentm/nodes/store-kit'
import { indexForm, type IndexedNote } from './pure/indexed-note.ts'
import { packedTerms } from './pure/packed-note.ts'
import { type NoteColumns, unpackColumns } from './pure/segment.ts'

/** The first row of the index. */
export interface IndexHead {
  readonly form: number
  /** Differs between two indexes that were begun one after the other, because both number their notes and segments from 1. */
  readonly epoch: string
  /** The number of the next note. */
  readonly next: number
  readonly nextSegment: number
  /** The segments in the order of their notes. */
  readonly segments: readonly number[]
  /** The names of embedders. Vectors are kept under their positions. */
  readonly embedders: readonly string[]
}

export const emptyHead: IndexHead = {
  form: indexForm,
  epoch: '',
  next: 1,
  nextSegment: 1,
  segments: [],
  embedders: [],
}

export interface Segment {
  readonly number: number
  readonly columns: NoteColumns
  /** One bit for each note that was replaced or removed since. */
  readonly dead: Uint8Array | undefined
}

/** A note that is in no segment yet. */
export interface TailNote {
  readonly number: number
  readonly note: IndexedNote
  /** The codes of its terms, ascending, so that a word is found without comparing all of them. */
  readonly terms: Uint32Array
}

export interface NoteState {
  readonly revision: string
  readonly head: IndexHead
  readonly segments: readonly Segment[]
  readonly tail: readonly TailNote[]
  /** The place of each note of the tail in it, by id. */
  readonly tailById: ReadonlyMap<string, number>
}

export function readState(rows: ByteRows, before: NoteState | undefined): NoteState {
  if (before?.revision === rows.revision && rows.revision !== '') return before
  const head = headOf(rows)
  const earlier = before?.head.epoch === head.epoch ? before : undefined
  const known = new Map(earlier?.segments.map((segment) => [segment.number, segment.columns]))
  const segments = head.segments.flatMap((number) => {
    const columns = known.get(number) ?? columnsIn(rows, number)
    return columns === undefined ? [] : [{ number, columns, dead: rows.get('dead', number) }]
  })
  const last = segments.at(-1)?.columns.numbers.at(-1) ?? 0
  const knownTail = new Map(earlier?.tail.map((each) => [each.number, each]))
  const tail = Array.from(rows.range('facts', last + 1), ([number, bytes]): TailNote => {
    const kept = knownTail.get(number)
    if (kept !== undefined) return kept
    const terms = packedTerms(rows.get('terms', number) ?? new Uint8Array(12)).toSorted()
    return { number, note: factsIn(bytes), terms }
  })
  return { revision: rows.revision, head, segments, tail, tailById: new Map(tail.map(({ note }, i) => [note.id, i])) }
}

/** An index of another form counts as empty; the next writer clears it. */
function headOf(rows: ByteRows): IndexHead {
  const bytes = rows.get('head', 0)
  if (bytes === undefined) return emptyHead
  const head = JSON.parse(new TextDecoder().decode(bytes)) as IndexHead
  return head.form === indexForm ? head : emptyHead
}

export function isOfThisForm(rows: ByteRows): boolean {
  return rows.get('head', 0) !== undefined && headOf(rows) !== emptyHead
}

function columnsIn(rows: ByteRows, number: number): NoteColumns | undefined {
  const bytes = rows.get('segments', number)
  return bytes === undefined ? undefined : unpackColumns(bytes)
}

export function factsIn(bytes: Uint8Array): IndexedNote {
  return JSON.parse(new TextDecoder().decode(bytes)) as IndexedNote
}
