/**
 * Words that can stand for those of a question: a question about a doctor finds a note about a physician. They count less than the word
 * itself, and only where a note does not have it.
 */
import type { CorpusStatistics } from './rank-lexical.ts'
import type { QuestionTerm } from './question-terms.ts'
import { frequencyOf, rarity } from './rarity.ts'
import { stem as stemOf } from './stem.ts'
import { stemCode } from './term-code.ts'

export interface RelatedWord {
  readonly word: string
  /** 0 to 1. */
  readonly likeness: number
}

/** The words of a thesaurus. */
export interface RelatedWords {
  /** The words that can stand for a lower-case word; none if it is not known. */
  (word: string): readonly RelatedWord[]
  /** Its words that an unknown one may have been meant as, nearest first. Without it, only words of the notes with one error less are found. */
  readonly spelledLike?: (word: string) => readonly string[]
}

/** A stem that counts as `share` of an occurrence of another one. */
export interface Relative {
  readonly stem: string
  readonly share: number
}

// Measured with `npm run eval -- recall`. If no note has the word itself, others are the only way to an answer, so more of them count.
const present = { weight: 0.4, leastLikeness: 0.65 }
const absent = { weight: 0.8, leastLikeness: 0 }

// A long prompt has words enough of its own.
const mostWords = 30

/** The stems that can stand for each stem of a question. Nothing stands for a name. */
export function relativesIn(
  terms: readonly QuestionTerm[],
  corpus: CorpusStatistics,
  related: RelatedWords,
): ReadonlyMap<string, readonly Relative[]> {
  const words = new Map<string, Word>()
  for (const { stem, surface, also, isName } of terms) {
    const known = words.get(stem)
    // Forms that no thesaurus lists are looked up by their stem.
    const forms = [...(known?.forms ?? [stem]), surface]
    const stems = [...(known?.stems ?? [stem]), ...also]
    words.set(stem, { forms, stems, isName: isName || known?.isName === true })
  }
  if (words.size > mostWords) return new Map()
  return new Map(
    Array.from(words, ([stem, word]) => [stem, word.isName ? [] : relativesOf(word, corpus, related)] as const),
  )
}

/** What a stem counts as. */
export interface StandIn {
  /** The place of a term of the question. */
  readonly at: number
  /** How much of an occurrence of it. */
  readonly share: number
}

/** By the code of the stem that stands for another, because notes contain codes. */
export function standIns(
  relatives: ReadonlyMap<string, readonly Relative[]>,
  places: ReadonlyMap<string, number>,
): ReadonlyMap<number, readonly StandIn[]> {
  const found = new Map<number, StandIn[]>()
  for (const [stem, others] of relatives)
    for (const { stem: other, share } of others) {
      const code = stemCode(other)
      found.set(code, [...(found.get(code) ?? []), { at: places.get(stem) ?? 0, share }])
    }
  return found
}

interface Word {
  readonly forms: readonly string[]
  /** Those that count as this word. */
  readonly stems: readonly string[]
  readonly isName: boolean
}

function relativesOf({ forms, stems }: Word, corpus: CorpusStatistics, related: RelatedWords): readonly Relative[] {
  const likenesses = new Map<string, number>()
  for (const form of new Set(forms))
    for (const { word, likeness } of related(form)) {
      const other = stemOf(word)
      if (!stems.includes(other)) likenesses.set(other, Math.max(likenesses.get(other) ?? 0, likeness))
    }
  const frequency = frequencyOf(stems, corpus)
  const { weight, leastLikeness } = frequency === 0 ? absent : present
  const own = rarity(frequency, corpus)
  return Array.from(likenesses)
    .filter(([other, likeness]) => likeness >= leastLikeness && corpus.documentFrequency(other) > 0)
    .map(([other, likeness]) => {
      // A common word says less than the rare one it stands for.
      const rarityOfOther = rarity(frequencyOf([other], corpus), corpus)
      return { stem: other, share: likeness * weight * Math.min(1, rarityOfOther / own) }
    })
}
