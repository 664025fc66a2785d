/**
 * The time spans that a question names: "on 8 May 2023", "last March", "two weeks ago". Relative times refer to `now`, which the
 * caller gives. All dates are read in UTC, so a boundary may differ by a time zone.
 */
export interface TimeSpan {
  /** Milliseconds since 1970, inclusive. */
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const counts = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]

const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const day = '(\\d{1,2})(?:st|nd|rd|th)?'
const year = '((?:19|20)\\d{2})'
const count = `(\\d{1,3}|an?|${counts.slice(1).join('|')})`
const unit = '(day|week|month|year)'
const weekday = '(sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)day'
const dayMs = 86_400_000
// A month without a year can mean any of the last few years, because notes may be old.
const yearsRemembered = 3

type SpansOf = (found: RegExpExecArray, now: number) => TimeSpan[]

interface Rule {
  readonly pattern: RegExp
  readonly spansOf: SpansOf
}

// In order: text that an earlier rule matched is not read by later rules.
const rules: readonly Rule[] = [
  rule(`${year}-(\\d{2})-(\\d{2})`, ([, y, m, d]) => onDay(Number(y), Number(m) - 1, Number(d))),
  rule(`${count} ${unit}s? (?:before|prior to) (?:the )?${day}(?: of)? ${month},? ${year}`, ([, n, u, d, m, y]) =>
    shiftedBack(onDay(Number(y), monthOf(m), Number(d)), n, u),
  ),
  rule(`${count} ${unit}s? (?:before|prior to) ${month} ${day},? ${year}`, ([, n, u, m, d, y]) =>
    shiftedBack(onDay(Number(y), monthOf(m), Number(d)), n, u),
  ),
  rule(`(?:the )?week (?:before|prior to) (?:the )?${day}(?: of)? ${month},? ${year}`, ([, d, m, y]) =>
    weekBefore(onDay(Number(y), monthOf(m), Number(d))),
  ),
  rule(`(?:the )?week (?:before|prior to) ${month} ${day},? ${year}`, ([, m, d, y]) =>
    weekBefore(onDay(Number(y), monthOf(m), Number(d))),
  ),
  rule(`${day}(?: of)? ${month},? ?${year}`, ([, d, m, y]) => onDay(Number(y), monthOf(m), Number(d))),
  rule(`${month} ${day},? ?${year}`, ([, m, d, y]) => onDay(Number(y), monthOf(m), Number(d))),
  rule(`${month},?(?: of)? ${year}`, ([, m, y]) => inMonth(Number(y), monthOf(m))),
  rule(`${year}-(\\d{2})`, ([, y, m]) => inMonth(Number(y), Number(m) - 1)),
  rule(`(spring|summer|autumn|fall|winter)(?: of)? ${year}`, ([, s, y]) => inSeason(Number(y), s)),
  rule(`(?:q|quarter )([1-4]) ?(?:of )?${year}`, ([, q, y]) => months(Number(y), Number(q) * 3 - 3, 3)),
  rule(`(?:in|of|during|since|by|throughout|year|early|late|mid|end of) ${year}`, ([, y]) => months(Number(y), 0, 12)),
  rule('(?:the )?day before yesterday', (_, now) => daysAgo(now, 2)),
  rule('yesterday|last night', (_, now) => daysAgo(now, 1)),
  rule('today|tonight|this (?:morning|afternoon|evening)', (_, now) => daysAgo(now, 0)),
  rule(`${count} ${unit}s? ago`, ([, n, u], now) => shiftedBack(daysAgo(now, 0), n, u)),
  rule(`(?:in |over |during )?(?:the )?(?:last|past) ${count} ${unit}s`, ([, n, u], now) => since(now, n, u)),
  rule('(?:last|past) weekend', (_, now) => lastWeekend(now)),
  rule(`last ${weekday}`, ([, w], now) => lastWeekday(now, w)),
  rule(`on ${weekday}`, ([, w], now) => lastWeekday(now, w)),
  rule('(last|this) (week|month|year)', ([, which, u], now) => calendar(now, u, which === 'last' ? -1 : 0)),
  rule('last (spring|summer|autumn|fall|winter)', ([, s], now) => latest(now, (y) => inSeason(y, s))),
  rule(`last ${month}`, ([, m], now) => latest(now, (y) => inMonth(y, monthOf(m)))),
  rule(`this ${month}`, ([, m], now) => inMonth(new Date(now).getUTCFullYear(), monthOf(m))),
  rule(`(?:on |the )${day} of ${month}`, ([, d, m], now) => remembered(now, (y) => onDay(y, monthOf(m), Number(d)))),
  rule(`${month} ${day}`, ([, m, d], now) => remembered(now, (y) => onDay(y, monthOf(m), Number(d)))),
  rule(`(?:in|during|of|since|by|early|late|mid|end of)[ -]${month}`, ([, m], now) =>
    remembered(now, (y) => inMonth(y, monthOf(m))),
  ),
]

// Every rule needs one of these words. Most questions contain none, and then the expensive rules are skipped.
const timeWord = new RegExp(
  `(?:19|20)\\d{2}|(?<![a-z])(?:yesterday|last|past|today|tonight|this|ago|${month}|${weekday})(?![a-z])`,
)

