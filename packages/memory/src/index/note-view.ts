/**
 * The index at one moment, with the notes that changed since laid over it. Each note has a place: first those of the segments, then
 * the tail, then what was laid over. It is used only within one read, because it reads rows when they are asked for.
 */
import type { ByteRows } from '@agentm/nodes/store-kit'
import { stemCode, stemOf } from '../ranking/pure/term-code.ts'
import type { AnalyzedNote } from '../ranking/pure/rank-lexical.ts'
import { factsIn, type NoteState, type Segment } from './note-state.ts'
import { type AnalyzedFile, type IndexedNote, linkNames } from './pure/indexed-note.ts'
import { unpackNote } from './pure/packed-note.ts'
import { eachPlace } from './pure/postings.ts'
import type { NoteScope } from './pure/segment.ts'

/** Notes that were read since the index was written, and ids of notes that are gone. */
export interface Overlay {
  readonly changed: readonly AnalyzedFile[]
  readonly removed: readonly string[]
  /** The codes of the terms of each changed note, ascending. */
  readonly terms: readonly Uint32Array[]
}

export const noOverlay: Overlay = { changed: [], removed: [], terms: [] }

export function overlayOf(changed: readonly AnalyzedFile[], removed: readonly string[]): Overlay {
  if (changed.length + removed.length === 0) return noOverlay
  return { changed, removed, terms: changed.map(({ analyzed }) => analyzed.terms.toSorted()) }
}

export class NoteView {
  readonly state: NoteState
  readonly size: number
  readonly rows: ByteRows
  readonly #bases: readonly number[]
  readonly #tailBase: number
  readonly #overBase: number
  readonly #changed: readonly AnalyzedFile[]
  readonly #changedTerms: readonly Uint32Array[]
  readonly #changedById: ReadonlyMap<string, number>
  readonly #hidden = new Set<number>()

  constructor(rows: ByteRows, state: NoteState, { changed, removed, terms }: Overlay = noOverlay) {
    this.rows = rows
    this.state = state
    let base = 0
    this.#bases = state.segments.map(({ columns }) => (base += columns.numbers.length) - columns.numbers.length)
    this.#tailBase = base
    this.#overBase = base + state.tail.length
    this.size = this.#overBase + changed.length
    this.#changed = []
    this.#changedTerms = terms
    this.#changedById = new Map()
    for (const id of [...removed, ...changed.map(({ note }) => note.id)]) {
      const place = this.find(id)
      if (place !== undefined) this.#hidden.add(place)
    }
    this.#changed = changed
    this.#changedById = new Map(changed.map(({ note }, i) => [note.id, i]))
  }

