/**
 * Operations on a whole plan by hand. Each write is guarded and records who made it, and why. Plans that its steps started get the
 * same change.
 */
import { type Draft, scanAll } from '@agentm/nodes'
import {
  asPlan,
  asStep,
  type HarnessContext,
  type PlanHead,
  readPlan,
  type StepHead,
  untilUncontested,
} from './harness-context.ts'
import { isHarnessError, PlanOverError } from './harness-errors.ts'
import { plan as planConcept } from './plan.ts'
import {
  type ByHand,
  closingDrafts,
  endPlanDraft,
  mayWaitToStart,
  pauseDraft,
  type PlanEnd,
} from './pure/plan-drafts.ts'
import { isPlanOver, openPlanStatuses, type PlanStatus } from './pure/plan-transitions.ts'
import { type Failure, step as stepConcept } from './step.ts'

export type Reason = ByHand

/** Returns the status in which the plan ended. A plan that has already ended keeps its status. */
export async function cancelPlan(context: HarnessContext, planId: string, by: Reason = {}): Promise<PlanStatus> {
  const status = await endPlan(
    context,
    planId,
    { status: 'cancelled', ...(by.reason && { errorMessage: by.reason }) },
    by,
  )
  for (const child of await openChildren(context, planId)) await cancelPlan(context, child.id, by)
  return status
}

/** Ends a plan and all its running steps in one append. */
export async function endPlan(
  context: HarnessContext,
  planId: string,
  end: Omit<PlanEnd, 'at'>,
  by?: Reason,
): Promise<PlanStatus> {
  const { store, owner, actor } = context
  return untilUncontested(async () => {
    const plan = await readPlan(context, planId)
    if (isPlanOver(plan.payload.status)) return plan.payload.status
    const { drafts, expects } = await endingOf(context, plan, end, by)
    await store.log.append(drafts, { owner, actor, partition: plan.partition, expects })
    return end.status
  })
}

/** The drafts that end a plan and its running steps, with the versions that they expect. */
export async function endingOf(
  context: HarnessContext,
  plan: Pick<PlanHead, 'id' | 'version'>,
  end: Omit<PlanEnd, 'at'>,
  by?: Reason,
): Promise<{ readonly drafts: readonly Draft[]; readonly expects: Readonly<Record<string, number>> }> {
  const at = await context.store.work.now()
  const steps = await unfinished(context, plan.id)
  const drafts = [endPlanDraft(plan, { ...end, at }, by), ...closingDrafts(steps, failureOf(end), at)]
  return { drafts, expects: versionsOf([plan, ...steps]) }
}

export async function pausePlan(context: HarnessContext, planId: string, by: Reason = {}): Promise<void> {
  await setPaused(context, planId, true, by)
}

export async function resumePlan(context: HarnessContext, planId: string, by: Reason = {}): Promise<void> {
  await setPaused(context, planId, false, by)
}

async function setPaused(context: HarnessContext, planId: string, paused: boolean, by: Reason): Promise<void> {
  const { store, owner, actor } = context
  await untilUncontested(async () => {
    const plan = await readPlan(context, planId)
    if (isPlanOver(plan.payload.status)) throw new PlanOverError(plan.id, plan.payload.status)
    if ((plan.payload.paused ?? false) === paused) return
    await store.log.append([pauseDraft(plan, paused, by)], { owner, actor, expects: versionsOf([plan]) })
  })
  for (const child of await openChildren(context, planId)) await setPausedUnlessOver(context, child.id, paused, by)
}

/** A child plan may end after it was listed. Its siblings must still be changed. */
async function setPausedUnlessOver(
  context: HarnessContext,
  planId: string,
  paused: boolean,
  by: Reason,
): Promise<void> {
  try {
    await setPaused(context, planId, paused, by)
  } catch (error) {
    if (!isHarnessError(error, 'PLAN_OVER')) throw error
  }
}

async function openChildren({ store, owner }: HarnessContext, planId: string): Promise<readonly PlanHead[]> {
  const query = { owner, parent: planId, concepts: [planConcept.name], status: openPlanStatuses }
  return (await scanAll(store.log, query)).map((head) => asPlan(head))
}

/** Steps that run, or that wait for a time or an answer; ready ones only if they wait for their start. */
async function unfinished({ store, owner }: HarnessContext, planId: string): Promise<readonly StepHead[]> {
  const query = {
    owner,
    parent: planId,
    concepts: [stepConcept.name],
    status: ['running', 'ready', 'failed', 'blocked'],
  }
  const heads = (await scanAll(store.log, query)).filter(({ redacted }) => !redacted).map((head) => asStep(head))
  return heads.filter(
    ({ payload }) =>
      payload.status === 'running' ||
      payload.retryAt !== undefined ||
      payload.waitsFor !== undefined ||
      mayWaitToStart(payload),
  )
}

function failureOf({ status, errorMessage }: Omit<PlanEnd, 'at'>): Failure {
  if (status === 'cancelled')
    return { cause: 'cancelled', message: `cancelled${errorMessage ? `: ${errorMessage}` : ''}` }
  return { cause: 'halted', message: errorMessage ?? `the plan is ${status}` }
}

export function versionsOf(
  heads: readonly { readonly id: string; readonly version: number }[],
): Record<string, number> {
  return Object.fromEntries(heads.map(({ id, version }) => [id, version]))
}
