/** Cancel, pause, resume and skip. The log records who did it and why; running steps are notified within a second. */
import { redactValue } from '@agentm/nodes'
import type { Answer, Call, Command } from '../../command.ts'
import { UsageError } from '../../command.ts'
import { findPlanId, findRow } from './find-row.ts'
import { planState, type PlanState } from './plan-state.ts'
import { stateText } from './pure/state-text.ts'
import { shortId } from './pure/short-id.ts'
import { changingPlans } from './with-plans.ts'
import { commandWord } from '../../typed.ts'

export const reasonOption = { reason: { value: 'TEXT', help: 'why; recorded in the log' } }

export const pause: Command = {
  takes: 'PLAN',
  summary: 'stop starting steps of a plan; running steps are notified',
  options: reasonOption,
  run: (call) =>
    changingPlans(call, async ({ harness, owner }) => {
      const planId = await findPlanId({ harness }, call.args[0] ?? '')
      await harness.pausePlan(planId, by(call, owner))
      return said(`Paused ${shortId(planId)}. To continue it: ${commandWord()} resume ${shortId(planId)}`, {
        planId,
        paused: true,
      })
    }),
}

export const resume: Command = {
  takes: 'PLAN',
  summary: 'continue a paused plan',
  options: reasonOption,
  run: (call) =>
    changingPlans(call, async (opened) => {
      const { harness, owner } = opened
      const planId = await findPlanId({ harness }, call.args[0] ?? '')
      const before = await planState(opened, planId)
      await harness.resumePlan(planId, by(call, owner))
      const data = { planId, paused: false, resumed: before.paused }
      if (before.paused) return said(`Resumed ${shortId(planId)}.`, data)
      return said(notPaused(before, await opened.store.work.now()), data)
    }),
}

/** Whoever resumes a plan wants it to go on, so this says what it waits for. */
function notPaused(plan: PlanState, now: number): string {
  const runs = plan.waiting.some(({ runner }) => runner !== undefined)
  return [
    `${shortId(plan.planId)} was not paused, so there was nothing to resume.`,
    stateText(redactValue(plan), now),
    ...(runs ? [] : [`To run it: ${commandWord()} run ${shortId(plan.planId)}`]),
  ].join('\n')
}

export const cancel: Command = {
  takes: 'PLAN',
  summary: 'cancel a plan, its running steps, and the plans those steps started',
  details:
    'A plan that is already done or failed is not changed, and the exit code is 1. A running function is asked to cancel itself, so that ' +
    'it can clean up; to end it at once, cancel it again.',
  options: reasonOption,
  isObserved: true,
  run: (call) =>
    changingPlans(call, async ({ harness, owner }) => {
      const planId = await findPlanId({ harness }, call.args[0] ?? '')
      const status = await harness.cancelPlan(planId, by(call, owner))
      return {
        text: cancelText(planId, status),
        data: { planId, status },
        exit: status === 'cancelled' || status === 'running' ? 0 : 1,
      }
    }),
}

function cancelText(planId: string, status: string): string {
  const plan = shortId(planId)
  if (status === 'cancelled') return `Cancelled ${plan}.`
  if (status !== 'running') return `${plan} was not cancelled: it is already ${status}.`
  return `Asked ${plan} to cancel itself. To end it at once: ${commandWord()} cancel ${plan}`
}

export const skip: Command = {
  takes: 'STEP',
  summary: 'mark a step as done without running it',
  details:
    'STEP is an id, the beginning of an id, or PLAN/KEY. If a worker is running the step, it is stopped and its result is discarded.',
  options: reasonOption,
  isObserved: true,
  run: (call) =>
    changingPlans(call, async ({ harness, owner }) => {
      const { of, id } = await findRow({ harness }, call.args[0] ?? '')
      if (of === 'plan')
        throw new UsageError(
          'a plan cannot be skipped, only a step. Name a step, or cancel the plan: agentm cancel PLAN',
        )
      await harness.skipStep(id, by(call, owner))
      return said(`Skipped ${shortId(id)}.`, { stepId: id, skipped: true })
    }),
}

/** Who and why, for the log. */
export function by({ get }: Call, owner: string): { readonly actor: string; readonly reason?: string } {
  const reason = get('reason')
  return { actor: owner, ...(reason !== undefined && { reason }) }
}

function said(text: string, data: unknown): Answer {
  return { text, data }
}