  /** One for each place with a living note in a wanted scope, otherwise 0. */
  mask(isWanted: (scope: NoteScope) => boolean): Uint8Array {
    const mask = new Uint8Array(this.size)
    for (const [i, { columns, dead }] of this.state.segments.entries()) {
      const base = this.#bases[i] ?? 0
      const wanted = Uint8Array.from(columns.scopes, (scope) => (isWanted(scope) ? 1 : 0))
      const { scopeOf } = columns
      if (dead === undefined && wanted.every((is) => is === 1)) {
        mask.fill(1, base, base + scopeOf.length)
        continue
      }
      for (let at = 0; at < scopeOf.length; at++) if (!isDead(dead, at)) mask[base + at] = wanted[scopeOf[at] ?? 0] ?? 0
    }
    for (const [i, { note }] of this.state.tail.entries()) mask[this.#tailBase + i] = isWanted(note) ? 1 : 0
    for (const [i, { note }] of this.#changed.entries()) mask[this.#overBase + i] = isWanted(note) ? 1 : 0
    for (const place of this.#hidden) mask[place] = 0
    return mask
  }

  /** The places of the notes that contain a term, ascending, dead ones among them. */
  eachHolder(stem: string, visit: (place: number) => void): void {
    const code = stemCode(stem)
    for (const [i, { number }] of this.state.segments.entries()) {
      const base = this.#bases[i] ?? 0
      const bytes = this.rows.get('postings', postingRow(number, code))
      if (bytes !== undefined) eachPlace(bytes, (at) => visit(base + at))
    }
    for (const [i, { terms }] of this.state.tail.entries()) if (holds(terms, code)) visit(this.#tailBase + i)
    for (const [i, terms] of this.#changedTerms.entries()) if (holds(terms, code)) visit(this.#overBase + i)
  }

  /** The places of the notes that were laid over. */
  changedPlaces(): readonly number[] {
    return Array.from(this.#changed, (_, i) => this.#overBase + i)
  }

  /** The living notes with a fact that is looked up by its value, such as a tag. */
  holdersOfFact(name: LookedUp, value: string): readonly IndexedNote[] {
    const found: number[] = []
    const code = factCode(name, value)
    for (const [i, { number, dead }] of this.state.segments.entries()) {
      const bytes = this.rows.get('postings', postingRow(number, code))
      if (bytes !== undefined)
        eachPlace(bytes, (at) => {
          if (!isDead(dead, at)) found.push((this.#bases[i] ?? 0) + at)
        })
    }
    for (let place = this.#tailBase; place < this.size; place++) found.push(place)
    return found
      .filter((place) => !this.#hidden.has(place))
      .flatMap((place) => this.facts(place) ?? [])
      .filter((note) => factsOf(note)[name].includes(value))
  }

  /** The place of a living note. */
  find(id: string): number | undefined {
    const over = this.#changedById.get(id)
    if (over !== undefined) return this.#overBase + over
    const tail = this.state.tailById.get(id)
    if (tail !== undefined) return this.#unhidden(this.#tailBase + tail)
    const code = factCode('id', id)
    for (let i = this.state.segments.length - 1; i >= 0; i--) {
      const { number, dead } = this.state.segments[i] as Segment
      const bytes = this.rows.get('postings', postingRow(number, code))
      let found: number | undefined
      if (bytes !== undefined)
        eachPlace(bytes, (at) => {
          const place = (this.#bases[i] ?? 0) + at
          if (!isDead(dead, at) && this.facts(place)?.id === id) found = place
        })
      if (found !== undefined) return this.#unhidden(found)
    }
    return undefined
  }

  facts(place: number): IndexedNote | undefined {
    if (place >= this.#overBase) return this.#changed[place - this.#overBase]?.note
    if (place >= this.#tailBase) return this.state.tail[place - this.#tailBase]?.note
    const bytes = this.rows.get('facts', this.numberAt(place))
    return bytes === undefined ? undefined : factsIn(bytes)
  }

  /** The facts of all notes in a mask, one after the other: all at once would be several times as large as what is kept of them. */
  *factsIn(mask: Uint8Array): Generator<IndexedNote> {
    for (let place = 0; place < mask.length; place++) {
      const note = mask[place] === 1 ? this.facts(place) : undefined
      if (note !== undefined) yield note
    }
  }

  analyzed(place: number): AnalyzedNote | undefined {
    if (place >= this.#overBase) return this.#changed[place - this.#overBase]?.analyzed
    const bytes = this.rows.get('terms', this.numberAt(place))
    return bytes === undefined ? undefined : unpackNote(bytes)
  }

  /** 0 for a note that was laid over. */
  numberAt(place: number): number {
    if (place >= this.#tailBase) return this.state.tail[place - this.#tailBase]?.number ?? 0
    const [segment, at] = this.#segmentAt(place)
    return segment?.columns.numbers[at] ?? 0
  }

  /** The number of terms at each place. */
  lengths(): Uint32Array {
    const all = new Uint32Array(this.size)
    for (const [i, { columns }] of this.state.segments.entries()) all.set(columns.lengths, this.#bases[i])
    for (const [i, { terms }] of this.state.tail.entries()) all[this.#tailBase + i] = terms.length
    for (const [i, { analyzed }] of this.#changed.entries()) all[this.#overBase + i] = analyzed.length
    return all
  }

  /** When the note at each place was created, or from when it ages, in epoch milliseconds; 0 if unknown. */
  times(of: 'createdAt' | 'agesFrom'): Float64Array {
    const all = new Float64Array(this.size)
    for (const [i, { columns }] of this.state.segments.entries()) all.set(columns[of], this.#bases[i])
    for (const [i, { note }] of this.state.tail.entries()) all[this.#tailBase + i] = note[of]
    for (const [i, { note }] of this.#changed.entries()) all[this.#overBase + i] = note[of]
    return all
  }

  /** The place of each numbered note, dead ones among them. */
  placesByNumber(): ReadonlyMap<number, number> {
    const places = new Map<number, number>()
    for (const [i, { columns }] of this.state.segments.entries())
      for (const [at, number] of columns.numbers.entries()) places.set(number, (this.#bases[i] ?? 0) + at)
    for (const [i, { number }] of this.state.tail.entries()) places.set(number, this.#tailBase + i)
    return places
  }

  /** What is known of every living note without reading its facts. */
  listed(): readonly ListedFacts[] {
    const listed: ListedFacts[] = []
    for (const [i, { number, columns, dead }] of this.state.segments.entries()) {
      const base = this.#bases[i] ?? 0
      const lines = new TextDecoder().decode(this.rows.get('lists', number)).split('\n')
      for (let at = 0; at < columns.numbers.length; at++) {
        if (isDead(dead, at) || this.#hidden.has(base + at)) continue
        const line = lines[at] ?? ''
        const end = line.indexOf('\0')
        const [key, revision] = end === -1 ? [line, undefined] : [line.slice(0, end), line.slice(end + 1)]
        const scope = columns.scopes[columns.scopeOf[at] ?? 0]
        if (scope !== undefined) listed.push({ key, revision, scope, place: base + at })
      }
    }
    for (const [i, { note }] of this.state.tail.entries()) {
      const place = this.#tailBase + i
      if (!this.#hidden.has(place)) listed.push({ key: note.key, revision: note.revision, scope: note, place })
    }
    for (const [i, { note }] of this.#changed.entries())
      listed.push({ key: note.key, revision: note.revision, scope: note, place: this.#overBase + i })
    return listed
  }

  #segmentAt(place: number): readonly [Segment | undefined, number] {
    let i = this.#bases.length - 1
    while (i > 0 && (this.#bases[i] ?? 0) > place) i--
    return [this.state.segments[i], place - (this.#bases[i] ?? 0)]
  }

  #unhidden(place: number): number | undefined {
    return this.#hidden.has(place) ? undefined : place
  }
}

/** What a walk needs to know of an indexed note. */
export interface ListedFacts {
  readonly key: string
  readonly revision: string | undefined
  readonly scope: NoteScope
  readonly place: number
}

/** The facts that notes are looked up by. */
export type LookedUp = 'id' | 'name' | 'print' | 'tag'

export function factsOf(note: IndexedNote): Readonly<Record<LookedUp, readonly string[]>> {
  const { id, print, tags } = note
  return { id: [id], name: linkNames(note), print: print === '' ? [] : [print], tag: tags }
}

/** No word begins with this character, so a fact is never found by a word. */
export function factCode(name: LookedUp, value: string): number {
  return stemCode(`\0${name}:${value}`)
}

export function postingRow(segment: number, code: number): number {
  return segment * 2 ** 28 + code
}

function isDead(dead: Uint8Array | undefined, at: number): boolean {
  return dead !== undefined && ((dead[at >> 3] ?? 0) & (1 << (at & 7))) !== 0
}

/** Whether one of these terms, ascending, is a form of the stem. Terms of one stem are neighbours. */
function holds(terms: Uint32Array, stem: number): boolean {
  let [from, to] = [0, terms.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (stemOf(terms[middle] ?? 0) < stem) from = middle + 1
    else to = middle
  }
  return from < terms.length && stemOf(terms[from] ?? 0) === stem
}
