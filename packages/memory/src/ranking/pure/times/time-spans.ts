/**
 * Spans of the calendar. All of them are wall-clock time, written as if it were UTC: a day begins at a multiple of 24 hours, wherever the
 * person lives.
 */

/** What a clock on the wall shows at a moment, written as if it were UTC. */
export type WallTime = (at: number) => number

/** A stretch of time, in wall-clock time. */
export interface TimeSpan {
  /** Milliseconds since 1970 in wall-clock time, inclusive. */
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

export const units = ['day', 'week', 'month', 'year'] as const

export type Unit = (typeof units)[number]

export const seasons = ['spring', 'summer', 'autumn', 'winter'] as const

export type Season = (typeof seasons)[number]

export const dayMs = 86_400_000
// A month without a year can mean any of the last few years, because notes may be old.
const yearsRemembered = 3

/** Empty for a day that does not exist, such as 31 April. Months count from 0. */
export function onDay(y: number, m: number, d: number): TimeSpan[] {
  const from = Date.UTC(y, m, d)
  const isReal = m >= 0 && m < 12 && new Date(from).getUTCDate() === d
  return isReal ? [{ from, to: from + dayMs }] : []
}

export function inMonth(y: number, m: number): TimeSpan[] {
  return m >= 0 && m < 12 ? months(y, m, 1) : []
}

export function months(y: number, first: number, many: number): TimeSpan[] {
  return [{ from: Date.UTC(y, first), to: Date.UTC(y, first + many) }]
}

/** Seasons of the northern hemisphere. A winter belongs to the year in which it begins. */
export function inSeason(y: number, season: Season): TimeSpan[] {
  return months(y, 2 + 3 * seasons.indexOf(season), 3)
}

/** The season of the present year; in January and February, the winter that is not over yet. */
export function thisSeason(now: number, season: Season): TimeSpan[] {
  const date = new Date(now)
  const isBegun = season === 'winter' && date.getUTCMonth() < 2
  return inSeason(date.getUTCFullYear() - (isBegun ? 1 : 0), season)
}

export function daysAgo(now: number, days: number): TimeSpan[] {
  const from = startOfDay(now) - days * dayMs
  return [{ from, to: from + dayMs }]
}

function startOfDay(now: number): number {
  return Math.floor(now / dayMs) * dayMs
}

/** "Two weeks ago" means about that time: from weeks upward, half a unit in both directions. */
export function shiftedBack(spans: readonly TimeSpan[], count: number, unit: Unit): TimeSpan[] {
  const length = unitMs[unit]
  const slack = unit === 'day' ? 0 : length / 2
  return spans.map(({ from, to }) => ({ from: from - count * length - slack, to: to - count * length + slack }))
}

const unitMs: Readonly<Record<Unit, number>> = { day: dayMs, week: 7 * dayMs, month: 30 * dayMs, year: 365 * dayMs }

export function weekBefore(spans: readonly TimeSpan[]): TimeSpan[] {
  return spans.map(({ from }) => ({ from: from - 7 * dayMs, to: from }))
}

/** The last `count` days, weeks, months or years, including today. */
export function lastUnits(now: number, count: number, unit: Unit): TimeSpan[] {
  const to = startOfDay(now) + dayMs
  return [{ from: to - count * unitMs[unit], to }]
}

/** The newest such weekday before today. Sunday is 0. */
export function lastWeekday(now: number, weekday: number): TimeSpan[] {
  const back = (new Date(now).getUTCDay() - weekday + 7) % 7
  return daysAgo(now, back === 0 ? 7 : back)
}

export function lastWeekend(now: number): TimeSpan[] {
  return lastWeekday(now, 6).map(({ from }) => ({ from, to: from + 2 * dayMs }))
}

/** The day, week (from Monday), month or year `offset` away from the present one. */
export function calendar(now: number, unit: Unit, offset: number): TimeSpan[] {
  const date = new Date(now)
  if (unit === 'day') return daysAgo(now, -offset)
  if (unit === 'year') return months(date.getUTCFullYear() + offset, 0, 12)
  if (unit === 'month') return months(date.getUTCFullYear(), date.getUTCMonth() + offset, 1)
  const monday = startOfDay(now) - ((date.getUTCDay() + 6) % 7) * dayMs + offset * 7 * dayMs
  return [{ from: monday, to: monday + 7 * dayMs }]
}

/** The newest of the spans that have begun. */
export function latest(now: number, inYear: (year: number) => TimeSpan[]): TimeSpan[] {
  return remembered(now, inYear).slice(0, 1)
}

/** The spans of the last years that have begun, newest first. */
export function remembered(now: number, inYear: (year: number) => TimeSpan[]): TimeSpan[] {
  const thisYear = new Date(now).getUTCFullYear()
  return Array.from({ length: yearsRemembered + 1 }, (_, back) => inYear(thisYear - back))
    .flat()
    .filter(({ from }) => from <= now)
    .slice(0, yearsRemembered)
}
