/**
 * Whether a sweep must look at a plan. The decision is the one that a look makes. So a plan that is passed over is a plan for which a look
 * finds nothing to do: one whose unfinished steps run, are ready, or wait for a time or an answer, for example.
 */
import { nextActions } from './next-actions.ts'
import { countsOf, type PlanView, type StepView } from './plan-view.ts'
import { waitsForPlans } from './waits-for-plans.ts'

/** The plan with all its steps, and the messages to them. */
export interface PlanWithSteps extends Pick<PlanView, 'now' | 'steps' | 'mail'> {
  readonly plan: PlanView['plan'] & { readonly redacted?: boolean }
}

export function needsLook(view: PlanWithSteps): boolean {
  const { plan, steps } = view
  // A look at an erased plan finds nothing.
  if (plan.redacted === true) return false
  if (dependsOnMore(plan, steps)) return true
  return nextActions({ ...view, whole: true, counts: countsOf(steps) }).length > 0
}

/** What the plan has used, or the state of another plan, is read only in a look. */
function dependsOnMore({ payload }: PlanView['plan'], steps: readonly StepView[]): boolean {
  const { budget, parentPlanId } = payload
  if (budget !== undefined || parentPlanId !== undefined) return true
  return steps.some(waitsForPlans)
}
