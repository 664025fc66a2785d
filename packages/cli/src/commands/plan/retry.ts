/**
 * Retries failed steps. A plan that has ended never changes: its unfinished steps become a new plan, which names the old one.
 */
import { type DeadLetter, isPlanOver, type SentAgain, whatIsLeft } from '@agentm/harness'
import { redactValue } from '@agentm/nodes'
import type { PlansReader } from '@agentm/workspace/reader'
import type { Plans } from '@agentm/workspace'
import { type Answer, type Call, type Command, UsageError } from '../../command.ts'
import { by, reasonOption } from './control.ts'
import { findRow } from './find-row.ts'
import { runOptions, runPlan, type RunSettings, runSettings } from './run.ts'
import { stepCount } from './pure/step-count.ts'
import { shortId } from './pure/short-id.ts'
import { oneLine } from './pure/state-text.ts'
import { changingPlans, lookingAtPlans } from './with-plans.ts'
import { commandWord } from '../../typed.ts'

export const retry: Command = {
  takes: '[PLAN|STEP]',
  summary: 'retry failed steps, or list the dead letters: steps that have failed permanently',
  details:
    'Without PLAN or STEP, it lists the dead letters of all plans with the command that sends each again; with --all, it sends all of them again. ' +
    'A STEP that failed permanently becomes ready again; one that waits before its next attempt starts now. For a PLAN that has not ended, ' +
    'all permanently failed steps become ready again. For a PLAN that has ended, a new plan of the unfinished steps is created: its input names ' +
    'the old plan in "continues", and every step keeps its idempotency key.',
  options: {
    all: { help: 'send all dead letters again' },
    run: { help: 'run the plan now' },
    ...runOptions,
    ...reasonOption,
  },
  isObserved: true,
  run(call) {
    const settings = runSettings(call)
    if (call.has('all') && (call.args.length > 0 || call.has('run')))
      throw new UsageError(
        '--all sends the dead letters of all plans again, and is combined with neither a plan nor --run.',
      )
    if (call.has('all')) return changingPlans(call, (opened) => sendAll(opened, call))
    if (call.args.length === 0) return lookingAtPlans(call, listDead, () => listed([]))
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

async function listDead({ harness }: PlansReader): Promise<Answer> {
  return listed(redactValue(await harness.deadLetters()))
}

function listed(letters: readonly DeadLetter[]): Answer {
  const lines = letters.map(({ stepId, planId, planStatus, title, why, errorMessage }) => {
    const what = why === 'crashes' ? 'dead-lettered' : 'failed'
    const again = `${commandWord()} retry ${shortId(isPlanOver(planStatus) ? planId : stepId)}`
    return `${shortId(stepId)}  ${what}  ${oneLine(title)}: ${oneLine(errorMessage)}\n          ${again}`
  })
  const text = lines.length === 0 ? 'There are no dead letters: no step has failed permanently.' : lines.join('\n')
  return { text, data: { deadLetters: letters } }
}

/** A plan that has ended gets one new plan for all of its dead letters. */
async function sendAll({ harness, owner }: Plans, call: Call): Promise<Answer> {
  const letters = await harness.deadLetters()
  const sent = new Map<string, SentAgain>()
  for (const { stepId } of letters) sent.set(stepId, await harness.sendAgain(stepId, by(call, owner)))
  const plans = [...new Set([...sent.values()].map(({ planId }) => planId))]
  const text =
    letters.length === 0
      ? 'There are no dead letters: no step has failed permanently.'
      : `Sent ${stepCount(letters.length)} again, in ${plans.map((id) => shortId(id)).join(', ')}.`
  return { text, data: { sent: [...sent].map(([stepId, again]) => ({ from: stepId, ...again })) } }
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
