/** The words with which a language names times, and the patterns of its expressions. */
import type { Season, Unit } from './time-spans.ts'

/** What expressions mean, those first that can contain another one. A unit that the pattern does not name is part of the meaning. */
export const meanings = [
  'date',
  'season of year',
  'month of year',
  'day of month',
  'in year',
  'day before yesterday',
  'yesterday',
  'today',
  'ago',
  'last units',
  'last weekend',
  'last weekday',
  'last season',
  'this season',
  'last month by name',
  'last unit',
  'this unit',
  'last week',
  'last month',
  'last year',
  'this week',
  'this month',
  'this year',
  'in month',
] as const

export type Meaning = (typeof meanings)[number]

/**
 * The words are parts of regular expressions without capturing groups. A pattern can contain {n}, {unit}, {month}, {weekday}, {season},
 * {day} and {year}.
 */
export interface TimeWords {
  /** The beginnings of words that expressions without the name of a month, a weekday or a season, and without a year, contain one of. */
  readonly sign: string
  /** Whether words are separated from what stands before and after them (default: both). */
  readonly bounded?: { readonly start: boolean; readonly end: boolean }
  readonly months: readonly string[]
  /** From Sunday. */
  readonly weekdays: readonly string[]
  readonly seasons: Readonly<Record<Season, string>>
  readonly units: Readonly<Record<Unit, string>>
  /** From one. */
  readonly numbers: readonly string[]
  readonly says: readonly (readonly [pattern: string, meaning: Meaning])[]
}
