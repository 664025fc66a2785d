/**
 * The data that a decision about a plan is made from: the plan, some or all of its steps, and related facts of the log. A view of
 * some steps carries the counts of all steps, so most decisions read only the steps that changed.
 */
import type { Plan } from '../plan.ts'
import type { Step } from '../step.ts'
import type { Usage } from './budget-verdict.ts'
import type { PlanStatus } from './plan-transitions.ts'
import type { StepStatus } from './step-transitions.ts'

export interface StepView {
  readonly id: string
  readonly version: number
  /** The number of dependencies that are not done. */
  readonly remaining: number
  readonly payload: Step
  /** When its newest version was written, by the clock of the store. Without it, a ready step has no earliest and no latest start. */
  readonly createdAt?: number
  /** Its content was erased. It gets no further versions, so it never changes. */
  readonly redacted?: boolean
}

export interface PlanView {
  /** The clock of the store. */
  readonly now: number
  readonly plan: { readonly id: string; readonly version: number; readonly payload: Plan }
  readonly steps: readonly StepView[]
  /** Whether `steps` holds all steps. Only then can dead ends be found. */
  readonly whole: boolean
  /** How many steps the plan has in each status. */
  readonly counts: Readonly<Partial<Record<StepStatus, number>>>
  /** Running steps whose worker is gone, and how the loss was noticed. */
  readonly abandoned?: ReadonlyMap<string, Lost>
  /** What the plan has used. Without it, budgets are not checked. */
  readonly usage?: Usage
  /** The status of the plan that started this plan, and whether the step that did has ended. A step that is tried again has not. */
  readonly parent?: { readonly plan: PlanStatus; readonly isStepOver: boolean }
  /** The statuses of the plans that steps wait for. */
  readonly children?: ReadonlyMap<string, PlanStatus>
  /** How many messages were sent to the steps that are runs of functions, by step. */
  readonly mail?: ReadonlyMap<string, number>
  /** How many ready steps to claim (default: none). Only stores without a claim operation of their own need it. */
  readonly freeSlots?: number
}

/** How a worker was lost. */
export type Lost = 'lease' | 'vanished' | 'closed'

/** A view of all steps; the values that a store would index are computed here. For replay, evaluation and tests. */
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
