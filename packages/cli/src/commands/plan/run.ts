/** Runs a plan in this process until it ends or waits for a person. Other workers may run steps of it at the same time. */
import { isFinalFault, isPlanOver } from '@agentm/harness'
import type { Plans } from '@agentm/workspace'
import { type Answer, type Call, type Command, UsageError } from '../../command.ts'
import { logOption } from '../../log-terminal.ts'
import { endSignal } from '../../end-signal.ts'
import { checkKinds } from './check-kinds.ts'
import { agentSteps, lackingNotes } from './check-tools.ts'
import { findPlanId } from './find-row.ts'
import { followPlan } from './follow-plan.ts'
import { planHere, wishForFile } from './plan-here.ts'
import { planState, type PlanState } from './plan-state.ts'
import { PlanProgress } from './plan-progress.ts'
import { treesNote } from './plan-trees.ts'
import { treesOptions } from './trees-of-call.ts'
import { typed } from '../../typed.ts'
import { sentence } from './pure/sentence.ts'
import { stateText } from './pure/state-text.ts'
import { countOption, secondsOption } from '../number-options.ts'
import { streamOption } from './worker-options.ts'
import { inputOption, readPlanFile } from './read-plan-file.ts'
import { changingPlans, withPlans } from './with-plans.ts'

export const runOptions = {
  slots: { value: 'N', help: 'how many steps run at once (default: 4)' },
  grace: { value: 'SECONDS', help: 'how long running steps may finish when you stop the command (default: 5)' },
  wait: { help: 'keep running while the plan waits for a person' },
  stream: streamOption,
  log: logOption,
}

const fileOptions = {
  ...inputOption,
  title: { value: 'TEXT', help: 'use this goal instead of the one in the plan file' },
  ...treesOptions('what the plan file says, else none'),
}

export const run: Command = {
  takes: 'PLAN',
  summary: 'run a plan here until it ends or waits for a person',
  details:
    'PLAN is an id or the beginning of an id; or a plan file (.yaml, .yml or .json), which is created as a new plan first. Runs only the steps of this plan, and of plans that they start. The exit code is 0 when the plan ' +
    'is done, else 1. Ctrl-C hands unfinished steps back; the next agentm run or agentm worker continues the plan.',
  options: { ...fileOptions, ...runOptions, cwd: { value: 'DIR', help: 'run as if started in this directory' } },
  isObserved: true,
  async run(call) {
    const settings = runSettings(call)
    const [named = ''] = call.args
    if (isPlanFile.test(named)) return runFile(call, { named, settings })
    const ofFile = ['input', 'trees', 'committed'].find((option) => call.has(option) || call.get(option) !== undefined)
    if (ofFile !== undefined)
      throw new UsageError(
        `--${ofFile} belongs to a plan file, such as agentm run plan.yaml --input tag=v2. A plan has that already.`,
      )
    return changingPlans(call, async (opened) => {
      const planId = await findPlanId(opened, named)
      return runPlan(opened, planId, settings)
    })
  },
}

const isPlanFile = /\.(?:ya?ml|json)$/i

async function runFile(
  call: Call,
  { named, settings }: { readonly named: string; readonly settings: RunSettings },
): Promise<Answer> {
  const file = await readPlanFile(call, named)
  const wish = wishForFile(call, file)
  return withPlans(call, async (opened) => {
    const { plan, said } = await planHere(call, opened, { file, wish })
    await opened.checkMoney(plan)
    const { planId } = await opened.harness.createPlan(plan)
    if (!call.json) for (const line of said) call.terminal.err(`${typed(line)}\n`)
    return runPlan(opened, planId, settings)
  })
}

export interface RunSettings {
  readonly call: Call
  readonly graceMs: number
  readonly slots: number | undefined
}

/** Reads the options before anything is opened, so that a wrong option leaves nothing behind. */
export function runSettings(call: Call): RunSettings {
  return { call, graceMs: secondsOption(call, 'grace', 5) * 1000, slots: countOption(call, 'slots') }
}

export async function runPlan(opened: Plans, planId: string, { call, graceMs, slots }: RunSettings): Promise<Answer> {
  const { work } = opened.store
  const runsHere = (await opened.stepKinds()).map(({ name }) => name)
  const source = { work, policy: opened.policy, harness: opened.harness, runsHere }
  if (!isPlanOver((await opened.harness.plan(planId)).payload.status)) await checkKinds(opened, planId)
  const ending = endSignal()
  const progress = PlanProgress.of(call)
  for (const note of lackingNotes(await agentSteps(opened, planId))) progress.note(note)
  const sandbox = await opened.sandbox()
  if (sandbox.wanted !== 'off') progress.note(sentence(sandbox.text))
  const onError = (error: unknown) => {
    // An error that ends the worker also ends the command, which prints it.
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
    if ((await Promise.race([followed, worker.ended])) === 'stopped')
      progress.note('Stopping: unfinished steps are handed back.')
  } finally {
    following.abort()
    await worker.stop({ graceMs })
    progress.close()
  }
  // The commands that help are those for the time after this process has ended.
  const { runsHere: _here, ...after } = source
  return answer(await planState(after, planId), await work.now(), await treesNote(opened, planId))
}

function answer(state: PlanState, now: number, note: string | undefined): Answer {
  return {
    text: [stateText(state, now), ...(note === undefined ? [] : [note])].join('\n'),
    data: state,
    exit: state.status === 'done' ? 0 : 1,
  }
}
