/**
 * One change of the packed index, within a write: notes are removed and added, and segments are made of them. What is removed from a segment
 * is marked, because a segment is never changed.
 */
import type { WritableByteRows } from '@agentm/nodes/store-kit'
import { contentHash } from '@agentm/storage-seam'
import { stemOf } from '../ranking/pure/term-code.ts'
import { type IndexHead, factsIn, type NoteState } from './note-state.ts'
import { embedderName, embedderPlace, packVector, vectorRow } from './note-vectors.ts'
import { factCode, factsOf, NoteView, postingRow } from './note-view.ts'
import type { AnalyzedFile } from './pure/indexed-note.ts'
import { type Tier, mergeFrom } from './pure/merge-plan.ts'
import { packNote, packedTerms } from './pure/packed-note.ts'
import { packPlaces } from './pure/postings.ts'
import { type ColumnNote, columnsOf, packColumns, unpackColumns } from './pure/segment.ts'

export class NoteChange {
  readonly #rows: WritableByteRows
  readonly #state: NoteState
  readonly #view: NoteView
  readonly #dead = new Map<number, Uint8Array>()
  readonly #tail: Set<number>
  readonly #kept = new Map<string, readonly (readonly [embedder: number, vector: Uint8Array])[]>()
  #head: IndexHead

  constructor(rows: WritableByteRows, state: NoteState) {
    this.#rows = rows
    this.#state = state
    this.#view = new NoteView(rows, state)
    this.#head = state.head.epoch === '' ? { ...state.head, epoch: rows.revision } : state.head
    this.#tail = new Set(state.tail.map(({ number }) => number))
  }

