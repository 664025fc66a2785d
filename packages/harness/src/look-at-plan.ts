/** The data that a decision needs, read from the log: the whole plan, or the steps that one change may affect. */
import { scanAll } from '@agentm/nodes'
import { asPlan, asStep, type HarnessContext, type PlanHead, type StepHead } from './harness-context.ts'
import { plan as planConcept } from './plan.ts'
import type { Usage } from './pure/budget-verdict.ts'
import { isPlanOver, type PlanStatus } from './pure/plan-transitions.ts'
import { countsOf, type Lost, type PlanView } from './pure/plan-view.ts'
import { step as stepConcept } from './step.ts'
import { planUsage } from './plan-usage.ts'

export interface LookOptions {
  readonly now: number
  readonly abandoned?: ReadonlyMap<string, Lost>
}

/** `undefined` if the plan is absent or has ended. */
export async function lookAtPlan(
  context: HarnessContext,
  planId: string,
  options: LookOptions,
): Promise<PlanView | undefined> {
  const plan = await findOpenPlan(context, planId)
  if (plan === undefined) return undefined
  const { store, owner } = context
  const heads = await scanAll(store.log, { owner, parent: planId, concepts: [stepConcept.name] })
  const steps = heads.map((head) => asStep(head))
  return { ...(await around(context, plan, steps, options)), steps, whole: true, counts: countsOf(steps) }
}

/** The named steps, with the counts of all steps. */
export async function lookAtSteps(
  context: HarnessContext,
  { planId, steps }: { readonly planId: string; readonly steps: readonly StepHead[] },
  options: LookOptions,
): Promise<PlanView | undefined> {
  const plan = await findOpenPlan(context, planId)
  if (plan === undefined) return undefined
  const { store, owner } = context
  const counts = await store.work.tally(planId, { owner, concept: stepConcept.name })
  return { ...(await around(context, plan, steps, options)), steps, whole: false, counts }
}

/** Steps that could be ready, but that no worker has made ready yet. */
export async function forgottenSteps({ store, owner }: HarnessContext, planId: string): Promise<readonly StepHead[]> {
  const query = { owner, parent: planId, concepts: [stepConcept.name], status: ['pending', 'blocked'], maxRemaining: 0 }
  return (await scanAll(store.log, query)).map((head) => asStep(head))
}

async function findOpenPlan({ store, owner }: HarnessContext, planId: string): Promise<PlanHead | undefined> {
  const head = await store.log.latest(planId, { owner })
  return head === undefined || head.redacted || isPlanOver(head.status) ? undefined : asPlan(head)
}

async function around(
  context: HarnessContext,
  plan: PlanHead,
  steps: readonly StepHead[],
  { now, abandoned }: LookOptions,
): Promise<Omit<PlanView, 'steps' | 'whole' | 'counts'>> {
  const [usage, parent, children] = [
    await usageOf(context, plan, now),
    await parentOf(context, plan),
    await childrenOf(context, plan.id, steps),
  ]
  return {
    now,
    plan,
    children,
    ...(abandoned && { abandoned }),
    ...(usage && { usage }),
    ...(parent && { parent }),
  }
}

async function usageOf(context: HarnessContext, plan: PlanHead, now: number): Promise<Usage | undefined> {
  return plan.payload.budget === undefined ? undefined : planUsage(context, plan, { now })
}

async function parentOf({ store, owner }: HarnessContext, { payload }: PlanHead): Promise<PlanView['parent']> {
  const { parentPlanId, parentStepId } = payload
  if (parentPlanId === undefined || parentStepId === undefined) return undefined
  const [plan, step] = [
    await store.log.latest(parentPlanId, { owner }),
    await store.log.latest(parentStepId, { owner }),
  ]
  return plan === undefined || step === undefined
    ? { plan: 'cancelled', step: 'failed' }
    : { plan: asPlan(plan).payload.status, step: asStep(step).payload.status }
}

async function childrenOf(
  { store, owner }: HarnessContext,
  planId: string,
  steps: readonly StepHead[],
): Promise<ReadonlyMap<string, PlanStatus>> {
  if (!steps.some(({ payload }) => payload.waitsFor?.for === 'plan')) return new Map()
  const plans = await scanAll(store.log, { owner, parent: planId, concepts: [planConcept.name] })
  return new Map(plans.map((head) => [head.id, asPlan(head).payload.status]))
}
