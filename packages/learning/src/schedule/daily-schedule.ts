/**
 * A daily time in a time zone. If the clocks skip that time, the run comes after the skip. If the time occurs twice, the first one
 * counts.
 */

export interface DailySchedule {
  /** Such as `02:45`. */
  readonly at: string
  /** Such as `UTC` or `Europe/Berlin`. */
  readonly timeZone: string
}

const dayMs = 86_400_000

/** The last scheduled time up to now, in epoch milliseconds. */
export function lastDue(schedule: DailySchedule, now: number): number {
  return Math.max(...dueAround(schedule, now).filter((due) => due <= now))
}

/** The next scheduled time, in epoch milliseconds. */
export function nextDue(schedule: DailySchedule, now: number): number {
  return Math.min(...dueAround(schedule, now).filter((due) => due > now))
}

export function scheduleText({ at, timeZone }: DailySchedule): string {
  return `${at} ${timeZone}`
}

/**
 * Whether this system knows the time zone.
 *
 * @example
 * ```ts
 * import { isTimeZone } from '@agentm/learning'
 *
 * console.log(isTimeZone('Europe/Paris'), isTimeZone('Europe/Atlantis')) // true false
 * ```
 */
export function isTimeZone(text: string): boolean {
  try {
    clockIn(text)
    return true
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return false
  }
}

function dueAround(schedule: DailySchedule, now: number): readonly number[] {
  const clock = clockIn(schedule.timeZone)
  return [-1, 0, 1].map((days) => dueOn(schedule.at, clock, now + days * dayMs))
}

/** The scheduled time on the local day of a moment. */
function dueOn(at: string, clock: Intl.DateTimeFormat, moment: number): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const local = new Date(moment + offsetAt(moment, clock))
  const wanted = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate(), hours, minutes)
  // The time with the offset before and after a clock change. The earlier one is used if it shows the wanted time, otherwise the
  // later one.
  const [early, late] = [wanted - offsetAt(wanted - dayMs, clock), wanted - offsetAt(wanted + dayMs, clock)]
  const fits = [early, late].filter((due) => due + offsetAt(due, clock) === wanted)
  return fits.length > 0 ? Math.min(...fits) : Math.max(early, late)
}

function clockIn(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
}

/** The offset of the time zone from UTC at that moment. */
function offsetAt(moment: number, clock: Intl.DateTimeFormat): number {
  const parts = new Map(clock.formatToParts(new Date(moment)).map(({ type, value }) => [type, Number(value)]))
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return shown - Math.floor(moment / 1000) * 1000
}