/** Every time span that the text names. */
export function timeSpans(text: string, now: number): TimeSpan[] {
  let rest = text.normalize('NFKC').toLowerCase()
  if (!timeWord.test(rest)) return []
  const spans: TimeSpan[] = []
  for (const { pattern, spansOf } of rules) {
    // Searching first is cheaper, because matching and replacing each copy the rule.
    if (rest.search(pattern) === -1) continue
    for (const found of rest.matchAll(pattern)) spans.push(...spansOf(found, now))
    rest = rest.replaceAll(pattern, ' ; ')
  }
  return spans.filter(({ from, to }) => Number.isFinite(from) && Number.isFinite(to))
}

const presentState =
  /\b(?:now|current(?:ly)?|latest|newest|most recent(?:ly)?|these days|at the moment|at present|up to date)\b/i

/** Whether a question asks for the current state, so that the newer of two answers is preferred. */
export function asksForLatest(text: string): boolean {
  return presentState.test(text)
}

// Most notes are written on the day or some days after, and few before.
const halfLifeAfterMs = 14 * dayMs
const halfLifeBeforeMs = 3 * dayMs

/** How well a time fits the nearest span: 1 inside, halved with growing distance, 0 if there is no span. */
export function closeness(at: number, spans: readonly TimeSpan[]): number {
  return spans.reduce((best, span) => Math.max(best, closenessTo(at, span)), 0)
}

function closenessTo(at: number, { from, to }: TimeSpan): number {
  if (at < from) return 2 ** (-(from - at) / halfLifeBeforeMs)
  return at < to ? 1 : 2 ** (-(at - to) / halfLifeAfterMs)
}

function rule(source: string, spansOf: SpansOf): Rule {
  let made: RegExp | undefined
  return {
    // Compiled on demand, because most questions name no time and compiling all rules is slow.
    get pattern() {
      return (made ??= new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'gu'))
    },
    spansOf,
  }
}

function monthOf(name = ''): number {
  return monthNames.indexOf(name.slice(0, 3))
}

function numberOf(written = ''): number {
  if (written === 'a' || written === 'an') return 1
  const spelled = counts.indexOf(written)
  return spelled === -1 ? Number(written) : spelled
}

/** Empty for a day that does not exist, such as 31 April. */
function onDay(y: number, m: number, d: number): TimeSpan[] {
  const from = Date.UTC(y, m, d)
  const isReal = m >= 0 && m < 12 && new Date(from).getUTCDate() === d
  return isReal ? [{ from, to: from + dayMs }] : []
}

function inMonth(y: number, m: number): TimeSpan[] {
  return m >= 0 && m < 12 ? months(y, m, 1) : []
}

function months(y: number, first: number, many: number): TimeSpan[] {
  return [{ from: Date.UTC(y, first), to: Date.UTC(y, first + many) }]
}

/** Seasons of the northern hemisphere. A winter belongs to the year in which it begins. */
function inSeason(y: number, name = ''): TimeSpan[] {
  const first = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 }[name]
  return first === undefined ? [] : months(y, first, 3)
}

function daysAgo(now: number, days: number): TimeSpan[] {
  const from = startOfDay(now) - days * dayMs
  return [{ from, to: from + dayMs }]
}

function startOfDay(now: number): number {
  return Math.floor(now / dayMs) * dayMs
}

/** "Two weeks ago" means about that time: from weeks upward, half a unit in both directions. */
function shiftedBack(spans: TimeSpan[], written: string | undefined, unitName = ''): TimeSpan[] {
  const length = unitMs(unitName)
  const slack = unitName === 'day' ? 0 : length / 2
  return spans.map(({ from, to }) => ({
    from: from - numberOf(written) * length - slack,
    to: to - numberOf(written) * length + slack,
  }))
}

function unitMs(name: string): number {
  return dayMs * ({ week: 7, month: 30, year: 365 }[name] ?? 1)
}

function weekBefore(spans: TimeSpan[]): TimeSpan[] {
  return spans.map(({ from }) => ({ from: from - 7 * dayMs, to: from }))
}

function since(now: number, written: string | undefined, unitName = ''): TimeSpan[] {
  const to = startOfDay(now) + dayMs
  return [{ from: to - numberOf(written) * unitMs(unitName), to }]
}

function lastWeekday(now: number, name = ''): TimeSpan[] {
  const back = (new Date(now).getUTCDay() - weekdayNames.indexOf(name.slice(0, 3)) + 7) % 7
  return daysAgo(now, back === 0 ? 7 : back)
}

function lastWeekend(now: number): TimeSpan[] {
  return lastWeekday(now, 'sat').map(({ from }) => ({ from, to: from + 2 * dayMs }))
}

/** The week (from Monday), month or year `offset` away from the present one. */
function calendar(now: number, unitName: string | undefined, offset: number): TimeSpan[] {
  const date = new Date(now)
  if (unitName === 'year') return months(date.getUTCFullYear() + offset, 0, 12)
  if (unitName === 'month') return months(date.getUTCFullYear(), date.getUTCMonth() + offset, 1)
  const monday = startOfDay(now) - ((date.getUTCDay() + 6) % 7) * dayMs + offset * 7 * dayMs
  return [{ from: monday, to: monday + 7 * dayMs }]
}

/** The newest of the spans that have begun. */
function latest(now: number, inYear: (year: number) => TimeSpan[]): TimeSpan[] {
  return remembered(now, inYear).slice(0, 1)
}

/** The spans of the last years that have begun, newest first. */
function remembered(now: number, inYear: (year: number) => TimeSpan[]): TimeSpan[] {
  const thisYear = new Date(now).getUTCFullYear()
  return Array.from({ length: yearsRemembered + 1 }, (_, back) => inYear(thisYear - back))
    .flat()
    .filter(({ from }) => from <= now)
    .slice(0, yearsRemembered)
}
