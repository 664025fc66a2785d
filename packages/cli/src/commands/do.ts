/**
 * Plans a goal, runs the plan here and reports the result. Called again with the same goal, it continues the plan, whatever
 * interrupted it, because every decision and result is in the log.
 */
import { systemRuntime } from '@agentm/agent-loop'
import { type Budget, isFinalFault, isPlanOver, type Plan } from '@agentm/harness'
import { type Planner, pursueGoal } from '@agentm/planner'
import type { Plans } from '@agentm/workspace'
import { chooseCheck } from '../checks/choose-check.ts'
import type { Answer, Command } from '../command.ts'
import { endSignal } from '../end-signal.ts'
import { typed } from '../typed.ts'
import { checkLines, goalAnswer } from './goal/goal-answer.ts'
import { goalFiles, goalOptions, type GoalWish, goalWishOf } from './goal/goal-wish.ts'
import { checkAgents, checkKinds, checkModel } from './plan/check-kinds.ts'
import { agentSteps, checkTools, lackingNotes } from './plan/check-tools.ts'
import { followPlan } from './plan/follow-plan.ts'
import { PlanProgress } from './plan/plan-progress.ts'
import { sentence } from './plan/pure/sentence.ts'
import { shortId } from './plan/pure/short-id.ts'
import { treesOfCall, usualForGoals } from './plan/trees-of-call.ts'
import { withPlans } from './plan/with-plans.ts'

export const doGoal: Command = {
  takes: 'GOAL',
  summary: 'plan a goal, run the plan here, and report what happened',
  details:
    'If a plan for the same goal has not ended, agentm continues that plan. Without a model the plan is saved and waits for you: the exit code ' +
    'is 0, and --json prints "status": "waiting". A plan that fails or makes no progress is replanned, at most twice (--replans). The exit ' +
    'code is 1 when the goal was not reached.',
  options: goalOptions,
  isObserved: true,
  run(call) {
    const wish = goalWishOf(call)
    return withPlans(call, (opened) => reach(opened, wish))
  },
}

async function reach(opened: Plans, wish: GoalWish): Promise<Answer> {
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
  const files = await goalFiles(call, opened)
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
  const lastId = await pursue(opened, {
    wish,
    planner,
    planId: planned.planId,
    replans: hasModel ? replans : 0,
    progress,
    signal,
  })
  return goalAnswer(opened, lastId, { created: planned.created })
}

/** A plan keeps the check that it was made with. */
function continuedNote(plan: Plan): string {
  const lines = checkLines(plan)
  return lines.length === 0
    ? 'No check is in force for this plan.'
    : `The goal is reached when this passes: ${lines.join(', ')}.`
}

interface Pursuit {
  readonly wish: Pick<GoalWish, 'slots' | 'graceMs'>
  readonly planner: Planner
  readonly planId: string
  /** 0 without a model, because the new plan would be the same. */
  readonly replans: number
  readonly progress: PlanProgress
  readonly signal: AbortSignal
}

/** Runs and shows the steps, until the plan ends or waits for a person. Answers the plan that the goal has then. */
async function pursue(
  opened: Plans,
  { wish: { slots, graceMs }, planner, planId, replans, progress, signal }: Pursuit,
): Promise<string> {
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
    return await Promise.race([pursued.then((end) => end.planId), worker.ended.then(() => latest)])
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

function budgetText({ maxSteps, maxToolCalls, maxTokens, maxCostMicros }: Budget = {}): string {
  const parts = [
    ...(maxSteps === undefined ? [] : [`${maxSteps} steps`]),
    ...(maxToolCalls === undefined ? [] : [`${maxToolCalls} tool calls`]),
    ...(maxTokens === undefined ? [] : [`${maxTokens.toLocaleString('en')} tokens`]),
    ...(maxCostMicros === undefined ? [] : [`$${maxCostMicros / 1e6}`]),
  ]
  return parts.length === 0 ? 'without a budget' : `at most ${parts.join(', ')}`
}
