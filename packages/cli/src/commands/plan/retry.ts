/**
 * Tries again what failed for good. An end is final: what is left of a plan that has ended becomes a plan of its own, linked to
 * the one it goes on with.
 */
import { isPlanOver } from '@agentm/harness'
import type { Plans } from '@agentm/workspace'
import { type Answer, type Command, UsageError } from '../../command.ts'
import { by, reasonOption } from './control.ts'
import { findRow } from './find-row.ts'
import { whatIsLeft } from './pure/what-is-left.ts'
import { runOptions, runPlan, type RunSettings, runSettings } from './run.ts'
import { stepCount } from './pure/step-count.ts'
import { shortId } from './pure/short-id.ts'
import { changingPlans } from './with-plans.ts'

export const retry: Command = {
  takes: 'PLAN|STEP',
  summary: 'try failed steps again; of a plan that has ended, plan what is left',
  details:
    'A step that failed for good becomes ready again, and one that waits for a time waits no longer. A plan that has not ended: all\n' +
    'that failed for good. A plan that has ended: a new plan of the steps that are not done, whose input names the old one in\n' +
    '"continues"; every step keeps its idempotency key.',
  options: { run: { help: 'run it at once' }, ...runOptions, ...reasonOption },
  run(call) {
    const settings = runSettings(call)
    return changingPlans(call, async (opened) => {
      const { harness } = opened
      const row = await findRow(opened, call.args[0] ?? '')
      const planId = row.of === 'plan' ? row.id : (await harness.step(row.id)).payload.planId
      const { status } = (await harness.plan(planId)).payload
      if (!isPlanOver(status))
        return retryIn(opened, { planId, stepId: row.of === 'step' ? row.id : undefined }, settings)
      if (status === 'done') throw new UsageError(`${shortId(planId)} is done: nothing of it is left.`)
      return planTheRest(opened, planId, settings)
    })
  },
}

async function retryIn(
  opened: Plans,
  { planId, stepId }: { readonly planId: string; readonly stepId: string | undefined },
  settings: RunSettings,
): Promise<Answer> {
  const { harness, owner } = opened
  const { call } = settings
  const stepIds = stepId === undefined ? await failedFor(opened, planId) : [stepId]
  if (stepIds.length === 0) throw new UsageError(`nothing of ${shortId(planId)} has failed for good.`)
  for (const id of stepIds) await harness.retryStep(id, by(call, owner))
  if (call.has('run')) return runPlan(opened, planId, settings)
  return { text: `Ready again: ${stepIds.map((id) => shortId(id)).join(', ')}.`, data: { planId, steps: stepIds } }
}

async function failedFor({ harness }: Plans, planId: string): Promise<readonly string[]> {
  return (await harness.status(planId)).failed.map(({ id }) => id)
}

async function planTheRest(opened: Plans, planId: string, settings: RunSettings): Promise<Answer> {
  const { harness } = opened
  const old = await harness.plan(planId)
  const steps = await harness.steps(planId)
  const made = await harness.createPlan({ ...whatIsLeft(old, steps), partition: old.partition })
  if (settings.call.has('run')) return runPlan(opened, made.planId, settings)
  const count = Object.keys(made.steps).length
  const short = shortId(made.planId)
  return {
    text: `${made.created ? 'Planned what' : 'What'} is left of ${shortId(planId)}${made.created ? '' : ' is planned already'}: ${short}, ${stepCount(count)}. agentm run ${short} runs it.`,
    data: { ...made, continues: planId },
  }
}
