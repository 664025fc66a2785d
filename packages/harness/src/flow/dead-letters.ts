/**
 * Steps that have failed permanently: those whose workers died too often, and those that failed too often or must not run again. They wait
 * for somebody to send them again. A plan that has ended never changes, so its unfinished steps become a new plan.
 */
import { scanAll } from '@agentm/nodes'
import { createPlan } from '../create-plan.ts'
import { asPlan, asStep, type HarnessContext, planIdOf, readPlan, readStep, type StepHead } from '../harness-context.ts'
import { StepRefusedError } from '../harness-errors.ts'
import type { Reason } from '../plan-control.ts'
import { planName, stepName } from '../pure/concept-names.ts'
import { isPlanOver, type PlanStatus } from '../pure/plan-transitions.ts'
import { stepsOf } from '../status/plan-standing.ts'
import { retryStep } from '../step-control.ts'
import { restId, whatIsLeft } from './pure/what-is-left.ts'

/** A step that has failed permanently. */
export interface DeadLetter {
  readonly stepId: string
  readonly planId: string
  readonly planStatus: PlanStatus
  readonly title: string
  readonly kind: string
  /** `crashes`: it took down, or lost, more workers than it may. `failed`: it failed by itself, or must not run again. */
  readonly why: 'crashes' | 'failed'
  readonly errorMessage: string
  /** When it failed, in epoch milliseconds. */
  readonly since: number
}

/** What became of a step that was sent again. */
export interface SentAgain {
  /** The plan in which it runs now: its own, or a new one of the unfinished steps of a plan that has ended. */
  readonly planId: string
  readonly stepId: string
  /** `false` if it had been sent again before. */
  readonly created: boolean
}

export async function deadLetters(context: HarnessContext, planId?: string): Promise<readonly DeadLetter[]> {
  const { store, owner } = context
  const parent = planId === undefined ? {} : { parent: planIdOf(planId) }
  const heads = await scanAll(store.log, { owner, concepts: [stepName], status: 'failed', ...parent })
  const dead = heads.map((head) => asStep(head)).filter(isDead)
  const statuses = await openStatuses(context, [...new Set(dead.map(({ payload }) => payload.planId))])
  return dead.flatMap((step) => {
    const planStatus = statuses.get(step.payload.planId)
    return planStatus === undefined ? [] : [letterOf(step, planStatus)]
  })
}

/** Whether the step failed by itself. A step that ended with its plan is no dead letter. */
function isDead({ payload: { retryAt, failure }, redacted }: StepHead): boolean {
  return !redacted && retryAt === undefined && failure?.cause !== 'cancelled' && failure?.cause !== 'halted'
}

/** The statuses of plans whose unfinished steps were not sent again. */
async function openStatuses(
  { store, owner }: HarnessContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PlanStatus>> {
  const heads = await scanAll(store.log, { owner, ids: [...ids, ...ids.map(restId)], concepts: [planName] })
  const known = new Set(heads.map(({ id }) => id))
  const plans = heads.filter(({ id, redacted }) => ids.includes(id) && !redacted && !known.has(restId(id)))
  return new Map(plans.map((head) => [head.id, asPlan(head).payload.status]))
}

function letterOf({ id, createdAt, payload }: StepHead, planStatus: PlanStatus): DeadLetter {
  const { planId, title, kind = 'agent', deadLetter, errorMessage = '' } = payload
  const why = deadLetter === true ? 'crashes' : 'failed'
  return { stepId: id, planId, planStatus, title, kind, why, errorMessage, since: createdAt }
}

export async function sendAgain(context: HarnessContext, stepId: string, by: Reason = {}): Promise<SentAgain> {
  const step = await readStep(context, stepId)
  const plan = await readPlan(context, step.payload.planId)
  if (!isPlanOver(plan.payload.status)) {
    await retryStep(context, step.id, by)
    return { planId: plan.id, stepId: step.id, created: true }
  }
  if (step.payload.status !== 'failed')
    throw new StepRefusedError(step.id, step.payload.status, 'only a permanently failed step is sent again')
  const rest = { ...whatIsLeft(plan, await stepsOf(context, plan.id)), partition: plan.partition }
  const { planId, steps, created } = await createPlan(context, rest)
  return { planId, stepId: steps[step.id.slice(step.id.lastIndexOf(':') + 1)] ?? '', created }
}
