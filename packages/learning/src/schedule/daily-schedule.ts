/** Once a day at a time of day, somewhere. Where the clocks jump over that time, it comes after the jump; twice, the first counts. */

export interface DailySchedule {
  /** Such as `02:45`. */
  readonly at: string
  /** Such as `UTC` or `Europe/Berlin`. */
  readonly timeZone: string
}

const dayMs = 86_400_000

/** The last time it was due, up to now; epoch milliseconds. */
export function lastDue(schedule: DailySchedule, now: number): number {
  return Math.max(...dueAround(schedule, now).filter((due) => due <= now))
}

/** The next time it is due. */
export function nextDue(schedule: DailySchedule, now: number): number {
  return Math.min(...dueAround(schedule, now).filter((due) => due > now))
}

export function scheduleText({ at, timeZone }: DailySchedule): string {
  return `${at} ${timeZone}`
}

/**
 * Whether this system knows it.
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

/** On the local day of a moment. */
function dueOn(at: string, clock: Intl.DateTimeFormat, moment: number): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const local = new Date(moment + offsetAt(moment, clock))
  const wanted = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate(), hours, minutes)
  // The offset before and after a change of clocks; the earlier moment that shows the wanted time, or the later one where none does.
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

/** What a clock there shows, less what one in UTC shows. */
function offsetAt(moment: number, clock: Intl.DateTimeFormat): number {
  const parts = new Map(clock.formatToParts(new Date(moment)).map(({ type, value }) => [type, Number(value)]))
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return shown - Math.floor(moment / 1000) * 1000
}
