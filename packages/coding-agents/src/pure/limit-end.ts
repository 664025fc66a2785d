/** When a usage limit ends, read from the message that a coding agent prints for a person. */
import type { ClockTime, Reading } from './client-event.ts'

/** Whether a message speaks of a limit that ends by itself. */
export function isLimitMessage(message: string): boolean {
  return /\b(?:usage|rate|5-hour|hourly|daily|weekly|session|request|opus|sonnet)[ -]limit\b|rate.?limited|too many requests|\b429\b|(?:exhausted|exceeded) your\b.*\b(?:quota|capacity)|resource.?exhausted/i.test(
    message,
  )
}

/** In epoch milliseconds; `undefined` if the message names no time. A time without seconds has ended only with its minute. */
export function limitEnd(message: string, reading: Reading): number | undefined {
  return stamp(message) ?? span(message, reading.now) ?? clock(message, reading)
}

/** `usage limit reached|1795150000`, or an ISO time. */
function stamp(message: string): number | undefined {
  const seconds = /\|(\d{10})(?:\d{3})?\b/.exec(message)?.[1]
  if (seconds !== undefined) return Number(seconds) * 1000
  const iso = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)\b/.exec(message)?.[0]
  const at = iso === undefined ? Number.NaN : Date.parse(iso)
  return Number.isFinite(at) ? at : undefined
}

const unitsMs: readonly (readonly [unit: RegExp, ms: number])[] = [
  [/^m(?:s|illiseconds?)$/i, 1],
  [/^s(?:ec(?:ond)?s?)?$/i, 1000],
  [/^m(?:in(?:ute)?s?)?$/i, 60_000],
  [/^h(?:(?:ou)?rs?)?$/i, 3_600_000],
  [/^d(?:ays?)?$/i, 86_400_000],
]

/** `try again in 3600s`, `retry in 2.5s`, `will reset after 3h20m5s`, `in 2 days 3 hours`. */
function span(message: string, now: number): number | undefined {
  const part = String.raw`\d+(?:\.\d+)?\s*(?:milliseconds?|ms|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|[smhd])\b`
  const joined = String.raw`(?:(?:\d+(?:\.\d+)?(?:ms|[smhd]))+\b|${part}(?:,?\s*(?:and\s*)?${part})*)`
  const found = new RegExp(String.raw`\b(?:in|after)\s+(${joined})`, 'i').exec(message)?.[1]
  if (found === undefined) return undefined
  const ms = [...found.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)].map(
    ([, value, unit = '']) => Number(value) * (unitsMs.find(([name]) => name.test(unit))?.[1] ?? 0),
  )
  return now + Math.ceil(ms.reduce((sum, each) => sum + each, 0))
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** `try again at 4:46 AM`, `resets 3pm (Europe/Berlin)`, `at Nov 25th, 2026 4:46 AM`, `resets Nov 25 at 3pm (UTC)`. */
function clock(message: string, { now, zone: here, clockIn }: Reading): number | undefined {
  const found =
    /\b(?:at|resets?(?:\s+at)?)\s+(?:([A-Z][a-z]{2})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(?:(\d{4}),?\s+)?(?:at\s+)?)?(\d{1,2})(?::(\d\d))?\s*([ap]m)\b(?:\s*\(([A-Za-z_]+(?:\/[A-Za-z_+-]+)*)\))?/i.exec(
      message,
    )
  if (found === null) return undefined
  const [, monthName, day, year, hourText, minute = '0', half = '', zone = here] = found
  const hour = (Number(hourText) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  const today = clockIn(zone, now)
  if (today === undefined) return undefined
  const month = monthName === undefined ? today.month : months.indexOf(monthName.toLowerCase())
  if (month === -1) return undefined
  const at = (years: number, days: number) =>
    momentIn({ year: years, month, day: days, hour, minute: Number(minute) }, (time) => clockIn(zone, time)) +
    wholeMinuteMs
  if (monthName !== undefined) {
    const first = at(Number(year ?? today.year), Number(day))
    return year === undefined && first < now ? at(today.year + 1, Number(day)) : first
  }
  const first = at(today.year, today.day)
  return first <= now ? at(today.year, today.day + 1) : first
}

const wholeMinuteMs = 60_000

/** The moment at which a clock shows this time. */
function momentIn(
  { year, month, day, hour, minute }: ClockTime,
  clockAt: (at: number) => ClockTime | undefined,
): number {
  const wanted = Date.UTC(year, month, day, hour, minute)
  const shownAt = (at: number): number => {
    const shown = clockAt(at)
    return shown === undefined ? at : Date.UTC(shown.year, shown.month, shown.day, shown.hour, shown.minute)
  }
  // The second round matters on the days on which the clocks change.
  const first = wanted - (shownAt(wanted) - wanted)
  return first - (shownAt(first) - wanted)
}
