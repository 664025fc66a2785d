/**
 * The terms of one token. A word gives its stem; an identifier, a path or a version also gives its parts, so that it is found whole
 * and by each part: `recallHere`, `packages/memory/src/index.ts`, `STORE_NOT_MARKED`, `v20.19`.
 */
import { hangulParts, hasHangul } from './hangul.ts'
import { cyrillic, type Language } from './languages.ts'
import { lightStem } from './light-stem.ts'
import { stem } from './stem.ts'
import { stopWords } from './stop-words.ts'
import { termCode } from './term-code.ts'
import { type DatePart, datePartOf } from './written-dates.ts'
import { withoutAccents } from './without-accents.ts'

/** A word as it is written, and its stem. */
export interface Term {
  /** The common stem of the forms of a word. Terms match by it. */
  readonly stem: string
  /** The word itself in lower case, without accents. */
  readonly surface: string
  /** Both as a number, see `termCode`. */
  readonly code: number
}

export interface Cut {
  readonly terms: readonly Term[]
  /** What it can be in a date. */
  readonly date: DatePart | undefined
}

/** `language` is that of the text; absent for English. */
export function cutToken(raw: string, isRun: boolean, language: Language | undefined): Cut {
  if (isRun) return { terms: cutRun(raw), date: /^[年月日]/.test(raw) ? datePartOf(raw) : undefined }
  const plain = withoutAccents(raw.toLowerCase())
  return { terms: cutJoined(raw, language), date: datePartOf(plain) }
}

/** A term that stands for nothing that is written, such as a date. */
export function termOf(stemmed: string): Term {
  return { stem: stemmed, surface: stemmed, code: termCode(stemmed, stemmed) }
}

/**
 * The characters and character pairs of text without spaces. Pairs are similar to words; single characters answer queries of one
 * character.
 */
function cutRun(run: string): Term[] {
  const characters = Array.from(run)
  const pairs = characters.slice(1).map((character, i) => `${characters[i]}${character}`)
  return [...characters, ...pairs].map(termOf)
}

const joints = /[_\-./:@]/
const letter = /\p{L}/u
const codeLike = /[._\d]/

function cutJoined(raw: string, language: Language | undefined): Term[] {
  if (!joints.test(raw)) return cutWord(raw, language)
  const segments = raw.split('/').filter((segment) => segment !== '')
  if (segments.length === 1) return cutDotted(segments[0] ?? '', language)
  const terms = segments.flatMap((segment) => cutDotted(segment, language))
  // "and/or" is no path.
  const isPath = segments.length > 2 || raw.startsWith('@') || segments.some((segment) => codeLike.test(segment))
  return isPath ? [...terms, ...neighbours(segments, '/')] : terms
}

const timeOfDay = /^\d+(?::\d+)+(?:\.\d+)?$/
const version = /^v?(\d+(?:\.\d+)+)(?:[-+](.+))?$/i

function cutDotted(segment: string, language: Language | undefined): Term[] {
  const [, numbers, rest = ''] = version.exec(segment) ?? []
  if (numbers !== undefined) return [...versionTerms(numbers), ...(rest === '' ? [] : cutDotted(rest, language))]
  const pieces = segment.split(/[.:@]+/).filter((piece) => piece !== '')
  const terms = pieces.flatMap((piece) => cutHyphened(piece, language))
  // The letters of "e.g." and the numbers of a time of day stand for nothing together.
  const isName = !pieces.every((piece) => piece.length === 1) && !timeOfDay.test(segment)
  return pieces.length > 1 && isName ? [...terms, ...neighbours(pieces, '.')] : terms
}

/** "20.19.4" is also found by "20.19" and by "20". */
function versionTerms(numbers: string): Term[] {
  const parts = numbers.split('.')
  return parts.map((_, i) => termOf(parts.slice(0, i + 1).join('.')))
}

/** Any part of a path or of a dotted name is found by its neighbouring parts. */
function neighbours(parts: readonly string[], joint: string): Term[] {
  const plain = parts.map((part) => withoutAccents(part.toLowerCase()))
  return plain.slice(1).map((part, i) => termOf(`${plain[i]}${joint}${part}`))
}

