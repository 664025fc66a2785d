/** Cancel, pause, resume and skip: guarded writes that say who did it and why. Running code learns of it within a second. */
import type { Answer, Call, Command } from '../../command.ts'
import { UsageError } from '../../command.ts'
import { findPlanId, findRow } from './find-row.ts'
import { shortId } from './pure/short-id.ts'
import { changingPlans } from './with-plans.ts'

export const reasonOption = { reason: { value: 'TEXT', help: 'why; kept in the log' } }

export const pause: Command = {
  takes: 'PLAN',
  summary: 'claim nothing more of a plan; what runs is told',
  options: reasonOption,
  run: (call) =>
    changingPlans(call, async ({ harness, owner }) => {
      const planId = await findPlanId({ harness }, call.args[0] ?? '')
      await harness.pausePlan(planId, by(call, owner))
      return said(`Paused ${shortId(planId)}. agentm resume ${shortId(planId)} lets it go on.`, {
        planId,
        paused: true,
      })
    }),
}

export const resume: Command = {
  takes: 'PLAN',
  summary: 'let a paused plan go on',
  options: reasonOption,
  run: (call) =>
    changingPlans(call, async ({ harness, owner }) => {
      const planId = await findPlanId({ harness }, call.args[0] ?? '')
      await harness.resumePlan(planId, by(call, owner))
      return said(`${shortId(planId)} goes on.`, { planId, paused: false })
    }),
}

export const cancel: Command = {
  takes: 'PLAN',
  summary: 'end a plan, with all that runs of it and the plans its steps started',
  details: 'A plan that has ended keeps its end; exit code 1 then, unless it was cancelled before.',
  options: reasonOption,
  run: (call) =>
    changingPlans(call, async ({ harness, owner }) => {
      const planId = await findPlanId({ harness }, call.args[0] ?? '')
      const status = await harness.cancelPlan(planId, by(call, owner))
      const text =
        status === 'cancelled'
          ? `Cancelled ${shortId(planId)}.`
          : `${shortId(planId)} is ${status} already, and stays so.`
      return { text, data: { planId, status }, exit: status === 'cancelled' ? 0 : 1 }
    }),
}

export const skip: Command = {
  takes: 'STEP',
  summary: 'count a step as done without doing it',
  details: 'STEP is an id, its beginning, or PLAN/KEY. Whoever runs it is stopped, and what it did counts for nothing.',
  options: reasonOption,
  run: (call) =>
    changingPlans(call, async ({ harness, owner }) => {
      const { of, id } = await findRow({ harness }, call.args[0] ?? '')
      if (of === 'plan') throw new UsageError('a plan is not skipped. Name a step, or end it: agentm cancel PLAN.')
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
