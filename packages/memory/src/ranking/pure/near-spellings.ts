/**
 * Words that a mistyped word may have been meant as. An index keeps codes of words and cannot list them, so each word with one typing
 * error less is made and looked up. The first letter is kept, because it is rarely wrong.
 */
import { foreign } from './cut-token.ts'
import { cyrillic, type Language } from './languages.ts'
import { lightStem } from './light-stem.ts'
import { stem } from './stem.ts'

/** What is known of the words of all notes. */
export interface KnownWords {
  documentFrequency(stem: string): number
}

export interface Spelling {
  /** The language of the question; absent for English. */
  readonly language: Language | undefined
  readonly known: KnownWords
  /** How often `known` may be asked. */
  readonly most: number
}

// In a shorter word, one letter more or less is often another word.
const shortestWord = 6
const mostMeant = 2

export function nearSpellings(
  word: string,
  { language, known, most }: Spelling,
): { readonly stems: readonly string[]; readonly lookups: number } {
  const alphabet = alphabetOf(word)
  if (word.length < shortestWord || alphabet === undefined) return { stems: [], lookups: 0 }
  const counts = new Map<string, number>()
  for (const near of variantsOf(word, alphabet)) {
    for (const each of stemsOf(near, language)) {
      if (counts.has(each)) continue
      if (counts.size >= most) return { stems: mostFrequent(counts), lookups: counts.size }
      counts.set(each, known.documentFrequency(each))
    }
  }
  return { stems: mostFrequent(counts), lookups: counts.size }
}

function mostFrequent(counts: ReadonlyMap<string, number>): readonly string[] {
  const meant = [...counts].filter(([, count]) => count > 0).toSorted(([, one], [, other]) => other - one)
  return meant.slice(0, mostMeant).map(([each]) => each)
}

function stemsOf(word: string, language: Language | undefined): readonly string[] {
  if (!/^[a-z]+$/.test(word)) return longEnough(lightStem(word, cyrillic))
  const base = language === undefined ? [] : longEnough(lightStem(word, language)).map(foreign)
  return [...base, ...longEnough(stem(word))]
}

// A short stem is that of too many words.
function longEnough(base: string): readonly string[] {
  return base.length >= shortestWord - 2 ? [base] : []
}

const alphabets = ['abcdefghijklmnopqrstuvwxyz', 'абвгдежзиклмнопрстуфхцчшщъыьэюяіє']

function alphabetOf(word: string): string | undefined {
  return alphabets.find((alphabet) => Array.from(word).every((letter) => alphabet.includes(letter)))
}

/** The likeliest errors first: letters in the wrong order, one too many, one missing, a wrong one. */
function* variantsOf(word: string, alphabet: string): Generator<string> {
  const { length } = word
  for (let i = 1; i < length - 1; i++) yield word.slice(0, i) + word.charAt(i + 1) + word.charAt(i) + word.slice(i + 2)
  for (let i = 1; i < length; i++) yield word.slice(0, i) + word.slice(i + 1)
  for (let i = 1; i <= length; i++) for (const letter of alphabet) yield word.slice(0, i) + letter + word.slice(i)
  for (let i = 1; i < length; i++) for (const letter of alphabet) yield word.slice(0, i) + letter + word.slice(i + 1)
}
