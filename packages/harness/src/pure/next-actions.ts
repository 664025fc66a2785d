/**
 * All decisions of the reconciler. The actions can be performed in any order, by any process, and more than once: each names the
 * version that it was decided on, so a second write is refused and nothing is lost. After a crash between two actions, the next
 * look decides the rest.
 */
import type { Question } from '@agentm/agent-loop'
import { describeOverrun, findOverrun, type Overrun } from './budget-verdict.ts'
import { isPlanOver, type PlanStatus } from './plan-transitions.ts'
import type { Lost, PlanView, StepView } from './plan-view.ts'
import { expiresAt, opensAt } from '../flow/pure/start-times.ts'
import { planVerdict, waitsForDependencies } from './plan-verdict.ts'
import { backoff, defaultRetry, spread } from './retry-time.ts'
import { timeAfter } from './time-after.ts'

export type Action =
  /** pending or blocked → ready: the step no longer waits for anything. */
  | { readonly do: 'promote'; readonly step: StepView }
  /** A ready step whose earliest start has come. */
  | { readonly do: 'open'; readonly step: StepView }
  /** ready → failed: it was not started in time. */
  | { readonly do: 'lapse'; readonly step: StepView }
  /** ready → running. Decided only if the view has free slots. */
  | { readonly do: 'claim'; readonly step: StepView }
  /** failed → ready, with the attempt number raised by one. */
  | { readonly do: 'retry'; readonly step: StepView }
  /** running → failed because its worker was lost, and from there to `onto`. */
  | { readonly do: 'recover'; readonly step: StepView; readonly why: Lost; readonly onto: Recovery }
  /** running → blocked: it is unknown whether the effect happened, so a person is asked. */
  | { readonly do: 'block'; readonly step: StepView; readonly why: Lost; readonly question: Question }
  /** blocked → ready with the default answer, or → failed without one, because the deadline has passed. */
  | { readonly do: 'expire'; readonly step: StepView; readonly question: Question }
  /** The plan's first step has been started. */
  | { readonly do: 'start' }
  /** No more starts are allowed: no step is claimed any more, and running steps may finish. */
  | { readonly do: 'drain'; readonly overrun: Overrun }
  /** A budget is used up: the plan fails, and its running steps are stopped. */
  | { readonly do: 'halt'; readonly overrun: Overrun; readonly message: string }
  /** The step that started this plan has ended. */
  | { readonly do: 'cancel'; readonly reason: string }
  | { readonly do: 'settle'; readonly status: 'done' | 'failed' }
  /** The view has too few steps to decide: look at the whole plan. */
  | { readonly do: 'look' }

export type Recovery =
  | { readonly to: 'ready' }
  | { readonly to: 'retry'; readonly at: number }
  /** It lost more workers than `maxCrashes` allows. */
  | { readonly to: 'dead-letter' }
  /** Its outcome is unknown, and it must not run again. */
  | { readonly to: 'failed' }

export function nextActions(view: PlanView): readonly Action[] {
  const { plan, parent } = view
  if (isPlanOver(plan.payload.status)) return []
  if (parent !== undefined && isOrphaned(parent))
    return [{ do: 'cancel', reason: 'the step that started this plan is over' }]
  const verdict = planVerdict(view)
  if (verdict === 'done') return [{ do: 'settle', status: 'done' }]
  const stop = budgetAction(view)
  if (stop !== undefined) return [stop]
  if (verdict === 'failed') return [{ do: 'settle', status: 'failed' }]
  return [
    ...(hasStarted(view) ? [{ do: 'start' } as const] : []),
    ...view.steps.flatMap((step) => stepAction(view, step)),
    ...claims(view),
    ...(verdict === 'unclear' ? [{ do: 'look' } as const] : []),
  ]
}

function isOrphaned({ plan, isStepOver }: NonNullable<PlanView['parent']>): boolean {
  return isPlanOver(plan) || isStepOver
}

/** The limit on starts only stops new starts. Any other limit is used up by running steps, so it stops them, too. */
function budgetAction({ plan, usage, counts }: PlanView): Action | undefined {
  const { budget, paused, halting } = plan.payload
  const wants = { start: paused !== true && (counts.ready ?? 0) > 0 }
  const overrun = halting ?? (usage === undefined ? undefined : findOverrun(budget, usage, wants))
  if (overrun === undefined) return undefined
  if (overrun.limit === 'max_steps' && (counts.running ?? 0) > 0)
    return halting === undefined ? { do: 'drain', overrun } : undefined
  return { do: 'halt', overrun, message: describeOverrun(overrun) }
}

