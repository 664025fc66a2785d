/** Which times of a schedule have come since its last decision. After a long outage these are many, so only the newest are listed. */
import type { Slots } from './slots.ts'
import { type Jittered, startTime } from './start-time.ts'

/** A start that is late by less than this is on time. Workers are restarted, and that must not count as an outage. */
export const onTimeMs = 60_000
/** More missed times than this are not counted. */
const mostCounted = 1000

export interface DueSlots {
  /** The newest ones, oldest first. */
  readonly slots: readonly number[]
  /** The last of them is on time. */
  readonly isOnTime: boolean
  /** Those before the listed ones. */
  readonly earlier?: { readonly from: number; readonly to: number; readonly count: number; readonly more: boolean }
}

export interface DueQuestion extends Jittered {
  readonly slots: Slots
  /** The first time that was not decided yet. */
  readonly from: number
  readonly now: number
  /** How many to list. */
  readonly most: number
}

export function dueSlots(question: DueQuestion): DueSlots | undefined {
  const { slots, from, now, most } = question
  const newest = newestDue(question)
  if (newest === undefined || newest < from) return undefined
  const listed = [newest]
  let before = slots.previous(newest)
  while (before !== undefined && before >= from && listed.length < most) {
    listed.unshift(before)
    before = slots.previous(before)
  }
  const isOnTime = now - startTime(newest, question) <= onTimeMs
  const first = { from: Math.max(from, slots.next(from - 1) ?? from), to: before ?? from }
  return before === undefined || before < from
    ? { slots: listed, isOnTime }
    : { slots: listed, isOnTime, earlier: { ...first, ...counted(slots, first) } }
}

/** Only the last time before now can still wait for its jitter. */
function newestDue(question: DueQuestion): number | undefined {
  const { slots, now } = question
  const last = slots.previous(now + 1)
  if (last === undefined || startTime(last, question) <= now) return last
  return slots.previous(last)
}

function counted(
  slots: Slots,
  { from, to }: { readonly from: number; readonly to: number },
): { readonly count: number; readonly more: boolean } {
  let count = 0
  for (let slot: number | undefined = from; slot !== undefined && slot <= to; slot = slots.next(slot)) {
    if (count === mostCounted) return { count, more: true }
    count += 1
  }
  return { count, more: false }
}
