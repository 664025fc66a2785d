import { definitionOf, type NewSchedule } from './new-schedule.ts'
import { slotsAfter } from './pure/upcoming.ts'
import { slotsOf } from './slots-of.ts'

/**
 * The next times of a schedule that need not exist yet, without jitter. Refuses a schedule with mistakes, as adding it would.
 *
 * @example
 * ```ts
 * import { nextTimes } from '@agentm/harness'
 *
 * const plan = { goal: 'greet', steps: [{ key: 'greet', title: 'Say hello', kind: 'command' }] }
 * const weekdays = { cron: '0 9 * * 1-5', zone: 'Europe/Berlin', plan }
 * const [first] = nextTimes(weekdays, { after: Date.parse('2026-03-28T12:00:00Z'), count: 1 })
 * console.log(first?.toISOString()) // 2026-03-30T07:00:00.000Z
 * ```
 */
export function nextTimes(
  schedule: NewSchedule,
  { after, count }: { readonly after: number; readonly count: number },
): readonly Date[] {
  const definition = definitionOf(schedule, { now: after, owner: 'preview' })
  return slotsAfter(slotsOf(definition), after, { count }).map((at) => new Date(at))
}