  remove(id: string): void {
    const place = this.#view.find(id)
    if (place === undefined) return
    const number = this.#view.numberAt(place)
    this.#keepVectors(number)
    for (const table of ['facts', 'terms', 'stretches']) this.#rows.delete(table, number)
    if (this.#tail.delete(number)) return
    const segment = this.#state.segments.find(({ columns }) => (columns.numbers.at(-1) ?? 0) >= number)
    if (segment !== undefined) this.#kill(segment.number, segment.columns.numbers.indexOf(number))
  }

  add({ note, analyzed, stretches }: AnalyzedFile): void {
    const number = this.#head.next
    this.#head = { ...this.#head, next: number + 1 }
    this.#rows.put('facts', number, new TextEncoder().encode(JSON.stringify(note)))
    this.#rows.put('terms', number, packNote(analyzed))
    const hashes = hashesOf(stretches)
    this.#rows.put('stretches', number, hashes)
    this.#tail.add(number)
    for (const [i, hash] of splitHashes(hashes).entries())
      for (const [embedder, vector] of this.#kept.get(hash) ?? [])
        this.#rows.put('vectors', vectorRow(embedder, number, i), vector)
  }

  /** The position of this embedder, added if it is new. */
  embedderPlace(embedder: { readonly name: string; readonly dimensions: number }): number {
    const known = embedderPlace({ head: this.#head }, embedder)
    if (known !== -1) return known
    this.#head = { ...this.#head, embedders: [...this.#head.embedders, embedderName(embedder)] }
    return this.#head.embedders.length - 1
  }

  putVectors(embedder: number, vectors: readonly StretchVector[]): number {
    const wanted = vectors.filter(
      ({ note, stretch, hash }) => splitHashes(this.#rows.get('stretches', note))[stretch] === hash,
    )
    for (const { note, stretch, values } of wanted)
      this.#rows.put('vectors', vectorRow(embedder, note, stretch), packVector(values))
    return wanted.length
  }

  /** A stretch that says the same in the next version of its note needs no vector again. */
  #keepVectors(note: number): void {
    const hashes = splitHashes(this.#rows.get('stretches', note))
    for (const embedder of this.#head.embedders.keys())
      for (const [i, hash] of hashes.entries()) {
        const row = vectorRow(embedder, note, i)
        const vector = this.#rows.get('vectors', row)
        if (vector !== undefined) this.#kept.set(hash, [...(this.#kept.get(hash) ?? []), [embedder, vector]])
        this.#rows.delete('vectors', row)
      }
  }

  /** Makes a segment of the tail if it is longer than that, then larger segments of small ones. */
  pack(longest: number): void {
    if (this.#tail.size > longest) {
      this.#makeSegment([...this.#tail])
      this.#tail.clear()
    }
    for (;;) {
      const tiers = this.#head.segments.map((segment) => this.#tierOf(segment))
      const from = mergeFrom(tiers)
      if (from === undefined) return
      this.#merge(from)
    }
  }

  /** Makes all segments anew, without notes that were removed. */
  repackAll(): void {
    if (this.#head.segments.length > 0) this.#merge(0)
  }

  end(): void {
    for (const [segment, dead] of this.#dead)
      if (this.#head.segments.includes(segment)) this.#rows.put('dead', segment, dead)
    this.#rows.put('head', 0, new TextEncoder().encode(JSON.stringify(this.#head)))
  }

  #kill(segment: number, at: number): void {
    const known = this.#dead.get(segment)
    const dead = known ?? this.#state.segments.find(({ number }) => number === segment)?.dead?.slice()
    const bits = dead ?? new Uint8Array(Math.ceil(this.#countOf(segment) / 8))
    bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7))
    this.#dead.set(segment, bits)
  }

  /** Makes one segment of the last ones, from the one at this position on. */
  #merge(from: number): void {
    const merged = this.#head.segments.slice(from)
    const numbers = merged.flatMap((segment) => this.#livingIn(segment))
    for (const segment of merged) {
      for (const table of ['segments', 'lists', 'dead']) this.#rows.delete(table, segment)
      this.#rows.delete('postings', postingRow(segment, 0), postingRow(segment + 1, 0))
    }
    this.#head = { ...this.#head, segments: this.#head.segments.slice(0, from) }
    if (numbers.length > 0) this.#makeSegment(numbers)
  }

  #makeSegment(numbers: readonly number[]): void {
    const segment = this.#head.nextSegment
    const holders = new Map<number, number[]>()
    // Of a whole store, all facts at once would be ten times as large as what the columns need.
    const notes: ColumnNote[] = []
    const lines: string[] = []
    for (const number of numbers) {
      const [facts, terms] = [this.#rows.get('facts', number), this.#rows.get('terms', number)]
      if (facts === undefined || terms === undefined) continue
      const note = factsIn(facts)
      const codes = packedTerms(terms)
      const { key, revision, partition, kind, status, isOwn, createdAt, agesFrom } = note
      const place =
        notes.push({ number, length: codes.length, partition, kind, status, isOwn, createdAt, agesFrom }) - 1
      lines.push(revision === undefined ? key : `${key}\0${revision}`)
      for (const code of codes) addHolder(holders, stemOf(code), place)
      for (const [name, values] of Object.entries(factsOf(note)))
        for (const value of values) addHolder(holders, factCode(name as keyof ReturnType<typeof factsOf>, value), place)
    }
    for (const code of Uint32Array.from(holders.keys()).toSorted())
      this.#rows.put('postings', postingRow(segment, code), packPlaces(holders.get(code) ?? []))
    this.#rows.put('segments', segment, packColumns(columnsOf(notes)))
    this.#rows.put('lists', segment, new TextEncoder().encode(lines.join('\n')))
    this.#head = { ...this.#head, nextSegment: segment + 1, segments: [...this.#head.segments, segment] }
  }

  #livingIn(segment: number): readonly number[] {
    const numbers = this.#numbersOf(segment)
    return numbers.filter((number) => this.#rows.get('facts', number) !== undefined)
  }

  #tierOf(segment: number): Tier {
    const dead = this.#dead.get(segment) ?? this.#state.segments.find(({ number }) => number === segment)?.dead
    return { notes: this.#countOf(segment), dead: dead?.reduce((sum, bits) => sum + bitsIn(bits), 0) ?? 0 }
  }

  #countOf(segment: number): number {
    return this.#numbersOf(segment).length
  }

  #numbersOf(segment: number): readonly number[] {
    const known = this.#state.segments.find(({ number }) => number === segment)
    if (known !== undefined) return [...known.columns.numbers]
    const bytes = this.#rows.get('segments', segment)
    return bytes === undefined ? [] : [...unpackColumns(bytes).numbers]
  }
}

function addHolder(holders: Map<number, number[]>, code: number, place: number): void {
  const known = holders.get(code)
  if (known === undefined) holders.set(code, [place])
  else if (known.at(-1) !== place) known.push(place)
}

/** The hashes of the texts whose meaning is compared, by which their vectors are cached. */
function hashesOf(stretches: readonly string[]): Uint8Array {
  return Buffer.concat(stretches.map((text) => Buffer.from(contentHash(text.toWellFormed()), 'hex')))
}

/** The hashes in that form, one for each stretch. */
export function splitHashes(bytes: Uint8Array | undefined): readonly string[] {
  const hex = Buffer.from(bytes ?? []).toString('hex')
  return Array.from({ length: hex.length / 64 }, (_, i) => hex.slice(64 * i, 64 * (i + 1)))
}

/** The vector of one stretch, with the hash of the text that it was made of. */
export interface StretchVector {
  readonly note: number
  readonly stretch: number
  readonly hash: string
  readonly values: ArrayLike<number>
}

function bitsIn(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1
  return count
}
