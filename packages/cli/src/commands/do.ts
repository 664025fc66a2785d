/**
 * Plans a goal, runs the plan here and reports the result. Called again with the same goal, it continues the plan, whatever
 * interrupted it, because every decision and result is in the log.
 */
import { systemRuntime } from '@agentm/agent-loop'
import type { MediaPart } from '@agentm/agent-loop/internal'
import { type Budget, isFinalFault, isPlanOver, type Plan, readTrace, renderTrace } from '@agentm/harness'
import { commandLine, ownKindNames } from '@agentm/harness/control'
import { type Planner, type Pursued, pursueGoal } from '@agentm/planner'
import type { Plans } from '@agentm/workspace'
import { checkOptions, type CheckWish, checkWishOf, chooseCheck } from '../checks/choose-check.ts'
import { type Answer, type Call, type Command, UsageError } from '../command.ts'
import { logOption } from '../log-terminal.ts'
import { endSignal } from '../end-signal.ts'
import { givenFile } from '../plan-file/given-files.ts'
import { redactSecrets } from '@agentm/nodes'
import { shellWord } from '../pure/shell-word.ts'
import { checkAgents, checkKinds, checkModel } from './plan/check-kinds.ts'
import { agentSteps, checkTools, lackingNotes } from './plan/check-tools.ts'
import { followPlan } from './plan/follow-plan.ts'
import { PlanProgress } from './plan/plan-progress.ts'
import { planState, type PlanState } from './plan/plan-state.ts'
import { shortId } from './plan/pure/short-id.ts'
import { sentence } from './plan/pure/sentence.ts'
import { oneLine } from './plan/pure/state-text.ts'
import { secondsOption, slotsOption, streamOption } from './plan/worker-options.ts'
import { treesNote } from './plan/plan-trees.ts'
import { treesOfCall, treesOptions, type TreesWish, treesWish, usualForGoals } from './plan/trees-of-call.ts'
import { withPlans } from './plan/with-plans.ts'
import { traceText } from './plan/pure/trace-text.ts'
import { withoutSecrets } from './plan/trace.ts'
import { commandWord, typed } from '../typed.ts'

/** No time limit: a goal may rest for days and be continued. */
const ownBudget = { maxSteps: 50, maxToolCalls: 500, maxTokens: 2_000_000 } as const satisfies Budget

export const doGoal: Command = {
  takes: 'GOAL',
  summary: 'plan a goal, run the plan here, and report what happened',
  details:
    'If a plan for the same goal has not ended, agentm continues that plan. Without a model the plan is saved and waits for you: the exit code ' +
    'is 0, and --json prints "status": "waiting". A plan that fails or makes no progress is replanned, at most twice (--replans). The exit ' +
    'code is 1 when the goal was not reached.',
  options: {
    'max-steps': { value: 'N', help: `most step starts, retries included (default: ${ownBudget.maxSteps})` },
    'max-tool-calls': { value: 'N', help: `most tool calls (default: ${ownBudget.maxToolCalls})` },
    'max-tokens': { value: 'N', help: `most model tokens (default: ${ownBudget.maxTokens.toLocaleString('en')})` },
    'max-cost': { value: 'DOLLARS', help: 'most money for the model; needs models.prices (default: no limit)' },
    file: {
      value: 'FILE',
      help: 'a picture (PNG, JPEG, GIF, WebP) or a PDF that agents are shown; see models.inputs',
      repeats: true,
    },
    replans: { value: 'N', help: 'how often the goal may be replanned (default: 2)' },
    ...checkOptions,
    anyway: { help: 'start although agents lack tools for their work' },
    slots: { value: 'N', help: 'how many steps run at once (default: 4)' },
    grace: { value: 'SECONDS', help: 'how long running steps may finish when you stop the command (default: 5)' },
    ...treesOptions('own in a git repository if agents may change files, else none'),
    stream: streamOption,
    log: logOption,
    cwd: { value: 'DIR', help: 'as if called in this directory' },
  },
  isObserved: true,
  run(call) {
    const wish = wishOf(call)
    return withPlans(call, (opened) => reach(opened, wish))
  },
}

interface Wish {
  readonly call: Call
  readonly goal: string
  readonly budget: Budget
  readonly replans: number
  readonly check: CheckWish
  readonly anyway: boolean
  readonly slots: number | undefined
  readonly graceMs: number
  readonly trees: TreesWish
}

/** Reads the options before anything is opened, so that a wrong option leaves nothing behind. */
function wishOf(call: Call): Wish {
  const goal = (call.args[0] ?? '').trim()
  if (goal === '') throw new UsageError('the goal is empty. Say what you want: agentm do "…"')
  return {
    call,
    goal,
    budget: budgetOf(call),
    replans: countOption(call, 'replans', 0) ?? 2,
    check: checkWishOf(call),
    anyway: call.has('anyway'),
    slots: slotsOption(call),
    graceMs: secondsOption(call, 'grace', 5) * 1000,
    trees: treesWish(call),
  }
}

