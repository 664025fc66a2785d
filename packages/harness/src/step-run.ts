/** What a kind of step can see and do during a run. */
import { deriveId } from '@agentm/nodes'
import type { Claim } from './claim.ts'
import { readCheckRecords } from './checks/check-records.ts'
import { createPlan } from './create-plan.ts'
import { asPlan, asStep, type PlanHead, readPlan } from './harness-context.ts'
import { plan as planConcept } from './plan.ts'
import { PlanBudget } from './plan-budget.ts'
import { planUsage } from './plan-usage.ts'
import { addUsage, findOverrun, noUsage, type Overrun, type Usage } from './pure/budget-verdict.ts'
import { observationUsage } from './pure/observation-usage.ts'
import { observationDraft, type RunSettings } from './run-claim.ts'
import type { Runtime } from '@agentm/agent-loop'
import { nothing as noSpend } from '@agentm/agent-loop/internal'
import type { Dependency, PlanEnding, StepRun } from './step-kind.ts'

export function stepRun(claim: Claim, { runtime, now, directoryOf }: RunSettings): StepRun {
  const { step, context } = claim
  const { id, owner, partition, payload } = step
  const budget = new PlanBudget(claim, { runtime, now })
  let directory: Promise<string> | undefined
  const run: StepRun = {
    id,
    planId: payload.planId,
    owner,
    partition,
    step: payload,
    runtime,
    now,
    get signal() {
      return claim.signal
    },
    directory: () => (directory ??= directoryOf(run)),
    failedChecks: async () => (payload.check === undefined ? [] : (await readCheckRecords(run)).failed),
    dependencies: () => dependenciesOf(claim),
    async observe(observation) {
      const [node] = await budget.write([observationDraft(step, observation)], observationUsage({ ...observation }))
      return node?.id ?? ''
    },
    keep: (drafts, options) => budget.write(drafts, noSpend, options),
    log: context.store.log,
    onNews: (told) => claim.onNews(told),
    async startPlan({ key, ...plan }) {
      if (claim.ending !== undefined) throw claim.ending
      const startedBy = { planId: payload.planId, stepId: id }
      const request = { ...plan, id: startedPlanId(id, key), partition, startedBy }
      return createPlan(context, request, { [id]: claim.fence })
    },
    planEnd: async (planId) => endOf(await readPlan(context, planId)),
    overrun: (more) => findChainOverrun(claim, { now: now(), start: false, more, runtime }),
    budget,
    fence: () => ({ [id]: claim.fence }),
    isPaused: () => claim.isPaused,
    resumed: () => claim.resumed(),
  }
  return run
}

/** The id of the plan that a step starts under this key. */
export function startedPlanId(stepId: string, key: string): string {
  return deriveId(planConcept.name, stepId, key)
}

export interface ChainOverrun extends Overrun {
  /** The plan whose budget it is. */
  readonly plan: PlanHead
}

interface OverrunQuestion {
  readonly now: number
  readonly start: boolean
  readonly more?: Partial<Usage> | undefined
  readonly runtime: Runtime
}

/** The first budget that is used up, from the plan upwards, with its plan. */
export async function findChainOverrun(
  { step, context }: Pick<Claim, 'step' | 'context'>,
  { now, start, more, runtime }: OverrunQuestion,
): Promise<ChainOverrun | undefined> {
  const { store, owner } = context
  for (let id: string | undefined = step.payload.planId; id !== undefined;) {
    const head = await store.log.latest(id, { owner })
    if (head === undefined) return undefined
    const plan: PlanHead = asPlan(head)
    const { budget, parentPlanId } = plan.payload
    if (budget !== undefined) {
      if (start && budget.maxSteps !== undefined) await untilSettled(context, step.seq, runtime)
      // A claim needs no reservation: starts are counted up to its sequence number in the log, so exactly the allowed number
      // passes.
      const known = await planUsage(context, plan, { now, upTo: start ? step.seq : Infinity })
      const usage = more === undefined ? known : addUsage(known, { ...noUsage, ...more })
      // A run that has begun is not checked against the limit of starts. A claim beyond the limit counts until it is handed back.
      const counted = { ...usage, steps: start ? usage.steps - 1 : 0 }
      const overrun = findOverrun(budget, counted, { start })
      if (overrun !== undefined) return { ...overrun, plan }
    }
    id = parentPlanId
  }
  return undefined
}

/** Entries can become visible out of order. Without this wait, an earlier start that is not visible yet would not be counted. */
async function untilSettled({ store }: Claim['context'], seq: number, runtime: Runtime): Promise<void> {
  while ((await store.log.position()) < seq) await runtime.sleep(settlingMs)
}

const settlingMs = 5

async function dependenciesOf({ step, context }: Claim): Promise<readonly Dependency[]> {
  const ids = step.payload.dependsOn
  if (ids.length === 0) return []
  const { store, owner } = context
  const { nodes } = await store.log.scan({ owner, ids, limit: 10_000 })
  const byId = new Map(nodes.map((head) => [head.id, asStep(head)]))
  return ids.flatMap((id) => {
    const head = byId.get(id)
    return head === undefined ? [] : [{ id, title: head.payload.title, result: head.payload.result }]
  })
}

function endOf({ payload: { status, result, errorMessage } }: PlanHead): PlanEnding {
  return { status, result, errorMessage }
}
