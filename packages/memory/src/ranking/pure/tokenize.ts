/**
 * Splits text into the terms that it is found by. Queries and notes are split by the same rules, so case, accents, endings and
 * scripts are treated alike in both.
 */
import { stem } from './stem.ts'
import { stopWords } from './stop-words.ts'
import { termCode } from './term-code.ts'

/** A word as it is written, and its stem. */
export interface Term {
  /** The common stem of the forms of a word. Terms match by it. */
  readonly stem: string
  /** The word itself in lower case, without accents. */
  readonly surface: string
  /** Both as a number, see `termCode`. */
  readonly code: number
}

// Scripts written without spaces between words.
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー'
const wordOrRun = new RegExp(`[${unspaced}]+|(?:(?![${unspaced}])[\\p{L}\\p{M}\\p{N}])+(?:['’]\\p{L}+)?`, 'gu')
// The same for ASCII text, several times as fast.
const asciiWord = /[A-Za-z0-9]+(?:'[A-Za-z]+)?/g
const isAscii = /^\p{ASCII}*$/u
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u')
const hump = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
const startsUpper = /^\p{Lu}./u
const endsSentence = /(?:^|[.!?:\n。！？])[\s"'“‘(*#>-]*$/u

/** The terms of a text in order, without stop words. */
export function termsOf(text: string): Term[] {
  const words = isAscii.test(text) ? text.match(asciiWord) : text.normalize('NFKC').match(wordOrRun)
  return (words ?? []).flatMap(termsOfWord)
}

/** The stems of words with a capital letter that grammar does not require: names of people, places and things. */
export function namesIn(text: string): ReadonlySet<string> {
  const normal = text.normalize('NFKC')
  const words = Array.from(normal.matchAll(wordOrRun))
  const names = words.filter(
    ({ 0: word, index }) => startsUpper.test(word) && !endsSentence.test(normal.slice(Math.max(0, index - 8), index)),
  )
  return new Set(names.flatMap(([word]) => termsOfWord(word).slice(0, 1)).map((term) => term.stem))
}

// Stemming is slow and texts repeat words, so results are cached. The cache has a size limit.
const cutWords = new Map<string, readonly Term[]>()
const mostCutWords = 20_000

function termsOfWord(raw: string): readonly Term[] {
  const known = cutWords.get(raw)
  if (known !== undefined) return known
  if (cutWords.size >= mostCutWords) cutWords.clear()
  const terms = isUnspaced.test(raw) ? cutRun(raw) : cutWord(raw)
  cutWords.set(raw, terms)
  return terms
}

function cutWord(raw: string): Term[] {
  // English words that end in n't are auxiliary verbs, which are stop words.
  if (/n['’]t$/i.test(raw)) return []
  const word = raw.replace(/['’].*$/, '')
  const surface = withoutAccents(word.toLowerCase())
  // An accent without a letter is not a word.
  if (surface === '' || stopWords.has(surface)) return []
  // An identifier is found as a whole and by its parts.
  const parts = surface.length > 3 && hump.test(word) ? word.split(hump) : []
  return [surface, ...parts.map((part) => withoutAccents(part.toLowerCase()))].filter((each) => each !== '').map(toTerm)
}

/**
 * The characters and character pairs of text without spaces. Pairs are similar to words; single characters answer queries of one
 * character.
 */
function cutRun(run: string): Term[] {
  const characters = Array.from(run)
  const pairs = characters.slice(1).map((character, i) => `${characters[i]}${character}`)
  return [...characters, ...pairs].map(toTerm)
}

function toTerm(surface: string): Term {
  const base = stem(surface)
  return { stem: base, surface, code: termCode(base, surface) }
}

function withoutAccents(word: string): string {
  if (isAscii.test(word)) return word
  return word
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
}
