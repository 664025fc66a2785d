/** The statuses of a schedule, and which changes between them are allowed. */
export const scheduleStatuses = ['active', 'waiting', 'paused', 'ended', 'removed'] as const

/**
 * `active`: the next start is known. `waiting`: a start waits for the previous plan. `paused` and `removed`: by hand. `ended`: its
 * last start is over.
 */
export type ScheduleStatus = (typeof scheduleStatuses)[number]

/** Statuses in which a worker starts plans. */
export const servedStatuses: readonly ScheduleStatus[] = ['active', 'waiting']

export function isServed(status: ScheduleStatus): boolean {
  return servedStatuses.includes(status)
}

/** The reason why a write of a schedule is refused, or `undefined`. A removed schedule can only be added again. */
export function scheduleRefusal(prior: ScheduleStatus | undefined, next: ScheduleStatus): string | undefined {
  if (prior === 'removed' && (next === 'waiting' || next === 'ended')) return 'the schedule was removed'
  return undefined
}
