/**
 * The words of the notes that a question may be answered from: how rare each is among them, and which notes hold most of what the
 * question says.
 */
import type { CorpusStatistics } from '../ranking/pure/rank-lexical.ts'
import { questionTerms } from '../ranking/pure/question-terms.ts'
import { frequencyOf, rarity } from '../ranking/pure/rarity.ts'
import { type RelatedWords, relativesIn } from '../ranking/pure/related-words.ts'
import type { NoteView } from './note-view.ts'
import type { NoteScope } from './pure/segment.ts'

// BM25 of a word that occurs once, with a small length penalty: of long notes that hold the rarest word, the ranking reads the passages.
const lengthPenalty = 0.2
const lengthWeight = 1.2 * lengthPenalty
const averageWeight = 1 + 1.2 * (1 - lengthPenalty)

/** Reads one view; a read within a read gets the same one. */
export type ReadNotes = <T>(look: (view: NoteView) => T) => T

export interface Likely {
  readonly text: string
  /** Words that can stand for those of the text (default: none). */
  readonly related?: RelatedWords | undefined
  readonly most: number
  /** The notes to choose from (default: those that the statistics count). */
  readonly mask?: Uint8Array
}

export class NoteWords implements CorpusStatistics {
  readonly documents: number
  readonly averageLength: number
  readonly #read: ReadNotes
  readonly #isWanted: (scope: NoteScope) => boolean
  readonly #frequencies = new Map<string, number>()
  #known: { readonly view: NoteView; readonly mask: Uint8Array; readonly lengths: Uint32Array } | undefined

  constructor(read: ReadNotes, isWanted: (scope: NoteScope) => boolean) {
    this.#read = read
    this.#isWanted = isWanted
    const [documents, total] = read((view) => {
      const { mask, lengths } = this.#of(view)
      let [count, sum] = [0, 0]
      for (let i = 0; i < mask.length; i++)
        if (mask[i] === 1) {
          count += 1
          sum += lengths[i] ?? 0
        }
      return [count, sum]
    })
    this.documents = Math.max(1, documents)
    this.averageLength = Math.max(1, total / this.documents)
  }

  documentFrequency(stem: string): number {
    const known = this.#frequencies.get(stem)
    if (known !== undefined) return known
    const found = this.#read((view) => {
      const { mask } = this.#of(view)
      let count = 0
      view.eachHolder(stem, (place) => (count += mask[place] ?? 0))
      return count
    })
    this.#frequencies.set(stem, found)
    return found
  }

  /**
   * The places of the notes that hold most of what the question says: rare words count most, and a long note that holds them counts less
   * than a short one.
   */
  likely(view: NoteView, { text, related, most, mask = this.mask(view) }: Likely): readonly number[] {
    const { lengths } = this.#of(view)
    const weights = new Float64Array(view.size)
    const words = new Map(questionTerms(text, this, related?.spelledLike).map((word) => [word.stem, word]))
    const relatives = related === undefined ? undefined : relativesIn([...words.values()], this, related)
    const held = new Float64Array(view.size)
    // Most words are in few notes, and only those are looked at.
    const touched = new Set<number>()
    for (const { stem, also, share } of words.values()) {
      const worth = share * rarity(frequencyOf([stem, ...also], this), this)
      const holders: number[] = []
      const hold = (place: number, how: number) => {
        if (held[place] === 0) holders.push(place)
        held[place] = Math.max(held[place] ?? 0, how)
      }
      for (const other of relatives?.get(stem) ?? []) view.eachHolder(other.stem, (place) => hold(place, other.share))
      // A note that has several forms of one word has the word once.
      for (const each of [stem, ...also]) view.eachHolder(each, (place) => hold(place, 1))
      for (const place of holders) {
        if (mask[place] === 1) touched.add(place)
        weights[place] = (weights[place] ?? 0) + worth * (held[place] ?? 0)
        held[place] = 0
      }
    }
    const places = [...touched]
    const lengthOf = (place: number) => (lengths[place] ?? 0) / this.averageLength
    const found = Float64Array.from(
      places,
      (place) => (weights[place] ?? 0) / (averageWeight + lengthWeight * lengthOf(place)),
    )
    return highest(found, most).map((i) => places[i] ?? 0)
  }

  /** The notes that the statistics count. */
  mask(view: NoteView): Uint8Array {
    return this.#of(view).mask
  }

  #of(view: NoteView) {
    if (this.#known?.view !== view) this.#known = { view, mask: view.mask(this.#isWanted), lengths: view.lengths() }
    return this.#known
  }
}

/** The places of the highest values above 0, highest first, earlier places first among equals. */
export function highest(values: Float64Array, most: number): readonly number[] {
  const above = values.filter((value) => value > 0)
  if (above.length === 0) return []
  const least = above.length <= most ? 0 : (above.toSorted().at(-most) ?? 0)
  const places: number[] = []
  for (let i = 0; i < values.length; i++) if ((values[i] ?? 0) > 0 && (values[i] ?? 0) >= least) places.push(i)
  return places.toSorted((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b).slice(0, most)
}
