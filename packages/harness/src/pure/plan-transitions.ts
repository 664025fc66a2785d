/** The statuses of a plan: open, running, and three final ones. */
export const planStatuses = ['open', 'running', 'done', 'failed', 'cancelled'] as const

/** The life of a plan: open, running, then done, failed or cancelled. */
export type PlanStatus = (typeof planStatuses)[number]

const ways: Readonly<Record<PlanStatus, readonly PlanStatus[]>> = {
  open: ['running', 'done', 'failed', 'cancelled'],
  running: ['done', 'failed', 'cancelled'],
  done: [],
  failed: [],
  cancelled: [],
}

/** Statuses of plans that have not ended. */
export const openPlanStatuses: readonly PlanStatus[] = ['open', 'running']

/**
 * Whether a plan with this status has ended.
 *
 * @example
 * ```ts
 * import { isPlanOver } from '@agentm/harness'
 *
 * console.log(isPlanOver('running'), isPlanOver('done')) // false true
 * ```
 */
export function isPlanOver(status: string | undefined): boolean {
  return status === undefined || !(openPlanStatuses as readonly string[]).includes(status)
}

/** The reason why a write of a plan is refused, or `undefined`. */
export function planRefusal(prior: PlanStatus | undefined, next: PlanStatus): string | undefined {
  if (prior === undefined) return next === 'open' ? undefined : 'a new plan must start in status open'
  if (isPlanOver(prior)) return `the plan is ${prior}, which is final`
  return prior === next || ways[prior].includes(next) ? undefined : `invalid transition from ${prior} to ${next}`
}
