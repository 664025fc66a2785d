/** What a question asks for, word by word: how telling each word is, which words are one name, and which stand in one sentence. */
import { tellingOf } from '../../ranking/pure/everyday-words.ts'
import type { CorpusStatistics, LexicalQuery } from '../../ranking/pure/rank-lexical.ts'
import { termsOf } from '../../ranking/pure/tokenize.ts'

/** A word as it is written: the places of its terms in the question, the most telling first. An identifier or a path has several. */
export type Word = readonly number[]

export interface AskedWords {
  /** How telling each term of the question is, 0 to 1. */
  readonly worths: readonly number[]
  /** The words of the question. Each counts as its most telling term. */
  readonly words: readonly Word[]
  /** Those that are names. */
  readonly names: readonly Word[]
  /** Those of each sentence. */
  readonly sentences: readonly (readonly Word[])[]
  /** Terms with the same number belong to one word. */
  readonly groups: readonly number[]
  /** Whether it asks, instead of only giving an order. */
  readonly isQuestion: boolean
}

export function askedWords(text: string, query: LexicalQuery, corpus: CorpusStatistics): AskedWords {
  const places = new Map(query.terms.map(({ stem }, i) => [stem, i]))
  const placesIn = (part: string) => termsOf(part).flatMap(({ stem }) => places.get(stem) ?? [])
  const worths = query.terms.map(({ stem, also }) => rarity([stem, ...also], corpus) * tellingOf(stem))
  const groups = query.terms.map((_, i) => i)
  for (const identifier of identifiersIn(text)) {
    const [first, ...rest] = placesIn(identifier)
    for (const place of rest) groups[place] = groups[first ?? place] ?? place
  }
  const wordsOf = (some: readonly number[]): readonly Word[] => {
    const byGroup = new Map<number, number[]>()
    for (const place of new Set(some)) {
      const group = groups[place] ?? place
      byGroup.set(group, [...(byGroup.get(group) ?? []), place])
    }
    return [...byGroup.values()].map((word) => word.toSorted((a, b) => (worths[b] ?? 0) - (worths[a] ?? 0)))
  }
  return {
    worths,
    words: wordsOf([...worths.keys()]),
    names: wordsOf(query.terms.flatMap(({ isName }, i) => (isName ? [i] : []))),
    sentences: text.split(endOfSentence).map((sentence) => wordsOf(placesIn(sentence))),
    groups,
    isQuestion: question.test(text),
  }
}

/** How telling each of the words is, or the present part of it. */
export function worthsOf({ worths }: AskedWords, words: readonly Word[]): readonly number[] {
  return words.map(([most]) => worths[most ?? -1] ?? 0)
}

/** How telling the present ones of the words are together. */
export function massOf({ worths }: AskedWords, words: readonly Word[], present: Float64Array): number {
  let mass = 0
  for (const word of words) {
    for (const place of word) {
      const share = present[place] ?? 0
      if (share === 0) continue
      mass += share * (worths[place] ?? 0)
      break
    }
  }
  return mass
}

const endOfSentence = /(?<=[.!?。！？])\s+|\n+/u
const question =
  /[?？]|(?:^|[.!:;,\n]\s*|\b(?:and|but|so|und|et|y)\s+)(?:how|what|why|which|who|whom|whose|when|where|is there|are there|do we|did we|does|may i|can i|wie|was|warum|wieso|wo|wer|wann|welche[rsnm]?|pourquoi|quels?|quelles?|où|qui|quand|cómo|qué|por qué|dónde|quién|cuándo|como|qual|quais|onde|perché|dove|как|что|почему|где|кто|когда)(?!\p{L})|怎么|什么|为什么|哪|なぜ|どう|どこ|어떻게|왜|무엇/iu

/** Names in code and paths: words with a capital letter, a dot, a slash or a line inside. */
function identifiersIn(text: string): readonly string[] {
  const words = text.match(/[^\s"'`(){}[\]<>,;]+/gu) ?? []
  return words.map((word) => word.replace(/[.:!?]+$/u, '')).filter((word) => insideIdentifier.test(word))
}

const insideIdentifier = /[\p{Ll}\d]\p{Lu}|[_/\\$]|\.\p{L}|\.\d|::/u

/** How rare a word is, by its stems, 0 to 1, in every store alike. With few notes, a word that all of them contain is not yet common. */
function rarity(stems: readonly string[], corpus: CorpusStatistics): number {
  const holders = stems.reduce((sum, stem) => sum + corpus.documentFrequency(stem), 0)
  const of = (frequency: number) => Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))
  const documents = corpus.documents + presumed.documents
  return of(Math.min(holders, corpus.documents) + presumed.frequency) / of(presumed.frequency)
}

const presumed = { documents: 20, frequency: 0.4 }
