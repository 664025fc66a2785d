/** Lists the notes that contain a term, for notes that are searched often. It takes four bytes for each term of each note. */
import { codeLength, codesIn } from './term-codes.ts'

export interface CodedNote {
  readonly codes: string
}

export class TermIndex<N extends CodedNote = CodedNote> {
  readonly notes: readonly N[]
  /** The row of each term in `#ends`. */
  readonly #rows = new Map<number, number>()
  readonly #ends: Uint32Array
  readonly #holders: Uint32Array

  constructor(notes: readonly N[]) {
    this.notes = notes
    const counts: number[] = []
    let total = 0
    for (const { codes } of notes) {
      total += codes.length / codeLength
      for (const code of codesIn(codes)) {
        const row = this.#rows.get(code)
        if (row === undefined) this.#rows.set(code, counts.push(1) - 1)
        else counts[row] = (counts[row] ?? 0) + 1
      }
    }
    this.#ends = new Uint32Array(counts.length)
    this.#holders = new Uint32Array(total)
    this.#fill(counts)
  }

  /** Positions in `notes`, in ascending order. */
  holders(code: number): Uint32Array {
    const row = this.#rows.get(code)
    if (row === undefined) return new Uint32Array(0)
    return this.#holders.subarray(row === 0 ? 0 : this.#ends[row - 1], this.#ends[row])
  }

  #fill(counts: readonly number[]): void {
    let end = 0
    const next = counts.map((count) => (end += count) - count)
    for (const [place, { codes }] of this.notes.entries()) {
      for (const code of codesIn(codes)) {
        const row = this.#rows.get(code) ?? 0
        const at = next[row] ?? 0
        this.#holders[at] = place
        next[row] = at + 1
      }
    }
    this.#ends.set(next)
  }
}
