/** The state of plans: which steps are done, what each unfinished step waits for, who runs it, and which steps have failed permanently. */
import type { Spend } from '@agentm/agent-loop'
import type { TodoEntry } from '@agentm/agent-loop/tools'
import { scanAll, type Session } from '@agentm/nodes'
import { asPlan, asStep, type HarnessContext, type PlanHead, type StepHead } from '../harness-context.ts'
import { lastList } from '../kinds/step-todo.ts'
import { planSpending } from '../plan-usage.ts'
import { planName, stepName } from '../pure/concept-names.ts'
import { openPlanStatuses } from '../pure/plan-transitions.ts'
import { isLimited } from '../pure/reservation-verdict.ts'
import { type Waiting, waitingFor } from '../waiting-for.ts'
import { kindsServed } from './kinds-served.ts'

/** The state of a plan: which steps are done, wait, run, or have failed permanently, and what they wait for. */
export interface PlanStanding {
  readonly plan: PlanHead
  /** The number of steps in each status. */
  readonly steps: Readonly<Record<string, number>>
  readonly waiting: readonly WaitingHere[]
  /** Steps that have failed permanently. */
  readonly failed: readonly StepHead[]
  /**
   * The most that may have been charged for replies that did not arrive. It counts as used. Absent if there were none, or if
   * the budget limits neither tokens nor money.
   */
  readonly lost?: Spend
  /** For each live worker of the plan, the kinds of steps that it runs. */
  readonly served: readonly (readonly string[])[]
  /** The time of this status, in epoch milliseconds by the store's clock. */
  readonly now: number
}

export interface WaitingHere extends Waiting {
  /** The live worker that runs the step. */
  readonly runner?: Session
  /** What the agent of the step keeps as its list of what is to be done. */
  readonly todo?: readonly TodoEntry[]
}

/** All plans that have not ended; or, with a number, that many newest plans, ended or not. */
export async function plansAsked({ store, owner }: HarnessContext, newest?: number): Promise<readonly PlanHead[]> {
  if (newest === undefined)
    return (await scanAll(store.log, { owner, concepts: [planName], status: openPlanStatuses })).map((head) =>
      asPlan(head),
    )
  const { nodes } = await store.log.scan({ owner, concepts: [planName], order: 'newest', limit: newest })
  return nodes.map((head) => asPlan(head))
}

export async function planStandings(
  context: HarnessContext,
  plans: readonly PlanHead[],
): Promise<readonly PlanStanding[]> {
  const { work } = context.store
  const sessions = await work.sessions()
  const now = await work.now()
  const live = sessions.filter(({ leaseUntil }) => leaseUntil > now)
  const standings: PlanStanding[] = []
  for (const plan of plans) if (!plan.redacted) standings.push(await standingOf(context, plan, { live, now }))
  return standings
}

async function standingOf(
  context: HarnessContext,
  plan: PlanHead,
  { live, now }: { readonly live: readonly Session[]; readonly now: number },
): Promise<PlanStanding> {
  const { store, owner } = context
  const runners = await sessionsOf(context, plan.id)
  const served = await kindsServed(context, plan, live)
  const rows = await waitingFor(context, plan.id)
  const todos = await todosOf(context, rows)
  const waiting = rows.map((row) => {
    const runner = live.find(({ id }) => id === runners.get(row.stepId))
    const todo = todos.get(row.stepId)
    return { ...row, ...(runner && { runner }), ...(todo && { todo }) }
  })
  const lost = await lostOf(context, plan, now)
  const steps = await store.work.tally(plan.id, { owner, concept: stepName })
  return { plan, steps, waiting, failed: await failedOf(context, plan.id), ...(lost && { lost }), served, now }
}

const [mostTodos, mostPages] = [20, 4]

/** The lists of the first steps that are under way. A list is among the newest observations of its step, or it is not worth the search. */
async function todosOf(
  { store, owner }: HarnessContext,
  rows: readonly Waiting[],
): Promise<ReadonlyMap<string, readonly TodoEntry[]>> {
  const begun = rows.filter(({ kind, status }) => kind === 'agent' && (status === 'running' || status === 'blocked'))
  const lists = new Map<string, readonly TodoEntry[]>()
  for (const { stepId } of begun.slice(0, mostTodos)) {
    const list = await lastList(store.log, { owner, id: stepId }, { mostPages })
    if (list !== undefined && list.length > 0) lists.set(stepId, list)
  }
  return lists
}

async function lostOf(context: HarnessContext, plan: PlanHead, now: number): Promise<Spend | undefined> {
  if (!isLimited(plan.payload.budget, { tokens: 1, toolCalls: 0, costMicros: 1 })) return undefined
  const { lost } = await planSpending(context, plan, { now })
  return lost.tokens + lost.costMicros > 0 ? lost : undefined
}

/** The live sessions, by the step that they run. */
async function sessionsOf({ store, owner }: HarnessContext, planId: string): Promise<ReadonlyMap<string, string>> {
  const heads = await scanAll(store.log, { owner, parent: planId, concepts: [stepName], status: 'running' })
  return new Map(heads.flatMap(({ id, session }) => (session === undefined ? [] : [[id, session] as const])))
}

async function failedOf({ store, owner }: HarnessContext, planId: string): Promise<readonly StepHead[]> {
  const heads = await scanAll(store.log, { owner, parent: planId, concepts: [stepName], status: 'failed' })
  return heads.map((head) => asStep(head)).filter(({ payload, redacted }) => !redacted && payload.retryAt === undefined)
}

export async function stepsOf({ store, owner }: HarnessContext, planId: string): Promise<readonly StepHead[]> {
  const heads = await scanAll(store.log, { owner, parent: planId, concepts: [stepName] })
  return heads.map((head) => asStep(head))
}
