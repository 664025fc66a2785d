import { AbsentNodeError } from '@agentm/nodes'
import { asStep, type HarnessContext, readPlan, readStep, stepIdOf } from './harness-context.ts'
import { IdempotencyConflictError, InvalidPlanError, PlanOverError } from './harness-errors.ts'
import type { NewStep } from './new-plan.ts'
import { contentOf, ownProblems, stepDraft } from './plan-content.ts'
import { stepIdIn } from './pure/step-id-in.ts'
import { extendPlanDraft } from './pure/plan-drafts.ts'
import { isPlanOver } from './pure/plan-transitions.ts'
import { readyDraft } from './pure/step-drafts.ts'
import { isSameStep } from './same-plan.ts'

/** Adds one step to a plan that has not ended. The same key with the same content returns the existing step. */
export async function addStep(
  context: HarnessContext,
  { planId, step }: { readonly planId: string; readonly step: NewStep },
): Promise<{ readonly stepId: string; readonly created: boolean }> {
  const { owner, actor, store } = context
  const problems = ownProblems(step)
  if (problems.length > 0) throw new InvalidPlanError(problems)
  const plan = await readPlan(context, planId)
  const stepId = stepIdIn(plan.id, step.key)
  const dependsOn = (step.dependsOn ?? []).map((id) => stepIdOf(id))
  const known = await store.log.latest(stepId, { owner })
  if (known !== undefined) {
    if (!isSameStep(asStep(known).payload, contentOf(plan.id, step, dependsOn)))
      throw new IdempotencyConflictError(stepId)
    return { stepId, created: false }
  }
  if (isPlanOver(plan.payload.status)) throw new PlanOverError(plan.id, plan.payload.status)
  // Its check depends on the steps that it knew, so it would say nothing about this one.
  if (plan.payload.check !== undefined)
    throw new InvalidPlanError(['its check would not cover another step. Start another plan for it'])
  const open = await openSiblings(context, plan.id, dependsOn)
  const drafts = [
    // The plan gets a new version, too, because a worker that is about to end it has not counted this step.
    extendPlanDraft(plan),
    stepDraft(stepId, step.key, contentOf(plan.id, step, dependsOn)),
    ...(open === 0 ? [readyDraft({ id: stepId })] : []),
  ]
  await store.log.append(drafts, {
    owner,
    actor,
    partition: plan.partition,
    expects: { [stepId]: 0, [plan.id]: plan.version },
  })
  return { stepId, created: true }
}

/** How many of the dependencies are not done. Each must be a step of this plan. */
async function openSiblings(context: HarnessContext, planId: string, ids: readonly string[]): Promise<number> {
  let open = 0
  for (const id of ids) {
    const { payload } = await readStep(context, id)
    if (payload.planId !== planId) throw new AbsentNodeError(id)
    if (payload.status !== 'done') open += 1
  }
  return open
}
