/** The next starts of a schedule, with their delays. */
import type { Schedule } from '../schedule.ts'
import { isServed } from './schedule-transitions.ts'
import type { Slots } from './slots.ts'
import { startTime } from './start-time.ts'

interface Upcoming {
  readonly id: string
  readonly schedule: Pick<Schedule, 'status' | 'slot' | 'jitterMs'>
  readonly slots: Slots
}

export function upcoming({ id, schedule, slots }: Upcoming, count: number): readonly number[] {
  const { status, slot, jitterMs } = schedule
  if (!isServed(status) || slot === undefined) return []
  return slotsAfter(slots, Date.parse(slot) - 1, { count }).map((at) => startTime(at, { id, jitterMs, slots }))
}

/** The times after one time and up to another. */
export function slotsAfter(
  slots: Slots,
  after: number,
  { count = Infinity, to = Infinity }: { readonly count?: number; readonly to?: number },
): readonly number[] {
  const found: number[] = []
  for (let at = slots.next(after); at !== undefined && at <= to && found.length < count; at = slots.next(at))
    found.push(at)
  return found
}
