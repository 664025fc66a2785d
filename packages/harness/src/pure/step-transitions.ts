/** Which status of a step may follow which, as in the seed's table; and what else a write of a step must keep. */
export const stepStatuses = ['pending', 'ready', 'running', 'blocked', 'done', 'failed'] as const

/** The status of a step: pending, ready, running, blocked, done or failed. */
export type StepStatus = (typeof stepStatuses)[number]

const ways: Readonly<Record<StepStatus, readonly StepStatus[]>> = {
  pending: ['ready'],
  ready: ['running'],
  running: ['blocked', 'done', 'failed'],
  blocked: ['ready'],
  done: [],
  failed: ['ready'],
}

/** The fields of a step that its guard checks. */
export interface GuardedStep {
  readonly status: string
  readonly attempt: number
  readonly idempotencyKey: string
  readonly session?: string | undefined
  /** The step of another plan that did the work. */
  readonly carriedFrom?: { readonly planId: string; readonly stepId: string } | undefined
}

export function stepTransitionAllowed(from: string, to: string): boolean {
  if (!isStepStatus(to)) return false
  if (from === '') return true
  if (!isStepStatus(from)) return false
  return from === to || ways[from].includes(to)
}

/** The reason why a write of a step is refused, or `undefined`. */
export function stepRefusal(prior: GuardedStep | undefined, next: GuardedStep): string | undefined {
  if (!isStepStatus(next.status)) return `unknown status ${JSON.stringify(next.status)}`
  if (prior === undefined) return firstRefusal(next)
  const [from, to] = [prior.status, next.status]
  if (prior.carriedFrom?.stepId !== next.carriedFrom?.stepId)
    return 'where its work was done is fixed once it is written'
  if (!stepTransitionAllowed(from, to)) return `invalid transition from ${from} to ${to}`
  if (from === 'failed' && to === 'ready')
    return next.attempt > prior.attempt ? sameKey(prior, next) : 'retry must increment attempt'
  if (next.attempt !== prior.attempt) return 'attempt changes on a retry only'
  // A claim goes from ready to running. A change of the session while it runs would give the step two winners.
  if (from === 'running' && to === 'running' && next.session !== prior.session)
    return 'a running step keeps the session that claimed it'
  return sameKey(prior, next)
}

function isStepStatus(status: string): status is StepStatus {
  return (stepStatuses as readonly string[]).includes(status)
}

function firstRefusal({ status, attempt, carriedFrom }: GuardedStep): string | undefined {
  const first = carriedFrom === undefined ? 'pending' : 'done'
  if (status !== first)
    return `a new step must start in status ${first}${carriedFrom === undefined ? '' : ', because its work was carried over'}`
  return attempt === 0 ? undefined : 'a new step starts at attempt 0'
}

function sameKey(prior: GuardedStep, next: GuardedStep): string | undefined {
  return prior.idempotencyKey === next.idempotencyKey ? undefined : 'its idempotencyKey is fixed once it is written'
}
