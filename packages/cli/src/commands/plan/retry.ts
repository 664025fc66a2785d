/**
 * Retries failed steps. A plan that has ended never changes: its unfinished steps become a new plan, which names the old one.
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
import { commandWord } from '../../typed.ts'

export const retry: Command = {
  takes: 'PLAN|STEP',
  summary: 'retry failed steps; if the plan has ended, create a new plan of the unfinished steps',
  details:
    'A STEP that failed permanently becomes ready again; one that waits before its next attempt starts now. For a PLAN that has not ended, ' +
    'all permanently failed steps become ready again. For a PLAN that has ended, a new plan of the unfinished steps is created: its input names ' +
    'the old plan in "continues", and every step keeps its idempotency key.',
  options: { run: { help: 'run the plan now' }, ...runOptions, ...reasonOption },
  run(call) {
    const settings = runSettings(call)
    return changingPlans(call, async (opened) => {
      const { harness } = opened
      const row = await findRow(opened, call.args[0] ?? '')
      const planId = row.of === 'plan' ? row.id : (await harness.step(row.id)).payload.planId
      const { status } = (await harness.plan(planId)).payload
      if (!isPlanOver(status))
        return retryIn(opened, { planId, stepId: row.of === 'step' ? row.id : undefined }, settings)
      if (status === 'done') throw new UsageError(`${shortId(planId)} is done: it has no unfinished steps to retry.`)
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
  if (stepIds.length === 0)
    throw new UsageError(
      `${shortId(planId)} has no permanently failed steps. To see what its steps wait for: agentm status ${shortId(planId)}`,
    )
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
    text: `${made.created ? 'Created plan' : 'There is already a plan'} ${short} for the ${stepCount(count)} left of ${shortId(planId)}. To run it: ${commandWord()} run ${short}`,
    data: { ...made, continues: planId },
  }
}
