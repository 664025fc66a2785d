/** The data that a decision needs, read from the log: the whole plan, or the steps that one change may affect. */
import { scanAll } from '@agentm/nodes'
import { mailboxIdOf } from './functions/mailbox.ts'
import { asPlan, asStep, type HarnessContext, type PlanHead, type StepHead } from './harness-context.ts'
import { plan as planConcept } from './plan.ts'
import type { Usage } from './pure/budget-verdict.ts'
import { needsLook } from './pure/needs-look.ts'
import { isPlanOver, type PlanStatus } from './pure/plan-transitions.ts'
import { countsOf, type Lost, type PlanView } from './pure/plan-view.ts'
import { waitsForPlans } from './pure/waits-for-plans.ts'
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

/** More steps than this are not read for several plans at once. */
const stepsAtOnce = 2000

/** The ids of those plans that a sweep must look at. The steps of all of them are read at once. */
export async function plansInNeed(
  context: HarnessContext,
  plans: readonly PlanHead[],
  now: number,
): Promise<readonly string[]> {
  const ids = plans.map(({ id }) => id)
  if (ids.length === 0) return []
  const { store, owner } = context
  const query = { owner, parent: ids, concepts: [stepConcept.name], limit: stepsAtOnce }
  const { nodes, cursor } = await store.log.scan(query)
  // Their steps are too many, so each plan is looked at by itself.
  if (cursor !== undefined) return ids
  const steps = nodes.map((node) => asStep(node))
  const mail = await mailOf(context, steps)
  const stepsOf = new Map<string, StepHead[]>(ids.map((id) => [id, []]))
  for (const step of steps) stepsOf.get(step.payload.planId)?.push(step)
  return plans.filter((plan) => needsLook({ now, plan, steps: stepsOf.get(plan.id) ?? [], mail })).map(({ id }) => id)
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
  const [usage, parent, children, mail] = [
    await usageOf(context, plan, now),
    await parentOf(context, plan),
    await childrenOf(context, plan.id, steps),
    await mailOf(context, steps),
  ]
  return {
    now,
    plan,
    children,
    mail,
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
    ? { plan: 'cancelled', isStepOver: true }
    : { plan: asPlan(plan).payload.status, isStepOver: isStepOver(asStep(step).payload) }
}

/** A step that failed, or lost its worker, and is tried again goes on with the plans that it started. */
function isStepOver({ status, retryAt }: StepHead['payload']): boolean {
  return status === 'done' || (status === 'failed' && retryAt === undefined)
}

async function childrenOf(
  { store, owner }: HarnessContext,
  planId: string,
  steps: readonly StepHead[],
): Promise<ReadonlyMap<string, PlanStatus>> {
  if (!steps.some(waitsForPlans)) return new Map()
  const plans = await scanAll(store.log, { owner, parent: planId, concepts: [planConcept.name] })
  return new Map(plans.map((head) => [head.id, asPlan(head).payload.status]))
}

/** The messages of all these steps are read at once. Few functions ever get one. */
async function mailOf(
  { store, owner }: HarnessContext,
  steps: readonly StepHead[],
): Promise<ReadonlyMap<string, number>> {
  const waiting = steps.filter(({ payload }) => payload.waitsFor?.for === 'function')
  if (waiting.length === 0) return new Map()
  const stepOf = new Map(waiting.map(({ id }) => [mailboxIdOf(id), id]))
  const mailboxes = await scanAll(store.log, { owner, ids: [...stepOf.keys()] })
  return new Map(mailboxes.map(({ id, version }) => [stepOf.get(id) ?? '', version]))
}
