/** A plan and the plans above it. A call of one of its steps counts towards the budgets of all of them. */
import type { NodeLog } from '@agentm/nodes'
import { asPlan, type HarnessContext, type PlanHead, type StepHead } from './harness-context.ts'
import { planSpending } from './plan-usage.ts'
import { type ReservationVerdict, reservationVerdict, type SetAside } from './pure/reservation-verdict.ts'

export type ChainVerdict =
  | { readonly is: 'granted' }
  /** Earlier entries of the log may not be visible yet, so no decision is possible now. */
  | { readonly is: 'unsettled' }
  | (Exclude<ReservationVerdict, { is: 'granted' }> & {
      /** The plan whose budget it is. */
      readonly plan: PlanHead
    })

const mostPlans = 1000
const known = new WeakMap<NodeLog, Map<string, PlanHead>>()

/** The plan first, then the plans above it. A plan's budget and parent never change once it has begun, so they are read once. */
export async function budgetChain(context: HarnessContext, planId: string): Promise<readonly PlanHead[]> {
  const chain: PlanHead[] = []
  for (let id: string | undefined = planId; id !== undefined;) {
    const head = await begunPlan(context, id)
    if (head === undefined) break
    chain.push(head)
    id = head.payload.parentPlanId
  }
  return chain
}

async function begunPlan({ store, owner }: HarnessContext, id: string): Promise<PlanHead | undefined> {
  const plans = known.get(store.log) ?? new Map<string, PlanHead>()
  known.set(store.log, plans)
  const key = JSON.stringify([owner, id])
  const found = plans.get(key)
  if (found !== undefined) return found
  const head = await store.log.latest(id, { owner })
  if (head === undefined) return undefined
  const plan = asPlan(head)
  if (plan.payload.startedAt !== undefined) plans.set(key, plan)
  for (const oldest of plans.keys()) if (plans.size > mostPlans) plans.delete(oldest)
  return plan
}

/** The verdict of all budgets together: "refused" wins over "waits", and "waits" wins over "granted". */
export async function judgeReservation(
  context: HarnessContext,
  own: SetAside,
  { chain, now }: { readonly chain: readonly PlanHead[]; readonly now: number },
): Promise<ChainVerdict> {
  const kin = new Set([own.stepId, ...chain.flatMap(({ payload: { parentStepId } }) => parentStepId ?? [])])
  let verdict: ChainVerdict = { is: 'granted' }
  for (const plan of chain) {
    const { budget } = plan.payload
    if (budget === undefined) continue
    const spending = await planSpending(context, plan, { now })
    if (own.seq !== Infinity && spending.settled < own.seq) return { is: 'unsettled' }
    const here = reservationVerdict(own, spending, { budget, kin })
    if (here.is === 'refused') return { ...here, plan }
    if (here.is === 'waits' && verdict.is === 'granted') verdict = { ...here, plan }
  }
  return verdict
}

/** The running steps of a plan that have reserved budget. No other step waits for room, so only these are judged one by one. */
export async function stepsWithReservation(
  context: HarnessContext,
  planId: string,
  now: number,
): Promise<ReadonlySet<string>> {
  const chain = await budgetChain(context, planId)
  const [plan] = chain
  if (plan === undefined || chain.every(({ payload: { budget } }) => budget === undefined)) return new Set()
  const { held } = await planSpending(context, plan, { now })
  return new Set(held.map(({ stepId }) => stepId))
}

/** The reservation of a running step whose next call waits for other steps, with the budget that it waits for. */
export async function waitForRoom(
  context: HarnessContext,
  step: StepHead,
  now: number,
): Promise<(ChainVerdict & { readonly is: 'waits' }) | undefined> {
  const chain = await budgetChain(context, step.payload.planId)
  const [plan] = chain
  if (plan === undefined || chain.every(({ payload: { budget } }) => budget === undefined)) return undefined
  const { held } = await planSpending(context, plan, { now })
  // Calls of one step are judged one after the other, so only the newest reservation can be waiting.
  const own = held.filter(({ stepId }) => stepId === step.id).toSorted((a, b) => b.seq - a.seq)[0]
  const verdict = own && (await judgeReservation(context, own, { chain, now }))
  return verdict?.is === 'waits' ? verdict : undefined
}
