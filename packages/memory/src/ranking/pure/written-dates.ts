/**
 * Dates as terms. A date is written in many ways and languages ("12 March 2025", "2025-03-12", "le 12 mars"), so it is found by
 * terms that stand for the day, the month of the year, the day of any year, and the month of any year.
 */
import { monthNames } from './month-names.ts'

export interface WrittenDate {
  readonly year: number | undefined
  readonly month: number
  readonly day: number | undefined
}

/** What a token can be in a date. `link`: a word between the parts, such as "of". `月` makes the number before it a month. */
export type DatePart =
  | { readonly is: 'year' | 'month' | 'day'; readonly value: number }
  | { readonly is: 'link' }
  | { readonly is: '月' }
  | ({ readonly is: 'date' } & WrittenDate)

const links = new Set([
  'of',
  'the',
  'de',
  'del',
  'den',
  'do',
  'am',
  'p',
  'г',
  'года',
  'року',
  'r',
  'roku',
  'om',
  'le',
  'el',
  'il',
  'di',
  'on',
])
const ordinal = /^(\d{1,2})(?:st|nd|rd|th|er|e|a|일)?$/
const isoDate = /^((?:19|20)\d{2})[-/.](\d{1,2})[-/.](\d{1,2})$/
const isoMonth = /^((?:19|20)\d{2})[-/](\d{2})$/
const dayFirst = /^(\d{1,2})[./-](\d{1,2})[./-]((?:19|20)\d{2})$/

/** `raw` is a token in lower case without accents. */
export function datePartOf(raw: string): DatePart | undefined {
  if (links.has(raw) || /^[年日]/.test(raw)) return { is: 'link' }
  if (raw.startsWith('月')) return { is: '月' }
  const month = monthNames.get(raw)
  if (month !== undefined) return { is: 'month', value: month }
  if (!/^\d/.test(raw)) return undefined
  const [, koreanMonth] = /^(\d{1,2})월(?:에|은|의)?$/.exec(raw) ?? []
  if (koreanMonth !== undefined) return partIn('month', koreanMonth, 12)
  const [, year] = /^((?:19|20)\d{2})(?:년(?:에|은|의)?)?$/.exec(raw) ?? []
  if (year !== undefined) return { is: 'year', value: Number(year) }
  const [, day] = ordinal.exec(raw) ?? []
  return day === undefined ? wholeDate(raw.replace(/t\d{2}.*$/, '')) : partIn('day', day, 31)
}

function partIn(is: 'month' | 'day', written: string, most: number): DatePart | undefined {
  const value = Number(written)
  return value >= 1 && value <= most ? { is, value } : undefined
}

/** A date in one token. Of "12.03.2025" the first number is the day, unless it cannot be the month's place that follows. */
function wholeDate(raw: string): DatePart | undefined {
  const [, year, month, day] = isoDate.exec(raw) ?? []
  if (year !== undefined) return dateOf(Number(year), Number(month), Number(day))
  const [, first, second, last] = dayFirst.exec(raw) ?? []
  if (last !== undefined)
    return dateOf(Number(last), Number(second), Number(first)) ?? dateOf(Number(last), Number(first), Number(second))
  const [, ofYear, only] = isoMonth.exec(raw) ?? []
  return ofYear === undefined ? undefined : dateOf(Number(ofYear), Number(only))
}

function dateOf(year: number, month: number, day?: number): DatePart | undefined {
  if (month < 1 || month > 12 || (day !== undefined && (day < 1 || day > 31))) return undefined
  return { is: 'date', year, month, day }
}

interface HeardPart {
  readonly is: 'year' | 'month' | 'day'
  readonly value: number
  readonly token: number
}

export interface FoundDate {
  readonly date: WrittenDate
  /** The token where it begins. */
  readonly from: number
}

/** Puts the parts of dates together, token by token. */
export class DateReader {
  #parts: HeardPart[] = []

  /** The date that ends with this token. */
  read(part: DatePart | undefined, token: number): FoundDate | undefined {
    if (part === undefined) {
      if (this.#parts.length > 0) this.#parts = []
      return undefined
    }
    if (part.is === 'link') return undefined
    if (part.is === 'date') {
      this.#parts = []
      return { date: part, from: token }
    }
    return part.is === '月' ? this.#monthBefore() : this.#add({ ...part, token })
  }

  #monthBefore(): FoundDate | undefined {
    const last = this.#parts.pop()
    if (last?.is === 'day' && last.value <= 12) return this.#add({ ...last, is: 'month' })
    this.#parts = []
    return undefined
  }

  #add(part: HeardPart): FoundDate | undefined {
    // A part that was already given begins another date.
    const before = this.#parts.slice(this.#parts.findLastIndex(({ is }) => is === part.is) + 1)
    this.#parts = [...before, part]
    const value = (is: string) => this.#parts.find((each) => each.is === is)?.value
    const [year, month, day] = [value('year'), value('month'), value('day')]
    if (month === undefined || (year === undefined && day === undefined)) return undefined
    return { date: { year, month, day }, from: this.#parts[0]?.token ?? part.token }
  }
}

/** The terms of a date in a note, so that a question finds it by any part of the date. */
export function dateTerms({ year, month, day }: WrittenDate): readonly string[] {
  return [
    ...(year === undefined ? [] : [monthTerm(month, year)]),
    ...(day === undefined ? [] : [dayTerm(month, day)]),
    ...(day === undefined || year === undefined ? [] : [dayTerm(month, day, year)]),
    monthTerm(month),
  ]
}

/** The terms by which a question asks for a date: the day or the month, and of a day the month too, because it counts a little. */
export function askedDateTerms({ year, month, day }: WrittenDate): readonly string[] {
  if (day === undefined) return [monthTerm(month, year)]
  return year === undefined ? [dayTerm(month, day)] : [dayTerm(month, day, year), monthTerm(month, year)]
}

export function monthTerm(month: number, year?: number): string {
  return `@${year ?? ''}-${month}`
}

function dayTerm(month: number, day: number, year?: number): string {
  return `@${year ?? ''}-${month}-${day}`
}
