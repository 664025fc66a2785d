/**
 * What a decision about a plan is made from: the plan, some or all of its steps, and what the log says around them. A
 * view of some steps carries the counts of all, so that most decisions need no more than what changed.
 */
import type { Plan } from '../plan.ts'
import type { Step } from '../step.ts'
import type { Usage } from './budget-verdict.ts'
import type { PlanStatus } from './plan-transitions.ts'
import type { StepStatus } from './step-transitions.ts'

export interface StepView {
  readonly id: string
  readonly version: number
  /** Dependencies that are not done. */
  readonly remaining: number
  readonly payload: Step
  /** Erased: it can have no further versions, so it never changes. */
  readonly redacted?: boolean
}

export interface PlanView {
  /** By the store's clock. */
  readonly now: number
  readonly plan: { readonly id: string; readonly version: number; readonly payload: Plan }
  readonly steps: readonly StepView[]
  /** `steps` are all there are; a verdict about dead ends needs that. */
  readonly whole: boolean
  /** How many steps the plan has in each status. */
  readonly counts: Readonly<Partial<Record<StepStatus, number>>>
  /** Running steps whose worker is gone, and how that is known. */
  readonly abandoned?: ReadonlyMap<string, Lost>
  /** Without it no budget is judged. */
  readonly usage?: Usage
  /** The plan whose step started this one, and that step. */
  readonly parent?: { readonly plan: PlanStatus; readonly step: StepStatus }
  /** Plans that steps wait for. */
  readonly children?: ReadonlyMap<string, PlanStatus>
  /** How many ready steps to claim (default: none), for stores that claim by themselves. */
  readonly freeSlots?: number
}

/** How a worker was lost. */
export type Lost = 'lease' | 'vanished' | 'closed'

/** A view of all steps, with what heads would say of them computed here; for replay, eval and tests. */
export function wholeView(
  view: Omit<PlanView, 'whole' | 'counts' | 'steps'> & { readonly steps: readonly Stepped[] },
): PlanView {
  const status = new Map(view.steps.map(({ id, payload }) => [id, payload.status]))
  const steps = view.steps.map((step) => ({
    ...step,
    remaining: new Set(step.payload.dependsOn.filter((id) => status.get(id) !== 'done')).size,
  }))
  return { ...view, steps, whole: true, counts: countsOf(steps) }
}

type Stepped = Omit<StepView, 'remaining'>

export function countsOf(steps: readonly Pick<StepView, 'payload'>[]): Partial<Record<StepStatus, number>> {
  const counts: Partial<Record<StepStatus, number>> = {}
  for (const { payload } of steps) counts[payload.status] = (counts[payload.status] ?? 0) + 1
  return counts
}
