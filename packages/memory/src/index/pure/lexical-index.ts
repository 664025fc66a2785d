/**
 * The term statistics that ranking needs over all notes, and the notes that contain a question's rarest words. Both are computed
 * from term codes.
 */
import type { IndexedNote } from './indexed-note.ts'
import type { CorpusStatistics } from '../../ranking/pure/rank-lexical.ts'
import { hasTerm, termCode, termNumber } from './term-codes.ts'
import { TermIndex } from './term-index.ts'
import { termsOf } from '../../ranking/pure/tokenize.ts'

export type CountedNote = Pick<IndexedNote, 'key' | 'length' | 'codes'>

/** The term index that the corpora of one memory share. It is built once enough questions were asked to make it worth it. */
export interface SharedTerms {
  index?: TermIndex<CountedNote>
}

// Built at the second or third query, because a single query is faster without it.
const mostLooks = 16
// BM25 of a word that occurs once, with a length penalty of .4; measured by `npm run eval -- recall`, the optimum is flat.
const lengthWeight = 1.2 * 0.4
const averageWeight = 1 + 1.2 * (1 - 0.4)
/** A shared index is used if it lacks at most one in this many notes. */
const oneIn = 20

export class LexicalIndex implements CorpusStatistics {
  readonly documents: number
  readonly averageLength: number
  readonly #notes: readonly CountedNote[]
  readonly #shared: SharedTerms
  #holders = new Map<string, ArrayLike<number>>()
  #looks = 0
  #index: IndexOver | undefined

  constructor(notes: readonly CountedNote[], shared: SharedTerms = {}) {
    this.#notes = notes
    this.#shared = shared
    this.documents = Math.max(1, notes.length)
    this.averageLength = Math.max(1, notes.reduce((sum, { length }) => sum + length, 0) / this.documents)
    if (shared.index !== undefined) this.#index = indexOver(shared.index, notes)
  }

  documentFrequency(stem: string): number {
    return this.#holdersOf(stem).length
  }

  /**
   * Keys of the notes that hold most of what the question says: rare words count most, and a long note that holds them counts less
   * than a short one.
   */
  likely(question: string, most: number, isWanted: (key: string) => boolean = () => true): readonly string[] {
    const weights = new Float64Array(this.#notes.length)
    for (const stem of new Set(termsOf(question).map((term) => term.stem))) {
      const holders = this.#holdersOf(stem)
      const rarity = Math.log(1 + (this.documents - holders.length + 0.5) / (holders.length + 0.5))
      for (let i = 0; i < holders.length; i++) {
        const holder = holders[i] ?? 0
        weights[holder] = (weights[holder] ?? 0) + rarity
      }
    }
    for (const [i, { key, length }] of this.#notes.entries()) {
      const weight = weights[i] ?? 0
      if (weight > 0)
        weights[i] = isWanted(key) ? weight / (averageWeight + lengthWeight * (length / this.averageLength)) : 0
    }
    const least = Math.max(Number.MIN_VALUE, weights.toSorted().at(-most) ?? 0)
    const best = [...weights.keys()].filter((i) => (weights[i] ?? 0) >= least)
    const inOrder = best.toSorted((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b)
    return inOrder.slice(0, most).map((i) => this.#notes[i]?.key ?? '')
  }

  #holdersOf(stem: string): ArrayLike<number> {
    if (this.#index !== undefined) return this.#index.holders(stem)
    const known = this.#holders.get(stem)
    if (known !== undefined) return known
    if (this.#looks === mostLooks) return this.#indexed().holders(stem)
    this.#looks += 1
    const holders = placesOf(this.#notes, termCode(stem))
    this.#holders.set(stem, holders)
    return holders
  }

  #indexed(): IndexOver {
    const index = new TermIndex(this.#notes)
    this.#shared.index = index
    this.#holders = new Map()
    this.#index = { holders: (stem) => index.holders(termNumber(stem)) }
    return this.#index
  }
}

interface IndexOver {
  holders(stem: string): ArrayLike<number>
}

/** An index of nearly the same notes. Notes that it does not contain are searched one by one. */
function indexOver(index: TermIndex<CountedNote>, notes: readonly CountedNote[]): IndexOver | undefined {
  const isSame = index.notes.length === notes.length && notes.every((note, i) => note === index.notes[i])
  if (isSame) return { holders: (stem) => index.holders(termNumber(stem)) }
  const places = new Map(notes.map((note, i) => [note, i]))
  const placeNow = index.notes.map((note) => places.get(note) ?? -1)
  for (const note of index.notes) places.delete(note)
  if (places.size > notes.length / oneIn) return undefined
  const others = [...places]
  return {
    holders: (stem) => {
      const code = termCode(stem)
      const known = Array.from(index.holders(termNumber(stem)), (place) => placeNow[place] ?? -1)
      return [
        ...known.filter((place) => place !== -1),
        ...others.flatMap(([{ codes }, place]) => (hasTerm(codes, code) ? [place] : [])),
      ]
    },
  }
}

function placesOf(notes: readonly CountedNote[], code: string): readonly number[] {
  return [...notes.keys()].filter((i) => hasTerm(notes[i]?.codes ?? '', code))
}
