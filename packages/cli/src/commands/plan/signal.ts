/** Sends a value to a durable function, or to a step of a plan file, that waits for it or will. */
import { type Command, UsageError } from '../../command.ts'
import { signalOf } from '@agentm/harness/control'
import type { Plans } from '@agentm/workspace'
import { findRow } from './find-row.ts'
import { shortId } from './pure/short-id.ts'
import { changingPlans } from './with-plans.ts'

export const signal: Command = {
  takes: 'PLAN NAME [VALUE]',
  summary: 'send a value to a function or a step that waits for a signal',
  details:
    'PLAN is the run of a function, a plan with a step that waits for this signal, or such a step as PLAN/KEY. VALUE is JSON, or else text; without it, the signal has no value. A signal that nobody waits for yet ' +
    'is kept until somebody does.',
  options: {},
  isObserved: true,
  run: (call) =>
    changingPlans(call, async ({ harness }) => {
      const [words = '', name = '', value] = call.args
      if (name === '') throw new UsageError('no signal was named. Write: agentm signal PLAN NAME [VALUE]')
      const { planId, step } = await receiver(harness, words, name)
      const run = harness.run(planId, step === undefined ? {} : { step })
      await run.signal(name, value === undefined ? undefined : valueOf(value))
      return { text: `Sent ${name} to ${shortId(planId)}.`, data: { planId, signal: name } }
    }),
}

interface Receiver {
  readonly planId: string
  /** The key of the step that waits for it; `undefined` if the plan runs a function. */
  readonly step: string | undefined
}

async function receiver(harness: Plans['harness'], words: string, name: string): Promise<Receiver> {
  const row = await findRow({ harness }, words)
  const steps = row.of === 'plan' ? await harness.steps(row.id) : [await harness.step(row.id)]
  const planId = row.of === 'plan' ? row.id : (steps[0]?.payload.planId ?? row.id)
  const signals = steps.flatMap(
    ({ payload: { kind, input } }) => signalOf({ ...(kind && { kind }), ...(input && { input }) }) ?? [],
  )
  const [only, ...others] = signals.filter((each) => each.name === name)
  if (others.length > 0)
    throw new UsageError(
      `${others.length + 1} steps of this plan wait for ${name}. Name one: ${[only, ...others].map((each) => `${shortId(planId)}/${each?.key}`).join(', ')}`,
    )
  if (only === undefined && signals.length > 0)
    throw new UsageError(
      `no step here waits for ${name}. They wait for: ${[...new Set(signals.map((each) => each.name))].join(', ')}`,
    )
  return { planId, step: only?.key }
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