/** Steps that another plan had done are no beginning. */
function hasStarted({ plan, counts: { running = 0, blocked = 0, done = 0, failed = 0 } }: PlanView): boolean {
  const { status, carried = 0 } = plan.payload
  return status === 'open' && running + blocked + done + failed > carried
}

function stepAction(view: PlanView, step: StepView): readonly Action[] {
  if (step.redacted === true) return []
  const { status, retryAt } = step.payload
  if (waitsForDependencies(step)) return step.remaining === 0 ? [{ do: 'promote', step }] : []
  if (status === 'blocked') return blockedAction(view, step)
  if (status === 'ready') return readyAction(view, step)
  if (status === 'failed') return retryAt !== undefined && retryAt <= view.now ? [{ do: 'retry', step }] : []
  const why = status === 'running' ? view.abandoned?.get(step.id) : undefined
  return why === undefined ? [] : [recovery(view, step, why)]
}

/** It counts from the version that made the step ready. A view without times, as in a replay, has none of these actions. */
function readyAction({ now }: PlanView, step: StepView): readonly Action[] {
  const { createdAt, payload } = step
  if (createdAt === undefined) return []
  if ((expiresAt(payload, createdAt) ?? Infinity) <= now) return [{ do: 'lapse', step }]
  return (opensAt(payload, createdAt) ?? Infinity) <= now ? [{ do: 'open', step }] : []
}

function blockedAction({ now, plan, children, mail }: PlanView, step: StepView): readonly Action[] {
  const { waitsFor } = step.payload
  switch (waitsFor?.for) {
    case 'answer': {
      const { question } = waitsFor
      return question.deadline !== undefined && question.deadline <= now ? [{ do: 'expire', step, question }] : []
    }
    case 'plan': {
      return hasEnded(children?.get(waitsFor.planId)) ? [{ do: 'promote', step }] : []
    }
    case 'function': {
      const { until = Infinity, plans = [], heard } = waitsFor
      const isNews = plans.some((id) => hasEnded(children?.get(id))) || (mail?.get(step.id) ?? 0) > heard
      return isNews || until <= now ? [{ do: 'promote', step }] : []
    }
    case 'time':
    case 'rate-limit':
    case 'code':
      return waitsFor.until <= now ? [{ do: 'promote', step }] : []
    case 'resume':
      return plan.payload.paused === true ? [] : [{ do: 'promote', step }]
    default:
      return []
  }
}

function hasEnded(child: PlanStatus | undefined): boolean {
  return child !== undefined && isPlanOver(child)
}

/** An effectful step writes an intent before it begins. Without an intent it never began, so it may be run again. */
function recovery({ now }: PlanView, step: StepView, why: Lost): Action {
  const { intentAt, onUnknown = 'ask', retry = defaultRetry, crashes = 0, attempt, idempotencyKey } = step.payload
  if (intentAt !== undefined && onUnknown === 'ask') return { do: 'block', step, why, question: unknownOutcome(step) }
  if (intentAt !== undefined && onUnknown === 'fail') return { do: 'recover', step, why, onto: { to: 'failed' } }
  if (crashes + 1 >= retry.maxCrashes) return { do: 'recover', step, why, onto: { to: 'dead-letter' } }
  // One lost worker says little about the step. From the second one on, the step itself may be the cause.
  if (crashes === 0) return { do: 'recover', step, why, onto: { to: 'ready' } }
  const at = timeAfter(now, backoff(retry, crashes, spread(idempotencyKey, attempt)))
  return { do: 'recover', step, why, onto: { to: 'retry', at } }
}

export const unknownAnswers = ['done', 'retry', 'fail'] as const

function unknownOutcome({ payload: { title, attempt } }: StepView): Question {
  return {
    id: `unknown-${attempt}`,
    text: `The worker of "${title}" is gone, and the step may have happened. Say "done" if it did, "retry" to run it again, "fail" to give it up.`,
    allowed: [...unknownAnswers],
  }
}

function claims({ steps, plan, freeSlots = 0 }: PlanView): readonly Action[] {
  const { paused, halting } = plan.payload
  if (paused === true || halting !== undefined || freeSlots <= 0) return []
  return steps
    .filter(({ payload, redacted }) => payload.status === 'ready' && redacted !== true)
    .slice(0, freeSlots)
    .map((step) => ({ do: 'claim', step }))
}
