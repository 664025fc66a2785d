/**
 * Watches a goal until it is reached, is given up, or waits for a person. Workers do the work. The goal is replanned if its plan
 * fails or makes no progress. All state is in the log, so it can be started again at any time.
 */
import { scanAll } from '@agentm/nodes'
import { type HarnessContext, isPlanOver, type PlanHead } from '@agentm/harness'
import { asStep, endingOf, observationName, readPlan, stepName, untilUncontested } from '@agentm/harness/planning'
import type { Runtime } from '@agentm/agent-loop'
import { goalChain } from './goal-chain.ts'
import type { PlannedGoal, Planner } from './planner.ts'
import { isWorthReplanning, planState, type PlanState } from './pure/plan-state.ts'
import { defaultStallLimits, stallOf, type StallLimits } from './pure/progress-ledger.ts'
import { ProgressWatch } from './watch-progress.ts'

/** Options of `pursueGoal`. */
export interface PursueOptions extends HarnessContext {
  readonly planner: Planner
  /** How often the goal may be replanned (default: 2). 0 without a model, because the new plan would be the same. */
  readonly replans?: number
  readonly limits?: Partial<StallLimits>
  readonly runtime: Pick<Runtime, 'sleep'>
  readonly signal?: AbortSignal
  readonly pollMs?: number
  /** Called with each plan that replaces an earlier one. */
  onReplan?(planned: PlannedGoal, why: string): void
}

/** How pursuing a goal ended. */
export interface Pursued {
  readonly planId: string
  readonly status: 'done' | 'failed' | 'cancelled' | 'waiting'
  readonly revision: number
}

/**
 * Watches a goal until it is reached, is given up, or waits for a person. Replans when its plan fails. Start it again after a
 * crash: it continues.
 *
 * @example
 * ```ts
 * import { systemRuntime } from '@agentm/agent-loop'
 * import type { HarnessContext } from '@agentm/harness'
 * import { openPlanner, pursueGoal } from '@agentm/planner'
 *
 * declare const context: HarnessContext
 * const planner = openPlanner({ ...context, tools: [] })
 * const { planId } = await planner.plan({ goal: 'Write the parser' })
 * const { status } = await pursueGoal(planId, { ...context, planner, runtime: systemRuntime })
 * ```
 */
export async function pursueGoal(planId: string, options: PursueOptions): Promise<Pursued> {
  const { runtime, pollMs = 200, signal } = options
  for (let pursuit = await begin(options, planId); ;) {
    signal?.throwIfAborted()
    const plan = await readPlan(options, pursuit.planId)
    const state = await stateOf(options, plan)
    if (state === 'waiting') return pursued(plan, 'waiting')
    const next = state === 'over' ? await afterEnd(options, plan) : await afterLook(options, pursuit)
    if (next === 'over') return pursued(await readPlan(options, plan.id))
    if (next !== undefined) pursuit = await begin(options, next.planId)
    else await runtime.sleep(pollMs, signal)
  }
}

interface Pursuit {
  readonly planId: string
  readonly watch: ProgressWatch
}

async function begin(context: HarnessContext, planId: string): Promise<Pursuit> {
  return { planId, watch: new ProgressWatch(context, planId, await context.store.work.now()) }
}

type Next = PlannedGoal | 'over' | undefined

/** After the end of a plan: another process may have replanned the goal, or a failed plan may be worth replanning. */
async function afterEnd(options: PursueOptions, plan: PlanHead): Promise<Next> {
  const { goal, status, errorMessage, revision = 0 } = plan.payload
  const { newest } = await goalChain(options, { goal, partition: plan.partition })
  if (newest?.payload.follows === plan.id && newest.payload.revision === revision + 1)
    return foundReplan(options, { planId: newest.id, created: false, revision: revision + 1, follows: plan.id })
  if (status !== 'failed' || !mayReplan(options, plan) || !isWorthReplanning(await failuresOf(options, plan)))
    return 'over'
  return (await replan(options, plan, errorMessage ?? 'its plan failed')) ?? 'over'
}

function foundReplan(options: PursueOptions, planned: PlannedGoal): PlannedGoal {
  options.onReplan?.(planned, 'somebody else has done so')
  return planned
}

async function afterLook(options: PursueOptions, { planId, watch }: Pursuit): Promise<Next> {
  const { store, limits } = options
  const why = stallOf(await watch.ledger(), await store.work.now(), { ...defaultStallLimits, ...limits })
  if (why === undefined) return undefined
  const plan = await readPlan(options, planId)
  if (isPlanOver(plan.payload.status)) return undefined
  const planned = mayReplan(options, plan) ? await replan(options, plan, why) : undefined
  if (planned !== undefined) return planned
  await giveUp(options, planId, why)
  return undefined
}

function mayReplan({ replans = defaultReplans }: PursueOptions, { payload }: PlanHead): boolean {
  return (payload.revision ?? 0) < replans
}

const defaultReplans = 2

async function replan(options: PursueOptions, plan: PlanHead, why: string): Promise<PlannedGoal | undefined> {
  const { planner, signal } = options
  const planned = await planner.replan(plan.id, { why, ...(signal && { signal }) })
  if (planned !== undefined) options.onReplan?.(planned, why)
  return planned
}

/** Ends the plan and records the reason. */
async function giveUp(options: PursueOptions, planId: string, why: string): Promise<void> {
  const { store, owner, actor, replans = defaultReplans } = options
  await untilUncontested(async () => {
    const plan = await readPlan(options, planId)
    if (isPlanOver(plan.payload.status)) return
    const rationale = `${why}; it was planned anew ${plan.payload.revision ?? 0} of ${replans} times`
    const ending = await endingOf(options, plan, { status: 'failed', errorMessage: `stalled: ${why}` })
    const data = { choice: 'give_up', rationale, alternatives: [{ choice: 'replan' }, { choice: 'go on' }] }
    const payload = { planId, kind: 'decision', content: `give up: ${rationale}`, data }
    const decision = { concept: observationName, payload, mutation: 'recordHarnessObservation' }
    const { partition } = plan
    await store.log.append([...ending.drafts, decision], { owner, actor, partition, expects: ending.expects })
  })
}

async function stateOf(context: HarnessContext, plan: PlanHead): Promise<PlanState> {
  const { store, owner } = context
  const heads = await scanAll(store.log, { owner, parent: plan.id, concepts: [stepName] })
  const steps = heads.filter(({ redacted }) => !redacted).map((head) => asStep(head))
  const children = new Map<string, PlanState>()
  for (const { payload } of steps)
    if (payload.status === 'blocked' && payload.waitsFor?.for === 'plan') {
      const { planId } = payload.waitsFor
      children.set(planId, await stateOf(context, await readPlan(context, planId)))
    }
  return planState({ status: plan.payload.status, paused: plan.payload.paused === true }, steps, children)
}

async function failuresOf({ store, owner }: HarnessContext, plan: PlanHead) {
  const heads = await scanAll(store.log, { owner, parent: plan.id, concepts: [stepName], status: 'failed' })
  return heads.map((head) => asStep(head).payload.failure)
}

function pursued({ id, payload }: PlanHead, as?: 'waiting'): Pursued {
  const { status, revision = 0 } = payload
  if (as === undefined && (status === 'open' || status === 'running')) throw new TypeError(`${id} is not over`)
  return { planId: id, revision, status: as ?? (status as Pursued['status']) }
}
