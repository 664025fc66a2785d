/**
 * Whether a plan has ended. A step can still finish if some order of runs leads to its success. A step cannot finish if it depends,
 * directly or over several steps, on a failed step, on itself, or on a step that does not exist.
 */
import type { PlanView, StepView } from './plan-view.ts'

export type Verdict = 'done' | 'failed' | 'open' | 'unclear'

/** `unclear` is possible only for a view without all steps. */
export function planVerdict({ steps, counts, whole }: Pick<PlanView, 'steps' | 'counts' | 'whole'>): Verdict {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (total === 0) return 'open'
  if (counts.done === total) return 'done'
  if (!whole) return inFlight(counts) || steps.some(isAlive) || steps.some(mayBePromoted) ? 'open' : 'unclear'
  const finishable = finishableSteps(steps)
  return steps.some(({ id, payload }) => payload.status !== 'done' && finishable.has(id)) ? 'open' : 'failed'
}

/** Steps that are done or can still succeed. Each step and edge is visited once. */
export function finishableSteps(steps: readonly StepView[]): ReadonlySet<string> {
  const dependents = new Map<string, StepView[]>()
  const open = new Map<string, number>()
  const finishable = new Set<string>()
  const queue: string[] = []
  const enter = (id: string) => {
    finishable.add(id)
    queue.push(id)
  }
  for (const step of steps) {
    if (step.payload.status === 'done' || isAlive(step)) enter(step.id)
    else if (waitsForDependencies(step)) {
      const targets = new Set(step.payload.dependsOn)
      open.set(step.id, targets.size)
      for (const target of targets) {
        const others = dependents.get(target)
        if (others === undefined) dependents.set(target, [step])
        else others.push(step)
      }
      if (targets.size === 0) enter(step.id)
    }
  }
  for (let id = queue.pop(); id !== undefined; id = queue.pop())
    for (const { id: dependent } of dependents.get(id) ?? []) {
      const left = (open.get(dependent) ?? 0) - 1
      open.set(dependent, left)
      if (left === 0) enter(dependent)
    }
  return finishable
}

function inFlight({ ready = 0, running = 0 }: PlanView['counts']): boolean {
  return ready + running > 0
}

/** Whether the step itself can still succeed, without regard to its dependencies. */
function isAlive({ payload, redacted }: StepView): boolean {
  if (redacted === true) return false
  const { status, retryAt, waitsFor } = payload
  if (status === 'ready' || status === 'running') return true
  if (status === 'failed') return retryAt !== undefined
  return status === 'blocked' && waitsFor !== undefined
}

export function waitsForDependencies({ payload, redacted }: StepView): boolean {
  const { status, waitsFor } = payload
  return redacted !== true && (status === 'pending' || (status === 'blocked' && waitsFor === undefined))
}

function mayBePromoted(step: StepView): boolean {
  return waitsForDependencies(step) && step.remaining === 0
}
