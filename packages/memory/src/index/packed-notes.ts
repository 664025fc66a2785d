/**
 * The index of one store's notes in tables of bytes. A note is two rows, its facts and its terms, under a number of its own; a changed
 * note gets a new number. Some hundred notes at a time become a segment, which lists the notes of each term, and segments of one
 * size become a larger one. So a write costs little, and a question reads a few rows for each of its words.
 */
import type { ByteTables } from '@agentm/nodes/store-kit'
import { NoteChange, type StretchVector } from './note-change.ts'
import { isOfThisForm, type NoteState, readState } from './note-state.ts'
import { embedderPlace, NoteVectors } from './note-vectors.ts'
import { noOverlay, NoteView, type Overlay } from './note-view.ts'
import type { AnalyzedFile } from './pure/indexed-note.ts'

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

  async #write<T>(work: (change: NoteChange) => T, options: { readonly erase?: boolean } = {}): Promise<T> {
    return this.#tables.write(
      this.#space,
      (rows) => {
        if (!isOfThisForm(rows)) rows.clear()
        const change = new NoteChange(rows, readState(rows, this.#state))
        const answer = work(change)
        change.end()
        return answer
      },
      options,
    )
  }
}
