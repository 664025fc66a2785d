/** The state of a plan for callers that wait for it: ended, running, or waiting for a person. */
import { isPlanOver, type PlanStatus, type Step } from '@agentm/harness'

export type PlanState = 'over' | 'at work' | 'waiting'

export interface StepState {
  readonly remaining: number
  readonly payload: Pick<Step, 'status' | 'waitsFor' | 'retryAt'>
}

/** `children` holds the states of the plans that steps wait for. */
export function planState(
  plan: { readonly status: PlanStatus; readonly paused: boolean },
  steps: readonly StepState[],
  children: ReadonlyMap<string, PlanState> = new Map(),
): PlanState {
  if (isPlanOver(plan.status)) return 'over'
  if (steps.some((step) => isMoving(step, plan.paused, children))) return 'at work'
  return plan.paused || steps.some(({ payload }) => payload.status === 'blocked') ? 'waiting' : 'at work'
}

function isMoving(
  { remaining, payload }: StepState,
  paused: boolean,
  children: ReadonlyMap<string, PlanState>,
): boolean {
  const { status, waitsFor, retryAt } = payload
  switch (status) {
    case 'running':
      return true
    case 'ready':
      return !paused
    case 'pending':
      return !paused && remaining === 0
    case 'failed':
      return !paused && retryAt !== undefined
    case 'blocked':
      if (waitsFor?.for === 'plan') return children.get(waitsFor.planId) !== 'waiting'
      if (waitsFor?.for === 'resume') return !paused
      // A function goes on by itself, unless all it waits for is a person.
      if (waitsFor?.for === 'function') return waitsFor.until !== undefined || waitsFor.plans !== undefined
      return waitsFor?.for === 'time' || waitsFor?.for === 'rate-limit'
    default:
      return false
  }
}

/** Whether replanning a failed goal can help. It cannot if another plan would fail for the same reasons. */
export function isWorthReplanning(failures: readonly (Step['failure'] | undefined)[]): boolean {
  const met = failures.filter((failure) => failure !== undefined)
  return met.length === 0 || met.some(({ cause, code }) => cause !== 'refused' && !hopeless.has(code ?? ''))
}

/**
 * Failures that another plan would meet, too: the model is unavailable, the agent is gone, the budget is used up, or this worker
 * lacks what the work or its check needs.
 */
const hopeless: ReadonlySet<string> = new Set([
  'hard_error',
  'AGENT_UNAVAILABLE',
  'budget_exhausted',
  'REFUSED_TOOLS',
  'CHECK_NOT_ALLOWED',
  'CHECK_WITHOUT_MODEL',
  'MODEL_UNPRICED',
])
