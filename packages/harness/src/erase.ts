/**
 * Permanently deletes the input, the results and the observations of a step or a whole plan. Ids, statuses, times and the graph
 * stay. Only ended plans can be erased, because the budget of a running plan is counted from its observations, and its steps need
 * the results of earlier steps.
 */
import { parseId, scanAll } from '@agentm/nodes'
import { observation } from '@agentm/memory'
import { effect } from './effect.ts'
import { entry } from './functions/entry.ts'
import { mailbox } from './functions/mailbox.ts'
import { type HarnessContext, type PlanHead, readPlan, readStep } from './harness-context.ts'
import { PlanOpenError } from './harness-errors.ts'
import { plan as planConcept } from './plan.ts'
import { isPlanOver } from './pure/plan-transitions.ts'
import { step as stepConcept } from './step.ts'
import { turn } from './turn.ts'

/** How many plans, steps and records had content that was deleted. */
export interface Erased {
  readonly plans: number
  readonly steps: number
  /** Observations, recorded calls and kept conversations. */
  readonly records: number
}

/** Includes the plans that its steps started. */
export async function erasePlan(context: HarnessContext, planId: string): Promise<Erased> {
  const plan = await readPlan(context, planId)
  await checkOver(context, plan)
  return erase(context, [...(await below(context, plan.id)), plan.id])
}

/** Includes the plans that the step started. */
export async function eraseStep(context: HarnessContext, stepId: string): Promise<Erased> {
  const step = await readStep(context, stepId)
  await checkOver(context, await readPlan(context, step.payload.planId))
  return erase(context, [...(await belowStep(context, step.id)), step.id])
}

/** Usage of a plan counts in all plans above it, so all of those must have ended. */
async function checkOver(context: HarnessContext, plan: PlanHead): Promise<void> {
  const { status, parentPlanId } = plan.payload
  if (!isPlanOver(status)) throw new PlanOpenError(plan.id, status)
  if (parentPlanId !== undefined) await checkOver(context, await readPlan(context, parentPlanId))
}

/** Lists records before the plan or step that they belong to. If the deletion is interrupted, repeating it finds the rest. */
async function below(context: HarnessContext, planId: string): Promise<readonly string[]> {
  const { store, owner } = context
  const ids: string[] = []
  for (const { id } of await scanAll(store.log, { owner, parent: planId, concepts: [stepConcept.name] }))
    ids.push(...(await belowStep(context, id)), id)
  const about = { owner, concepts: [observation.name], related: { field: 'planId', to: planId } }
  return [...ids, ...(await scanAll(store.log, about)).map(({ id }) => id)]
}

async function belowStep(context: HarnessContext, stepId: string): Promise<readonly string[]> {
  const { store, owner } = context
  const started = { owner, concepts: [planConcept.name], related: { field: 'parentStepId', to: stepId } }
  const ids: string[] = []
  for (const { id, status } of await scanAll(store.log, started)) {
    if (isPlanOver(status)) ids.push(...(await below(context, id)), id)
    else throw new PlanOpenError(id, status ?? 'open')
  }
  const concepts = [observation.name, effect.name, turn.name, entry.name, mailbox.name]
  return [...ids, ...(await scanAll(store.log, { owner, parent: stepId, concepts })).map(({ id }) => id)]
}

async function erase({ store, owner, actor }: HarnessContext, ids: readonly string[]): Promise<Erased> {
  const erased = { plans: 0, steps: 0, records: 0 }
  const left: string[] = []
  for (const id of new Set(ids)) if ((await store.log.latest(id, { owner }))?.redacted === false) left.push(id)
  for (const [i, id] of left.entries()) {
    await store.log.redact(id, { owner, actor, more: i < left.length - 1 })
    erased[kindOf(parseId(id).concept)] += 1
  }
  return erased
}

function kindOf(concept: string): keyof Erased {
  if (concept === planConcept.name) return 'plans'
  return concept === stepConcept.name ? 'steps' : 'records'
}
