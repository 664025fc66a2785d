/**
 * The times that a question names: "on 8 May 2023", "last March", "vor zwei Wochen", "上周". Relative times refer to `now`, which the
 * caller gives. Days are those of the wall clock that the caller gives (default: UTC).
 */
import { chinese, japanese, korean } from './times/asian-times.ts'
import { englishSign, englishTimes } from './times/english-times.ts'
import { dutch, german } from './times/germanic-times.ts'
import { french, italian, portuguese, spanish } from './times/romance-times.ts'
import { rulesOf, signOf } from './times/rules-of.ts'
import { polish, russian, ukrainian } from './times/slavic-times.ts'
import type { TimeRule } from './times/time-rule.ts'
import { dayMs, type TimeSpan, type WallTime } from './times/time-spans.ts'
import type { TimeWords } from './times/time-words.ts'
import { turkish } from './times/turkish-times.ts'

export type { TimeSpan, WallTime } from './times/time-spans.ts'

interface Language {
  readonly sign: RegExp
  readonly rules: readonly TimeRule[]
}

const inLatin: readonly Language[] = [
  { sign: new RegExp(englishSign), rules: englishTimes },
  ...[german, french, spanish, italian, portuguese, dutch, polish, turkish].map(languageOf),
]
const languages: readonly Language[] = [...inLatin, ...[russian, ukrainian, chinese, japanese, korean].map(languageOf)]

/** Every time span that the text names. */
export function timeSpans(text: string, now: number, wallTime: WallTime = utc): TimeSpan[] {
  let rest = text.normalize('NFKC').toLowerCase()
  const today = wallTime(now)
  const spans: TimeSpan[] = []
  // Compiling the sign of a language takes a while, and these are not written in ASCII.
  const possible = /^[\x20-\x7e\s]*$/.test(rest) ? inLatin : languages
  const rules = possible.flatMap((language) => (language.sign.test(rest) ? language.rules : []))
  // What one rule has read is not read by the next.
  for (const { pattern, spansOf } of rules.toSorted((a, b) => a.rank - b.rank)) {
    // Searching first is cheaper, because matching and replacing each copy the rule.
    if (rest.search(pattern) === -1) continue
    for (const found of rest.matchAll(pattern)) spans.push(...spansOf(found, today))
    rest = rest.replaceAll(pattern, ' ; ')
  }
  return spans.filter(({ from, to }) => Number.isFinite(from) && Number.isFinite(to))
}

function utc(at: number): number {
  return at
}

/** Made when first needed, because most questions are in one language. */
function languageOf(words: TimeWords): Language {
  let sign: RegExp | undefined
  let rules: readonly TimeRule[] | undefined
  return {
    get sign() {
      return (sign ??= signOf(words))
    },
    get rules() {
      return (rules ??= rulesOf(words))
    },
  }
}

const presentState = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:now|current(?:ly)?|latest|newest|most recent(?:ly)?|these days|at the moment|at present|up to date|` +
    'jetzt|derzeit|zurzeit|momentan|aktuell(?:e[nrms]?)?|actuellement|en ce moment|actualmente|ahora|attualmente|adesso|atualmente|agora|' +
    'momenteel|tegenwoordig|obecnie|teraz|сейчас|теперь|текущ(?:ий|ая|ее|ие|ую)|зараз|тепер|поточн(?:ий|а|е|і|у)|şu anda?|şimdi|güncel)' +
    String.raw`(?![\p{L}\p{N}])|现在|現在|目前|当前|當前|最新|今の|지금|현재`,
  'iu',
)

/** Whether a question asks for the current state, so that the newer of two answers is preferred. */
export function asksForLatest(text: string): boolean {
  return presentState.test(text)
}

// Most notes are written on the day or some days after, and few before.
const halfLifeAfterMs = 14 * dayMs
const halfLifeBeforeMs = 3 * dayMs

/** How well a time fits the nearest span: 1 inside, halved with growing distance, 0 if there is no span. */
export function closeness(at: number, spans: readonly TimeSpan[], wallTime: WallTime = utc): number {
  if (spans.length === 0) return 0
  const here = wallTime(at)
  return spans.reduce((best, span) => Math.max(best, closenessTo(here, span)), 0)
}

function closenessTo(at: number, { from, to }: TimeSpan): number {
  if (at < from) return 2 ** (-(from - at) / halfLifeBeforeMs)
  return at < to ? 1 : 2 ** (-(at - to) / halfLifeAfterMs)
}
