/**
 * The columns of one segment: the facts of its notes by which a question picks them, in a few bytes each. A segment is never changed. Which of
 * its notes were replaced since is kept apart.
 */
import { wordsIn } from './packed-note.ts'

/** What many notes share. A filter is evaluated once for each scope. */
export interface NoteScope {
  readonly partition: string
  readonly kind: string
  readonly status: string
  readonly isOwn: boolean
}

export interface NoteColumns {
  readonly scopes: readonly NoteScope[]
  /** The number of each note; a later number is a later version. */
  readonly numbers: Uint32Array
  /** The place of each note's scope in `scopes`. */
  readonly scopeOf: Uint32Array
  /** The number of terms of each note. */
  readonly lengths: Uint32Array
  /** In epoch milliseconds. */
  readonly createdAt: Float64Array
  readonly agesFrom: Float64Array
}

export function packColumns(columns: NoteColumns): Uint8Array {
  const { scopes, numbers, scopeOf, lengths, createdAt, agesFrom } = columns
  const head = new TextEncoder().encode(JSON.stringify({ scopes, count: numbers.length }))
  // Columns of eight bytes come first, so that each begins at a multiple of its width.
  const start = 8 * Math.ceil((4 + head.length) / 8)
  const bytes = new Uint8Array(start + numbers.length * 28)
  new DataView(bytes.buffer).setUint32(0, head.length, true)
  bytes.set(head, 4)
  let at = start
  for (const column of [createdAt, agesFrom, numbers, scopeOf, lengths]) {
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at)
    at += column.byteLength
  }
  return bytes
}

export function unpackColumns(packed: Uint8Array): NoteColumns {
  const bytes = packed.byteOffset % 8 === 0 ? packed : packed.slice()
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
  const { scopes, count } = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as {
    readonly scopes: readonly NoteScope[]
    readonly count: number
  }
  const start = 8 * Math.ceil((4 + length) / 8)
  const wide = (i: number) => new Float64Array(bytes.buffer, bytes.byteOffset + start + i * 8 * count, count)
  const narrow = (i: number) =>
    wordsIn(bytes.subarray(start + 16 * count + i * 4 * count, start + 16 * count + (i + 1) * 4 * count))
  return {
    scopes,
    createdAt: wide(0),
    agesFrom: wide(1),
    numbers: narrow(0),
    scopeOf: narrow(1),
    lengths: narrow(2),
  }
}

/** What the columns say of one note. */
export interface ColumnNote extends NoteScope {
  readonly number: number
  readonly length: number
  readonly createdAt: number
  readonly agesFrom: number
}

/** Collects notes into columns. */
export function columnsOf(notes: readonly ColumnNote[]): NoteColumns {
  const places = new Map<string, number>()
  const scopes: NoteScope[] = []
  const scopeOf = Uint32Array.from(notes, ({ partition, kind, status, isOwn }) => {
    const name = JSON.stringify([partition, kind, status, isOwn])
    const known = places.get(name)
    if (known !== undefined) return known
    places.set(name, scopes.length)
    return scopes.push({ partition, kind, status, isOwn }) - 1
  })
  return {
    scopes,
    scopeOf,
    numbers: Uint32Array.from(notes, ({ number }) => number),
    lengths: Uint32Array.from(notes, ({ length }) => length),
    createdAt: Float64Array.from(notes, ({ createdAt }) => createdAt),
    agesFrom: Float64Array.from(notes, ({ agesFrom }) => agesFrom),
  }
}
