/**
 * The times of a schedule. Cron expressions are read by `croner`: it knows time zones and daylight saving. A job with one hour and
 * one minute (`30 2 * * *`) runs once on every day; where the clock skips that time, it runs right after the gap.
 */
import { Cron } from 'croner'
import { InvalidScheduleError } from '../harness-errors.ts'
import { intervalSlots, type Slots, slotsWithin } from './pure/slots.ts'
import type { Schedule } from './schedule.ts'

export type Timing = Pick<Schedule, 'cron' | 'everyMs' | 'anchor' | 'zone' | 'startsAt' | 'endsAt'>

export function slotsOf({ cron, everyMs, anchor, zone, startsAt, endsAt }: Timing): Slots {
  const limits = { from: startsAt && Date.parse(startsAt), to: endsAt && Date.parse(endsAt) }
  const from = typeof limits.from === 'number' ? limits.from : undefined
  const to = typeof limits.to === 'number' ? limits.to : undefined
  const slots =
    cron === undefined
      ? intervalSlots({ everyMs: everyMs ?? Infinity, anchor: Date.parse(anchor) })
      : cronSlots(cron, zone)
  return slotsWithin(slots, { from, to })
}

function cronSlots(expression: string, zone: string): Slots {
  const cron = parseCron(expression, zone)
  return {
    next: (after) => cron.nextRun(new Date(after))?.getTime(),
    // Asked for a time within a second, it would leave out the start of that second.
    previous: (before) => cron.previousRuns(1, new Date(Math.ceil(before / 1000) * 1000))[0]?.getTime(),
  }
}

/** Without a function to call, it sets no timer. */
export function parseCron(expression: string, zone: string): Cron {
  try {
    return new Cron(expression, { timezone: zone, paused: true, mode: '5-part' })
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).replace(/^Cron\w+: /, '')
    throw new InvalidScheduleError([
      `${JSON.stringify(expression)} is no cron expression (${why}). It has five fields: minute, hour, day of month, month, weekday, such as "0 9 * * 1-5"`,
    ])
  }
}
