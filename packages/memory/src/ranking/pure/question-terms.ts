/**
 * The terms of a question. A note may have a word in another form, another language or another spelling, so a term of a question
 * lists all stems that count as the same word, as far as any note has them.
 */
import { foreign, partTerms, type Term, termOf } from './cut-token.ts'
import { languageOf } from './language-of.ts'
import { type Language, latinLanguages } from './languages.ts'
import { lightStem } from './light-stem.ts'
import { type KnownWords, nearSpellings } from './near-spellings.ts'
import type { RelatedWords } from './related-words.ts'
import { stem as englishStem } from './stem.ts'
import { type CutToken, tokensOf } from './tokenize.ts'
import { askedDateTerms, DateReader, type FoundDate, monthTerm } from './written-dates.ts'

export interface QuestionTerm extends Term {
  readonly isName: boolean
  /** Other stems that count as this word. */
  readonly also: readonly string[]
  /** How much of its weight it keeps, 0 to 1. */
  readonly share: number
}

// Of a name that notes contain whole, the parts are a hint only: every error code of a program begins alike.
const shareOfParts = 0.25

// In a shorter word, two letters make another word.
const shortestOfTwoErrors = 8
const mostMeant = 2

// Each is a look into an index. A long prompt of unknown words should not delay the answer.
const mostLookups = 400
// Each is a look through a dictionary.
const mostSpelled = 6

export function questionTerms(
  text: string,
  known: KnownWords,
  spelledLike?: RelatedWords['spelledLike'],
): QuestionTerm[] {
  const language = languageOf(text)
  const tokens = tokensOf(text)
  const dates = datesIn(tokens)
  let left = mostLookups
  let unread = mostSpelled
  return tokens.flatMap((token, at) => {
    const asked = dates.find(({ from, to }) => at >= from && at <= to)
    if (asked !== undefined) return at === asked.to ? askedDateTerms(asked.date).map((each) => named(termOf(each))) : []
    const whole = wholeName(token, known)
    const words = token.terms.filter(({ surface }) => language?.grammar.has(surface) !== true)
    return words.map((term, i) => {
      const also = otherStems(term, token).filter((stem) => known.documentFrequency(stem) > 0)
      const isName = token.isName && i === 0
      const isSeen = also.length > 0 || words.length > 1 || known.documentFrequency(term.stem) > 0
      const share = whole === undefined || term === whole ? 1 : shareOfParts
      if (isSeen) return { ...named(term, isName, also), share }
      const near = nearSpellings(term.surface, { language, known, most: left })
      left -= near.lookups
      if (near.stems.length > 0 || language !== undefined) return named(term, isName, near.stems)
      unread -= 1
      return named(term, isName, unread < 0 ? [] : wordsLike(term.surface, known, spelledLike))
    })
  })
}

/** Two errors have too many variants to look up each, so words that a dictionary knows are compared instead. */
function wordsLike(
  word: string,
  known: KnownWords,
  spelledLike: RelatedWords['spelledLike'] = () => [],
): readonly string[] {
  if (word.length < shortestOfTwoErrors || !/^[a-z]+$/.test(word)) return []
  const stems = new Set(spelledLike(word).map(englishStem))
  return [...stems].filter((stem) => known.documentFrequency(stem) > 0).slice(0, mostMeant)
}

function named(term: Term, isName = false, also: readonly string[] = []): QuestionTerm {
  return { ...term, isName, also, share: 1 }
}

/** The term of a whole identifier or version, if a note contains it. */
function wholeName({ terms }: CutToken, known: KnownWords): Term | undefined {
  const [longest] = terms.toSorted((one, other) => other.surface.length - one.surface.length)
  if (terms.length < 2 || longest === undefined || !/^.{6,}$|\./.test(longest.surface)) return undefined
  return known.documentFrequency(longest.stem) > 0 ? longest : undefined
}

/** Notes in another language have its stems. The language of a short question is unclear, so all of them are tried. */
function otherStems({ surface, stem }: Term, { date }: CutToken): readonly string[] {
  const month = date?.is === 'month' ? [monthTerm(date.value)] : []
  if (!/^[a-z]{2,}$/.test(surface)) return month
  const stems = latinLanguages.flatMap((language) => stemsIn(surface, language))
  return [...new Set([...month, ...stems])].filter((other) => other !== stem)
}

function stemsIn(surface: string, language: Language): readonly string[] {
  const base = lightStem(surface, language)
  return [foreign(base), ...(language.compounds === true ? partTerms(base) : [])]
}

interface AskedDate extends FoundDate {
  /** The token where it ends. */
  readonly to: number
}

/** The longest dates: "12 March" is part of "12 March 2025". */
function datesIn(tokens: readonly CutToken[]): readonly AskedDate[] {
  const reader = new DateReader()
  const found = new Map<number, AskedDate>()
  for (const [to, { date }] of tokens.entries()) {
    const read = reader.read(date, to)
    if (read === undefined) continue
    // A word such as "года" after the year belongs to the date.
    const next = tokens[to + 1]
    found.set(read.from, { ...read, to: next?.date?.is === 'link' && next.terms.length <= 1 ? to + 1 : to })
  }
  return [...found.values()]
}