interface Told {
  readonly created: boolean
  readonly revision: number
  readonly state: PlanState
  readonly budget: Budget | undefined
  /** The commands that had to pass. */
  readonly check: readonly string[]
  readonly results: readonly { readonly title: string; readonly text: string }[]
  /** For people. */
  readonly happened: string
  /** For programs. */
  readonly timeline: string
  /** What the plan changed apart from the folder, and the commands for it. */
  readonly apart: string | undefined
}

async function reach(opened: Plans, wish: Wish): Promise<Answer> {
  const { call, goal, budget, replans } = wish
  const signal = endSignal()
  await checkAgents(opened)
  checkModel(await (await call.reader()).probeModel())
  await opened.checkMoney({ budget })
  const { planner, hasModel } = await opened.planner()
  const { partition, checks } = opened
  const { directory } = await call.workspace()
  const mode = wish.trees.mode ?? (await usualForGoals(opened, directory))
  const { trees, said } = await treesOfCall(opened, { ...wish.trees, mode, directory })
  const files = await filesOf(call, opened)
  const { check, note } = await chooseCheck(call, wish.check, { checks, directory })
  const review = hasModel && !wish.anyway ? checkTools : undefined
  const planned = await planner.plan({
    goal,
    partition,
    budget,
    signal,
    ...(trees && { trees }),
    ...(check && { check }),
    ...(files.length > 0 && { files }),
    ...(review && { review }),
  })
  const progress = PlanProgress.of(call)
  if (!isPlanOver((await opened.harness.plan(planned.planId)).payload.status)) {
    await checkKinds(opened, planned.planId)
    const steps = await agentSteps(opened, planned.planId)
    review?.(steps)
    for (const lacking of lackingNotes(steps)) progress.note(lacking)
  }
  progress.note(planned.created ? note : continuedNote((await opened.harness.plan(planned.planId)).payload))
  const kept = (await opened.harness.plan(planned.planId)).payload.budget
  if (!planned.created && files.length > 0)
    progress.note('The plan goes on with the files that it was made with, and not with those of --file.')
  progress.note(`${planned.created ? 'Created' : 'Continuing'} plan ${shortId(planned.planId)}, ${budgetText(kept)}.`)
  const sandbox = await opened.sandbox()
  if (sandbox.wanted !== 'off' || trees !== undefined) progress.note(sentence(sandbox.text))
  if (planned.created) for (const line of said) progress.note(typed(line))
  const end = await pursue(opened, {
    wish,
    planner,
    planId: planned.planId,
    replans: hasModel ? replans : 0,
    progress,
    signal,
  })
  return answer(await told(opened, end, planned.created))
}

const mostFiles = 8

/** They are looked at before the model is asked for a plan. */
async function filesOf(call: Call, { agents }: Plans): Promise<readonly MediaPart[]> {
  const names = call.all('file')
  if (names.length > mostFiles) throw new UsageError(`--file can be given ${mostFiles} times, not ${names.length}.`)
  const found = await Promise.all(
    names.map(async (name) => givenFile(name, { directory: call.cwd, media: agents.media })),
  )
  return found.map((each) => {
    if ('problem' in each) throw new UsageError(typed(sentence(`--file: ${each.problem}`)))
    return each
  })
}

/** A plan keeps the check that it was made with. */
function continuedNote(plan: Plan): string {
  const lines = commandsOf(plan)
  return lines.length === 0
    ? 'No check is in force for this plan.'
    : `The goal is reached when this passes: ${lines.join(', ')}.`
}

function commandsOf({ check }: Plan): readonly string[] {
  return check?.commands?.map(commandLine) ?? []
}

interface Pursuit {
  readonly wish: Pick<Wish, 'slots' | 'graceMs'>
  readonly planner: Planner
  readonly planId: string
  /** 0 without a model, because the new plan would be the same. */
  readonly replans: number
  readonly progress: PlanProgress
  readonly signal: AbortSignal
}

/** Runs and shows the steps, until the plan ends or waits for a person. */
async function pursue(
  opened: Plans,
  { wish: { slots, graceMs }, planner, planId, replans, progress, signal }: Pursuit,
): Promise<Pursued | string> {
  const { store, owner, harness, policy } = opened
  const runsHere = (await opened.stepKinds()).map(({ name }) => name)
  const source = { log: store.log, work: store.work, owner, policy, harness, runsHere }
  const note = (error: unknown) => progress.note(error instanceof Error ? error.message : String(error))
  // An error that ends the worker also ends the command, which prints it.
  const onError = (error: unknown) => (isFinalFault(error) ? undefined : note(error))
  const shown = new AbortController()
  const show = (id: string) =>
    void followPlan({ source, planId: id, progress, signal: shown.signal, stays: true }).catch(note)
  let latest = planId
  show(planId)
  const worker = await opened.startWorker({
    ...progress.hearing,
    plans: [planId],
    onError,
    ...(slots !== undefined && { slots }),
  })
  try {
    const pursued = pursueGoal(planId, {
      store,
      owner,
      actor: 'agentm',
      planner,
      replans,
      runtime: systemRuntime,
      signal,
      onReplan(next, why) {
        latest = next.planId
        void worker.include(next.planId).catch(note)
        progress.note(`Replanned as ${shortId(next.planId)}: ${why}`)
        show(next.planId)
      },
    })
    return await Promise.race([pursued, worker.ended.then(() => latest)])
  } catch (error) {
    if (!signal.aborted) throw error
    progress.note('Stopping: unfinished steps are handed back.')
    return latest
  } finally {
    shown.abort()
    await worker.stop({ graceMs })
    progress.close()
  }
}

