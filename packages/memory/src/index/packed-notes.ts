/**
 * The index of one store's notes in tables of bytes. A note is two rows, its facts and its terms, under a number of its own; a changed
 * note gets a new number. Some hundred notes at a time become a segment, which lists the notes of each term, and segments of one
 * size become a larger one. So a write costs little, and a question reads a few rows for each of its words.
 */
import type { ByteTables, WritableByteRows } from '@agentm/nodes/store-kit'
import { contentHash } from '@agentm/storage-seam'
import { stemOf } from '../ranking/pure/term-code.ts'
import { type IndexHead, factsIn, isOfThisForm, type NoteState, readState } from './note-state.ts'
import { factCode, factsOf, noOverlay, NoteView, type Overlay, postingRow } from './note-view.ts'
import type { AnalyzedFile, IndexedNote } from './pure/indexed-note.ts'
import { type Tier, mergeFrom } from './pure/merge-plan.ts'
import { packNote, packedTerms } from './pure/packed-note.ts'
import { packPlaces } from './pure/postings.ts'
import { embedderName, embedderPlace, NoteVectors, packVector, vectorRow } from './note-vectors.ts'
import { columnsOf, packColumns, unpackColumns } from './pure/segment.ts'

/** More notes in no segment would slow down every question. */
const longestTail = 128
/** While a whole store is indexed, larger segments are made at once. */
const longestTailOfMany = 4096

export class PackedNotes {
  readonly #tables: ByteTables
  readonly #space: string
  readonly #vectors = new Map<number, NoteVectors>()
  #vectorsOf = ''
  #state: NoteState | undefined
  #places: { readonly view: NoteState; readonly byNumber: ReadonlyMap<number, number> } | undefined
  #reading: NoteView | undefined

  constructor(tables: ByteTables, space: string) {
    this.#tables = tables
    this.#space = space
  }

  /** Calls `look` on one state of the index. A read within a read sees the same view, overlay included. */
  read<T>(look: (view: NoteView) => T, overlay: Overlay = noOverlay): T {
    if (this.#reading !== undefined) return look(this.#reading)
    return this.#tables.read(this.#space, (rows) => {
      this.#state = readState(rows, this.#state)
      this.#reading = new NoteView(rows, this.#state, overlay)
      try {
        return look(this.#reading)
      } finally {
        this.#reading = undefined
      }
    })
  }

  /** Adds or replaces notes. With `areMany`, segments are made of many notes; the last write of many goes without it. */
  async put(files: readonly AnalyzedFile[], { areMany = false }: { readonly areMany?: boolean } = {}): Promise<void> {
    await this.#write((change) => {
      for (const { note } of files) change.remove(note.id)
      for (const file of files) change.add(file)
      change.pack(areMany ? longestTailOfMany : longestTail)
    })
  }

  async remove(ids: readonly string[], { erase = false }: { readonly erase?: boolean } = {}): Promise<void> {
    await this.#write(
      (change) => {
        for (const id of ids) change.remove(id)
        // A segment still names the keys of removed notes.
        if (erase) change.repackAll()
      },
      { erase },
    )
  }

  /** How near each place of the view is to the question; NaN for a note without a vector of this embedder. */
  similarities(
    view: NoteView,
    vector: { readonly embedder: string; readonly values: ArrayLike<number> },
  ): Float32Array {
    const vectors = this.vectorsOf({ name: vector.embedder, dimensions: vector.values.length })
    if (vectors === undefined) return new Float32Array(view.size).fill(Number.NaN)
    if (this.#places?.view !== view.state) this.#places = { view: view.state, byNumber: view.placesByNumber() }
    return vectors.similarities(vector.values, this.#places.byNumber, view.size)
  }

  /** The vectors of this embedder, as they are now; `undefined` if there are none. Only within a read. */
  vectorsOf(embedder: { readonly name: string; readonly dimensions: number }): NoteVectors | undefined {
    return this.read((view) => {
      const place = embedderPlace(view.state, embedder)
      if (place === -1) return undefined
      const { epoch } = view.state.head
      if (this.#vectorsOf !== epoch) this.#vectors.clear()
      this.#vectorsOf = epoch
      const known = this.#vectors.get(place) ?? new NoteVectors(place, embedder.dimensions)
      this.#vectors.set(place, known)
      known.follow(view.rows)
      return known
    })
  }

  /** Keeps vectors, and returns how many were still needed. */
  async putVectors(
    embedder: { readonly name: string; readonly dimensions: number },
    vectors: readonly StretchVector[],
  ): Promise<number> {
    return this.#write((change) => change.putVectors(change.embedderPlace(embedder), vectors))
  }

  async clear(): Promise<void> {
    this.#vectors.clear()
    await this.#tables.write(this.#space, (rows) => rows.clear())
  }

  async #write<T>(work: (change: Change) => T, options: { readonly erase?: boolean } = {}): Promise<T> {
    return this.#tables.write(
      this.#space,
      (rows) => {
        if (!isOfThisForm(rows)) rows.clear()
        const change = new Change(rows, readState(rows, this.#state))
        const answer = work(change)
        change.end()
        return answer
      },
      options,
    )
  }
}

/** One change of the index, within a write. */
class Change {
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
    const notes: (IndexedNote & { readonly number: number; readonly length: number })[] = []
    for (const number of numbers) {
      const [facts, terms] = [this.#rows.get('facts', number), this.#rows.get('terms', number)]
      if (facts === undefined || terms === undefined) continue
      const note = factsIn(facts)
      const codes = packedTerms(terms)
      const place = notes.push({ ...note, number, length: codes.length }) - 1
      for (const code of codes) addHolder(holders, stemOf(code), place)
      for (const [name, values] of Object.entries(factsOf(note)))
        for (const value of values) addHolder(holders, factCode(name as keyof ReturnType<typeof factsOf>, value), place)
    }
    for (const code of Uint32Array.from(holders.keys()).toSorted())
      this.#rows.put('postings', postingRow(segment, code), packPlaces(holders.get(code) ?? []))
    this.#rows.put('segments', segment, packColumns(columnsOf(notes)))
    const lines = notes.map(({ key, revision }) => (revision === undefined ? key : `${key}\0${revision}`))
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
