/**
 * The vectors of one embedder over the notes, in the memory of this process, as 8-bit rows. A note has one for each of its stretches and is
 * as near to a question as the nearest of them.
 */
import type { ByteRows } from '@agentm/nodes/store-kit'
import { createSift, quantizeQuery, quantizeRow, rowBytes, siftBlock, writeRow } from '@agentm/nodes/store-kit'
import type { NoteState } from './note-state.ts'

/** The stretch of a note as a row of the table of vectors: first the embedder, then the note, then the stretch. */
export function vectorRow(embedder: number, note: number, stretch: number): number {
  return (embedder * 2 ** 29 + note) * 2 ** 7 + stretch
}

function noteOfRow(row: number): number {
  return Math.floor(row / 2 ** 7) % 2 ** 29
}

/** The position of an embedder among those of an index. Two with one name and other dimensions are two. */
export function embedderPlace(
  { head }: Pick<NoteState, 'head'>,
  { name, dimensions }: { readonly name: string; readonly dimensions: number },
): number {
  return head.embedders.indexOf(embedderName({ name, dimensions }))
}

export function embedderName({ name, dimensions }: { readonly name: string; readonly dimensions: number }): string {
  return `${name}/${dimensions}`
}

/** A vector as it is kept. */
export function packVector(values: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(rowBytes(values.length))
  writeRow(bytes.buffer, 0, quantizeRow(unit(values)))
  return bytes
}

export class NoteVectors {
  readonly #embedder: number
  readonly #dimensions: number
  readonly #sift: ReturnType<typeof createSift>
  readonly #noteOf: number[] = []
  readonly #errors: number[] = []
  readonly #loaded = new Set<number>()
  #revision: string | undefined
  #room = 0

  constructor(embedder: number, dimensions: number) {
    this.#embedder = embedder
    this.#dimensions = dimensions
    this.#sift = createSift(dimensions)
  }

  /** Adds the rows that were written since. Rows of notes that are gone stay, and match no place. */
  follow(rows: ByteRows): void {
    if (this.#revision === rows.revision) return
    this.#revision = rows.revision
    const [from, to] = [vectorRow(this.#embedder, 0, 0), vectorRow(this.#embedder + 1, 0, 0)]
    for (const number of rows.numbers('vectors', from, to)) {
      if (this.#loaded.has(number)) continue
      const bytes = rows.get('vectors', number)
      if (bytes?.byteLength !== rowBytes(this.#dimensions)) continue
      this.#add(number, bytes)
    }
  }

  /** How near each place is to the question, from -1 to 1; NaN for a note without a vector. */
  similarities(query: ArrayLike<number>, placeOf: ReadonlyMap<number, number>, size: number): Float32Array {
    const near = new Float32Array(size).fill(Number.NaN)
    const quantized = quantizeQuery(unit(query))
    this.#sift.setQuery(quantized)
    for (let from = 0; from < this.#noteOf.length; from += siftBlock) {
      const { count, numbers, bounds } = this.#sift.sift(from, Math.min(siftBlock, this.#noteOf.length - from), -2)
      for (let i = 0; i < count; i++) {
        const row = from + (numbers[2 * i] ?? 0)
        const place = placeOf.get(this.#noteOf[row] ?? 0)
        if (place === undefined) continue
        // The sieve gives an upper bound; the largest possible error of the row is taken off again.
        const cosine = Math.min(1, (bounds[2 * i + 1] ?? 0) - (this.#errors[row] ?? 0) - quantized.error)
        if (!(cosine <= (near[place] ?? Number.NaN))) near[place] = cosine
      }
    }
    return near
  }

  #add(number: number, bytes: Uint8Array): void {
    const row = this.#noteOf.length
    if (row >= this.#room) {
      this.#room = Math.max(1024, this.#room * 2)
      this.#sift.reserve(this.#room)
    }
    this.#sift.setRows(row, bytes)
    this.#noteOf.push(noteOfRow(number))
    const tail = bytes.slice(bytes.byteLength - 12, bytes.byteLength - 8)
    this.#errors.push(new Float32Array(tail.buffer)[0] ?? 0)
    this.#loaded.add(number)
  }
}

function unit(values: ArrayLike<number>): Float32Array {
  const vector = Float32Array.from(values)
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1
  return vector.map((value) => value / length)
}
