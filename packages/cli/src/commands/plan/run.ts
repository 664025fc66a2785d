/** Runs a plan here until it ends, or until only a person can move it. Other workers may help; progress is told either way. */
import { isFinalFault, isPlanOver } from '@agentm/harness'
import type { Plans } from '@agentm/workspace'
import { type Answer, type Call, type Command } from '../../command.ts'
import { endSignal } from '../../end-signal.ts'
import { checkKinds } from './check-kinds.ts'
import { findPlanId } from './find-row.ts'
import { followPlan } from './follow-plan.ts'
import { planState, type PlanState } from './plan-state.ts'
import { PlanProgress } from './plan-progress.ts'
import { stateText } from './pure/state-text.ts'
import { secondsOption, slotsOption, streamOption } from './worker-options.ts'
import { changingPlans } from './with-plans.ts'

export const runOptions = {
  slots: { value: 'N', help: 'steps at once in this process; 4 where absent' },
  grace: { value: 'SECONDS', help: 'what running steps get to end when this is stopped; 5 where absent' },
  wait: { help: 'stay while it waits for somebody' },
  stream: streamOption,
}

export const run: Command = {
  takes: 'PLAN',
  summary: 'run a plan here until it ends or waits for somebody',
  details:
    'PLAN is an id or its beginning. Only its steps are taken, and those of plans they start. Exit code 0 when the plan is done,\n' +
    '1 otherwise. Ctrl-C hands back what runs; the plan goes on with the next agentm run or agentm worker.',
  options: { ...runOptions, cwd: { value: 'DIR', help: 'as if called in this directory' } },
  run(call) {
    const settings = runSettings(call)
    return changingPlans(call, async (opened) => {
      const planId = await findPlanId(opened, call.args[0] ?? '')
      return runPlan(opened, planId, settings)
    })
  },
}

export interface RunSettings {
  readonly call: Call
  readonly graceMs: number
  readonly slots: number | undefined
}

/** What the options say; read before anything is opened, so that a refusal leaves nothing behind. */
export function runSettings(call: Call): RunSettings {
  return { call, graceMs: secondsOption(call, 'grace', 5) * 1000, slots: slotsOption(call) }
}

export async function runPlan(opened: Plans, planId: string, { call, graceMs, slots }: RunSettings): Promise<Answer> {
  const { work } = opened.store
  const runsHere = (await opened.stepKinds()).map(({ name }) => name)
  const source = { work, policy: opened.policy, harness: opened.harness, runsHere }
  if (!isPlanOver((await opened.harness.plan(planId)).payload.status)) await checkKinds(opened, planId)
  const ending = endSignal()
  const progress = PlanProgress.of(call)
  const onError = (error: unknown) => {
    // What ends the worker ends the command, which says it.
    if (!isFinalFault(error)) progress.note(error instanceof Error ? error.message : String(error))
  }
  const following = new AbortController()
  const signal = AbortSignal.any([ending, following.signal])
  const followed = followPlan({ source, planId, progress, signal, stays: call.has('wait') })
  const worker = await opened.startWorker({
    ...progress.hearing,
    plans: [planId],
    onError,
    ...(slots !== undefined && { slots }),
  })
  try {
    if ((await Promise.race([followed, worker.ended])) === 'stopped') progress.note('Handing back what runs.')
  } finally {
    following.abort()
    await worker.stop({ graceMs })
    progress.close()
  }
  // What would help is told as it is once this process has ended.
  const { runsHere: _here, ...after } = source
  return answer(await planState(after, planId), await work.now())
}

function answer(state: PlanState, now: number): Answer {
  return { text: stateText(state, now), data: state, exit: state.status === 'done' ? 0 : 1 }
}
