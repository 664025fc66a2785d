/**
 * Splits text into the terms that it is found by. Queries and notes are split by the same rules, so case, accents, endings and
 * scripts are treated alike in both.
 */
import { characterClass, classify } from './character-class.ts'
import { type Cut, cutToken, type Term, termOf } from './cut-token.ts'
import type { Language } from './languages.ts'
import { scanTokens } from './scan-tokens.ts'
import { DateReader, dateTerms, type FoundDate } from './written-dates.ts'

export type { Term } from './cut-token.ts'

const startsUpper = /^\p{Lu}./u
const endsSentence = /(?:^|[.!?:\n。！？])[\s"'“‘(*#>-]*$/u
const isAscii = /^\p{ASCII}*$/u

/** The terms of a text in order, without stop words. `language` is that of the whole note; absent for English. */
export function termsOf(text: string, language?: Language): Term[] {
  const terms: Term[] = []
  const dates = new DateReader()
  let last: FoundDate | undefined
  let token = 0
  scanCuts(text, language, (cut) => {
    for (const term of cut.terms) terms.push(term)
    const found = dates.read(cut.date, token)
    token += 1
    if (found === undefined) return
    const known = last?.from === found.from ? dateTerms(last.date) : []
    for (const each of dateTerms(found.date)) if (!known.includes(each)) terms.push(termOf(each))
    last = found
  })
  return terms
}

export interface CutToken extends Cut {
  /** Whether it has a capital letter that grammar does not require: the name of a person, a place or a thing. */
  readonly isName: boolean
}

/** The tokens of a question, one by one. */
export function tokensOf(text: string): CutToken[] {
  const normal = normalized(text)
  const tokens: CutToken[] = []
  scanCuts(normal, undefined, ({ terms, date }, start, end) => {
    const isName =
      startsUpper.test(normal.slice(start, end)) && !endsSentence.test(normal.slice(Math.max(0, start - 8), start))
    tokens.push({ terms, date, isName })
  })
  return tokens
}

/** The stems of words with a capital letter that grammar does not require: names of people, places and things. */
export function namesIn(text: string): ReadonlySet<string> {
  return new Set(
    tokensOf(text).flatMap(({ isName, terms }) => (isName ? terms.slice(0, 1).map(({ stem }) => stem) : [])),
  )
}

function normalized(text: string): string {
  return isAscii.test(text) ? text : text.normalize('NFKC')
}

function scanCuts(
  text: string,
  language: Language | undefined,
  take: (cut: Cut, start: number, end: number) => void,
): void {
  const normal = normalized(text)
  const cache = cacheOf(language)
  scanTokens(normal, (start, end, hash) => take(cache.cut(normal, start, end, hash), start, end))
}

const fewestSlots = 1 << 10
const mostKept = 30_000

interface KnownCut {
  readonly raw: string
  readonly hash: number
  readonly cut: Cut
}

/**
 * The cuts of tokens that were seen before, because stemming is slow and texts repeat words. A token is found by its hash and
 * compared in place, so a known one costs no new text. A process that cuts one question should not pay for a large table.
 */
class CutCache {
  readonly #language: Language | undefined
  #slots: (KnownCut | undefined)[] = emptySlots(fewestSlots)
  #kept = 0

  constructor(language: Language | undefined) {
    this.#language = language
  }

  cut(text: string, start: number, end: number, hash: number): Cut {
    const slots = this.#slots
    const last = slots.length - 1
    let slot = (hash ^ (hash >>> 15)) & last
    for (let known = slots[slot]; known !== undefined; known = slots[slot]) {
      if (known.raw.length === end - start && text.startsWith(known.raw, start)) return known.cut
      slot = (slot + 1) & last
    }
    const raw = text.slice(start, end)
    const isRun = classify(String.fromCodePoint(raw.codePointAt(0) ?? 0)) === characterClass.unspaced
    const cut = cutToken(raw, isRun, this.#language)
    slots[slot] = { raw, hash, cut }
    this.#kept += 1
    if (this.#kept > mostKept) this.#resize([], fewestSlots)
    else if (this.#kept * 2 > slots.length) this.#resize(slots, slots.length * 2)
    return cut
  }

  #resize(known: readonly (KnownCut | undefined)[], length: number): void {
    const slots = emptySlots(length)
    this.#kept = 0
    for (const each of known) {
      if (each === undefined) continue
      let slot = (each.hash ^ (each.hash >>> 15)) & (length - 1)
      while (slots[slot] !== undefined) slot = (slot + 1) & (length - 1)
      slots[slot] = each
      this.#kept += 1
    }
    this.#slots = slots
  }
}

function emptySlots(length: number): (KnownCut | undefined)[] {
  return Array.from({ length })
}

const caches = new Map<Language | undefined, CutCache>()

function cacheOf(language: Language | undefined): CutCache {
  const known = caches.get(language)
  if (known !== undefined) return known
  const made = new CutCache(language)
  caches.set(language, made)
  return made
}
