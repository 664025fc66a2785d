/** What a question asks for, word by word: how telling each word is, which words are one name, and which stand in one sentence. */
import { tellingOf } from '../../ranking/pure/everyday-words.ts'
import type { CorpusStatistics, LexicalQuery } from '../../ranking/pure/rank-lexical.ts'
import { termsOf } from '../../ranking/pure/tokenize.ts'

export interface AskedWords {
  /** How telling each term of the question is, 0 to 1. */
  readonly worths: readonly number[]
  /** The same for names, and 0 for other terms. */
  readonly names: readonly number[]
  /** Terms with the same number are parts of one identifier or path, and count once. */
  readonly groups: readonly number[]
  /** For each sentence, which terms it has. */
  readonly sentences: readonly Uint8Array[]
  /** Whether it asks, instead of only giving an order. */
  readonly isQuestion: boolean
}

export function askedWords(text: string, query: LexicalQuery, corpus: CorpusStatistics): AskedWords {
  const places = new Map(query.terms.map(({ stem }, i) => [stem, i]))
  const placesIn = (part: string) => termsOf(part).flatMap(({ stem }) => places.get(stem) ?? [])
  const worths = query.terms.map(({ stem }) => rarity(stem, corpus) * tellingOf(stem))
  const groups = query.terms.map((_, i) => i)
  for (const identifier of identifiersIn(text)) {
    const [first, ...rest] = placesIn(identifier)
    for (const place of rest) groups[place] = groups[first ?? place] ?? place
  }
  return {
    worths,
    names: query.terms.map(({ isName }, i) => (isName ? (worths[i] ?? 0) : 0)),
    groups,
    sentences: text.split(endOfSentence).map((sentence) => {
      const present = new Uint8Array(worths.length)
      for (const place of placesIn(sentence)) present[place] = 1
      return present
    }),
    isQuestion: question.test(text),
  }
}

/** The total worth of the terms that are present, one term for each identifier. */
export function worthsIn({ groups }: AskedWords, worths: readonly number[], present?: Uint8Array): readonly number[] {
  const most = new Map<number, number>()
  for (const [i, worth] of worths.entries()) {
    const group = groups[i] ?? i
    if (present === undefined || present[i] === 1) most.set(group, Math.max(most.get(group) ?? 0, worth))
  }
  return [...most.values()]
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

/** How rare a stem is, 0 to 1, in every store alike. With few notes, a word that all of them contain is not yet common. */
function rarity(stem: string, corpus: CorpusStatistics): number {
  const of = (frequency: number) => Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))
  const documents = corpus.documents + presumed.documents
  return of(Math.min(corpus.documentFrequency(stem), corpus.documents) + presumed.frequency) / of(presumed.frequency)
}

const presumed = { documents: 20, frequency: 0.4 }