async function told(opened: Plans, end: Pursued | string, created: boolean): Promise<Told> {
  const { store, owner, harness, policy } = opened
  const planId = typeof end === 'string' ? end : end.planId
  const source = { policy, harness }
  const { payload } = await harness.plan(planId)
  const done = (await harness.steps(planId)).filter(
    ({ payload: { status, kind } }) => status === 'done' && !ownKindNames.includes(kind ?? 'agent'),
  )
  const trace = withoutSecrets(await readTrace(store.log, { planId, owner }))
  return {
    created,
    revision: payload.revision ?? 0,
    state: await planState(source, planId),
    budget: payload.budget,
    check: commandsOf(payload),
    results: done.map(({ payload: { title, result } }) => ({ title, text: resultText(result) })),
    happened: redactSecrets(traceText(trace, { verbose: false, calls: false })),
    timeline: redactSecrets(renderTrace(trace)),
    apart: await treesNote(opened, planId),
  }
}

function answer({ created, revision, state, budget, check, results, happened, timeline, apart }: Told): Answer {
  const over = ['done', 'failed', 'cancelled'].includes(state.status)
  const asks = state.waiting.some(({ ask }) => ask !== undefined) || state.paused
  const status = over ? state.status : asks ? 'waiting' : 'stopped'
  const next = over ? [] : nextCommands(state)
  return {
    text: [
      happened,
      ...results.map(reported),
      ...(apart === undefined ? [] : ['', apart]),
      ...(next.length === 0 ? [] : ['', 'Next:', ...next.map((line) => `  ${line}`)]),
    ].join('\n'),
    data: { ...state, status, created, revision, budget, check, results, next, timeline },
    exit: status === 'done' || status === 'waiting' ? 0 : 1,
  }
}

const modelCommands = 'agentm config set models.url URL && agentm config set models.model NAME'

/** The commands that continue the plan: the answers it waits for, and then the goal again. */
function nextCommands({ goal, waiting }: PlanState): readonly string[] {
  const helps = waiting.flatMap(({ help }) => (help === undefined ? [] : [help]))
  const withoutModel = waiting.some(({ ask }) => ask?.questionId === 'without-model')
  return [
    ...new Set(helps),
    ...(withoutModel ? [typed(modelCommands)] : []),
    `${commandWord()} do ${shellWord(oneLine(goal))}`,
  ]
}

function reported({ title, text }: { readonly title: string; readonly text: string }): string {
  return `\n${oneLine(title)}\n${text
    .split('\n')
    .map((line) => `  ${oneLine(line)}`)
    .join('\n')}`
}

function resultText(result: unknown): string {
  const { text }: { readonly text?: unknown } = typeof result === 'object' && result !== null ? result : {}
  return typeof text === 'string' ? text : JSON.stringify(result ?? {})
}

function budgetOf(call: Call): Budget {
  const cost = amountOption(call, 'max-cost')
  return {
    maxSteps: countOption(call, 'max-steps', 1) ?? ownBudget.maxSteps,
    maxToolCalls: countOption(call, 'max-tool-calls', 1) ?? ownBudget.maxToolCalls,
    maxTokens: countOption(call, 'max-tokens', 1) ?? ownBudget.maxTokens,
    ...(cost !== undefined && { maxCostMicros: cost }),
  }
}

function budgetText({ maxSteps, maxToolCalls, maxTokens, maxCostMicros }: Budget = {}): string {
  const parts = [
    ...(maxSteps === undefined ? [] : [`${maxSteps} steps`]),
    ...(maxToolCalls === undefined ? [] : [`${maxToolCalls} tool calls`]),
    ...(maxTokens === undefined ? [] : [`${maxTokens.toLocaleString('en')} tokens`]),
    ...(maxCostMicros === undefined ? [] : [`$${maxCostMicros / 1e6}`]),
  ]
  return parts.length === 0 ? 'without a budget' : `at most ${parts.join(', ')}`
}

function countOption(call: Call, name: string, least: number): number | undefined {
  const text = call.get(name)
  if (text === undefined) return undefined
  const count = Number(text)
  if (!Number.isSafeInteger(count) || count < least)
    throw new UsageError(`--${name} does not accept ${JSON.stringify(text)}. Use a whole number, at least ${least}.`)
  return count
}

function amountOption(call: Call, name: string): number | undefined {
  const text = call.get(name)
  if (text === undefined) return undefined
  const micros = Math.round(Number(text) * 1e6)
  if (!Number.isSafeInteger(micros) || micros < 1)
    throw new UsageError(`--${name} does not accept ${JSON.stringify(text)}. Use an amount in dollars above 0.`)
  return micros
}
