/** Cancel, pause, resume and skip. The log records who did it and why; running steps are notified within a second. */
import type { Answer, Call, Command } from '../../command.ts'
import { UsageError } from '../../command.ts'
import { findPlanId, findRow } from './find-row.ts'
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
    changingPlans(call, async ({ harness, owner }) => {
      const planId = await findPlanId({ harness }, call.args[0] ?? '')
      await harness.resumePlan(planId, by(call, owner))
      return said(`Resumed ${shortId(planId)}.`, { planId, paused: false })
    }),
}

export const cancel: Command = {
  takes: 'PLAN',
  summary: 'cancel a plan, its running steps, and the plans those steps started',
  details: 'A plan that is already done or failed is not changed, and the exit code is 1.',
  options: reasonOption,
  run: (call) =>
    changingPlans(call, async ({ harness, owner }) => {
      const planId = await findPlanId({ harness }, call.args[0] ?? '')
      const status = await harness.cancelPlan(planId, by(call, owner))
      const text =
        status === 'cancelled'
          ? `Cancelled ${shortId(planId)}.`
          : `${shortId(planId)} was not cancelled: it is already ${status}.`
      return { text, data: { planId, status }, exit: status === 'cancelled' ? 0 : 1 }
    }),
}

export const skip: Command = {
  takes: 'STEP',
  summary: 'mark a step as done without running it',
  details:
    'STEP is an id, the beginning of an id, or PLAN/KEY. If a worker is running the step, it is stopped and its result is discarded.',
  options: reasonOption,
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
