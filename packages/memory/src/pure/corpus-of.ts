/** What the ranking must know of all notes, and the notes that hold a question's rarest words: both from their term codes. */
import type { IndexedNote } from './indexed-note.ts'
import type { CorpusStatistics } from './rank-lexical.ts'
import { hasTerm, termCode } from './term-codes.ts'
import { termsOf } from './tokenize.ts'

export type CountedNote = Pick<IndexedNote, 'key' | 'length' | 'codes'>

export class Corpus implements CorpusStatistics {
  readonly documents: number
  readonly averageLength: number
  readonly #notes: readonly CountedNote[]
  readonly #holders = new Map<string, readonly number[]>()

  constructor(notes: readonly CountedNote[]) {
    this.#notes = notes
    this.documents = Math.max(1, notes.length)
    this.averageLength = Math.max(1, notes.reduce((sum, { length }) => sum + length, 0) / this.documents)
  }

  documentFrequency(stem: string): number {
    return this.#holdersOf(stem).length
  }

  /** Keys of the notes that hold most of what the question says, the rarest words counting most. */
  likely(question: string, most: number): readonly string[] {
    const weights = new Map<number, number>()
    for (const stem of new Set(termsOf(question).map((term) => term.stem))) {
      const holders = this.#holdersOf(stem)
      const rarity = Math.log(1 + (this.documents - holders.length + 0.5) / (holders.length + 0.5))
      for (const holder of holders) weights.set(holder, (weights.get(holder) ?? 0) + rarity)
    }
    const best = [...weights].toSorted(([a, one], [b, other]) => other - one || a - b).slice(0, most)
    return best.map(([i]) => this.#notes[i]?.key ?? '')
  }

  #holdersOf(stem: string): readonly number[] {
    const known = this.#holders.get(stem)
    if (known !== undefined) return known
    const code = termCode(stem)
    const holders = [...this.#notes.keys()].filter((i) => hasTerm(this.#notes[i]?.codes ?? '', code))
    this.#holders.set(stem, holders)
    return holders
  }
}