function cutHyphened(piece: string, language: Language | undefined): Term[] {
  const isFlag = piece.startsWith('--')
  const parts = piece.split(/[-_]+/).filter((part) => part !== '')
  const terms = parts.flatMap((part) => cutWord(part, language))
  // A name is one word however its parts are joined: STORE_NOT_MARKED, storeNotMarked, store-not-marked.
  const isName = parts.length > 1 && (isFlag || parts.length > 2 || codeLike.test(piece))
  return isName ? [...terms, ...wordTerms(parts.join('').replaceAll(/['’]/g, ''), undefined)] : terms
}

const hump = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

function cutWord(raw: string, language: Language | undefined): Term[] {
  // English words that end in n't are auxiliary verbs, which are stop words.
  if (/n['’]t$/i.test(raw)) return []
  const words = wordsIn(raw)
  if (words.length !== 1) return words.flatMap((each) => wordTerms(each, language))
  const [word = ''] = words
  const whole = wordTerms(word, language)
  if (whole.length === 0 || word.length <= 3 || !hump.test(word)) return whole
  // An identifier is found as a whole and by its parts.
  return [...whole, ...word.split(hump).flatMap((part) => termsOfSurface(withoutAccents(part.toLowerCase()), language))]
}

/** Leaves out what an apostrophe only attaches: "Anna's", "l'eau", "Ankara'da". */
function wordsIn(raw: string): readonly string[] {
  const parts = raw.split(/['’]/)
  if (parts.length === 1) return parts
  // In Cyrillic, an apostrophe is part of the word.
  if (isCyrillic.test(raw)) return [parts.join('')]
  const [first = '', second = ''] = parts
  if (first.length <= 2 && second.length > 2) return parts.slice(1)
  return second.length <= 3 ? [first] : parts
}

const isCyrillic = /^[\p{Script=Cyrillic}'’]+$/u

function wordTerms(word: string, language: Language | undefined): Term[] {
  const surface = withoutAccents(word.toLowerCase())
  if (stopWords.has(surface) || language?.grammar.has(surface) === true) return []
  return termsOfSurface(surface, language)
}

function termsOfSurface(surface: string, language: Language | undefined): Term[] {
  // An accent without a letter is not a word.
  if (surface === '') return []
  if (hasHangul(surface)) return hangulParts(surface).map(termOf)
  if (/^v\d+$/.test(surface)) return [termOf(surface), termOf(surface.slice(1))]
  if (isCyrillic.test(surface)) {
    if (cyrillic.grammar.has(surface)) return []
    return [toTerm(lightStem(surface, cyrillic), surface)]
  }
  if (language === undefined || !/^[a-z]+$/.test(surface))
    return [toTerm(letter.test(surface) ? stem(surface) : surface, surface)]
  const base = lightStem(surface, language)
  return [toTerm(foreign(base), surface), ...(language.compounds === true ? compoundTerms(base) : [])]
}

/** Keeps stems of other languages apart from English ones. */
export function foreign(base: string): string {
  return `~${base}`
}

const shortestCompound = 10
const beginnings = [5, 6, 7, 8, 9]
const ends = [4, 5, 6, 7]
const longestBeginning = 9

/** A long word may be made of several, so it is also found by what it begins and ends with. */
function compoundTerms(base: string): Term[] {
  if (base.length < shortestCompound) return []
  const isPart = (length: number) => length <= base.length - 4
  return [
    ...beginnings.filter(isPart).map((length) => termOf(`^${base.slice(0, length)}`)),
    ...ends.filter(isPart).map((length) => termOf(`$${base.slice(-length)}`)),
  ]
}

/** The terms by which a word of a question is found in longer words. */
export function partTerms(base: string): readonly string[] {
  const beginning = base.length < 5 ? [] : [`^${base.slice(0, longestBeginning)}`]
  return [...beginning, ...(ends.includes(base.length) ? [`$${base}`] : [])]
}

function toTerm(base: string, surface: string): Term {
  return { stem: base, surface, code: termCode(base, surface) }
}
