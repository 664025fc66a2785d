/** All operations on plans, for one owner and in the name of one component. */
import { AbsentNodeError, type NodeStore } from '@agentm/nodes'
import { awaitPlan } from './await-plan.ts'
import { type Erased, erasePlan, eraseStep } from './erase.ts'
import { comparePlans } from './compare/compare-plans.ts'
import type { Comparison } from './compare/comparison.ts'
import { createDebounced } from './flow/debounce.ts'
import { type DeadLetter, deadLetters, sendAgain, type SentAgain } from './flow/dead-letters.ts'
import { addStep } from './add-step.ts'
import { createPlan } from './create-plan.ts'
import type { CreatedPlan, NewPlan, NewStep } from './new-plan.ts'
import { forkPlan } from './fork/fork-plan.ts'
import type { ForkedPlan, NewFork } from './fork/new-fork.ts'
import {
  type HarnessContext,
  planIdOf,
  readPlan,
  readStep,
  type PlanHead,
  type StepHead,
  type Who,
} from './harness-context.ts'
import { findRow, type FoundRow } from './status/find-row.ts'
import { followPlan, type PlanEvent } from './status/follow-plan.ts'
import { plansAsked, type PlanStanding, planStandings, stepsOf } from './status/plan-standing.ts'
import { pausePlan, type Reason, resumePlan } from './plan-control.ts'
import { cancelByHand } from './functions/cancel-by-hand.ts'
import type { DurableFunction } from './functions/durable.ts'
import { type FunctionHandle, handleOf, startFunction, type StartOptions } from './functions/function-handle.ts'
import { planUsage } from './plan-usage.ts'
import type { Usage } from './pure/budget-verdict.ts'
import type { PlanStatus } from './pure/plan-transitions.ts'
import { type Question, type Runtime, systemRuntime } from '@agentm/agent-loop'
import type { Failure, Step, Wait } from './step.ts'
import {
  answerQuestion,
  answersOf,
  type Answered,
  type NewAnswer,
  askQuestion,
  assignAgent,
  blockStep,
  completeStep,
  editInput,
  failStep,
  readyStep,
  retryStep,
  skipStep,
  startStep,
} from './step-control.ts'
import { type Schedules, schedulesOf } from './schedules/schedules.ts'
import { type Waiting, waitingFor } from './waiting-for.ts'

/**
 * Everything you can do with plans, for one owner.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { approvalKind, harnessConcepts, openHarness, startWorker } from '@agentm/harness'
 *
 * const store = createInMemoryStore({ concepts: harnessConcepts })
 * const harness = openHarness({ store, owner: 'ada', actor: 'docs' })
 * const { planId } = await harness.createPlan({
 *   goal: 'release 1.4',
 *   steps: [{ key: 'ask', title: 'Ask before publishing', kind: 'approval' }],
 * })
 * console.log((await harness.plan(planId)).payload.status) // open
 * await harness.cancelPlan(planId, { reason: 'not today' })
 * console.log((await harness.ended(planId)).payload.status) // cancelled
 * ```
 */
export interface Harness extends Schedules {
  createPlan(plan: NewPlan): Promise<CreatedPlan>
  addStep(planId: string, step: NewStep): Promise<{ readonly stepId: string; readonly created: boolean }>
  /**
   * Runs a plan again from one of its steps, as a new plan: what does not depend on that step and is done is carried over, and
   * everything else runs anew, with the inputs that change.
   */
  forkPlan(planId: string, fork?: NewFork): Promise<ForkedPlan>
  /** Two plans side by side: status, time, cost, inputs and outputs, step by step. */
  compare(planA: string, planB: string): Promise<Comparison>
  plan(planId: string): Promise<PlanHead>
  step(stepId: string): Promise<StepHead>
  /** Resolves with the plan once it has ended, whichever process ends it. */
  ended(planId: string, options?: { readonly signal?: AbortSignal }): Promise<PlanHead>
  usage(planId: string): Promise<Usage>
  /** The state of a plan: counts, what each step waits for, who runs it, and which steps have failed permanently. */
  status(planId: string): Promise<PlanStanding>
  /** The state of every plan that has not ended, oldest first. With `newest`, the state of that many newest plans, ended or not. */
  statuses(which?: { readonly newest?: number }): Promise<readonly PlanStanding[]>
  steps(planId: string): Promise<readonly StepHead[]>
  /** The plan or step with this id or beginning of an id, or the step written `PLAN/KEY`. */
  find(words: string): Promise<FoundRow>
  /** The plan and its steps as they are now, then each change of them, until the plan has ended or `signal` aborts. */
  follow(planId: string, options?: { readonly signal?: AbortSignal }): AsyncIterable<PlanEvent>
  /** What each unfinished plan or step waits for, since when, and until when. */
  waiting(planId?: string): Promise<readonly Waiting[]>

  /** Starts a durable function. The same id and input give the same run. */
  start<I extends Readonly<Record<string, unknown>>, O>(
    durable: DurableFunction<I, O>,
    input: I,
    options?: StartOptions,
  ): Promise<FunctionHandle<O>>
  /** A run that was started before, in this process or another. `step` is the key of its step, in a plan that has others, too. */
  run<O>(id: string, options?: { readonly step?: string }): FunctionHandle<O>

  /**
   * Cancels a plan and the plans its steps started. A running function is asked to cancel itself, and the status is still `running`;
   * a second call ends it at once.
   */
  cancelPlan(planId: string, by?: Reason): Promise<PlanStatus>
  pausePlan(planId: string, by?: Reason): Promise<void>
  resumePlan(planId: string, by?: Reason): Promise<void>

  /** Permanently deletes the content of a plan that has ended. Ids, statuses, times and the graph stay. */
  erasePlan(planId: string): Promise<Erased>
  eraseStep(stepId: string): Promise<Erased>

  retryStep(stepId: string, by?: Reason): Promise<void>
  /** The steps that have failed permanently and were not sent again, oldest first; of one plan, or of all. */
  deadLetters(planId?: string): Promise<readonly DeadLetter[]>
  /**
   * Makes a permanently failed step ready again. If its plan has ended, its unfinished steps become a new plan, once: whoever sends another
   * step of the plan again gets the same new plan.
   */
  sendAgain(stepId: string, by?: Reason): Promise<SentAgain>
  skipStep(stepId: string, by?: Reason): Promise<void>
  editInput(stepId: string, input: NonNullable<Step['input']>, by?: Reason): Promise<void>
  assignAgent(stepId: string, agent: string, by?: Reason): Promise<void>
  /** The first answer counts. It is refused after the deadline of the question, and if the function that asked went on without an answer. */
  answer(stepId: string, answer: NewAnswer): Promise<Answered>
  /** The answers that were given to questions of a step, by question id, oldest first. */
  answers(stepId: string): Promise<Readonly<Record<string, Answered['answer']>>>

  /** For runs outside a worker. `fence` is the version that `startStep` returned. */
  readyStep(stepId: string): Promise<void>
  startStep(stepId: string, session: string): Promise<{ readonly version: number }>
  completeStep(stepId: string, done?: { readonly result?: Step['result']; readonly fence?: number }): Promise<void>
  failStep(stepId: string, failed: { readonly failure: Failure; readonly fence?: number }): Promise<void>
  blockStep(stepId: string, blocked: { readonly waitsFor: Wait; readonly fence?: number }): Promise<void>
  askQuestion(stepId: string, asked: { readonly question: Question; readonly fence?: number }): Promise<void>
}

export interface HarnessOptions extends Who {
  readonly store: Pick<NodeStore, 'log' | 'work'>
  readonly runtime?: Pick<Runtime, 'newId'>
}

/**
 * Opens the harness over a store, for one owner. `actor` is the component that writes.
 *
 * @example
 * ```ts
 * import { defineStep, harnessConcepts, openHarness, startWorker } from '@agentm/harness'
 * import { openSqliteStore } from '@agentm/nodes-sqlite'
 * import { mkdtemp } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import path from 'node:path'
 * import { z } from 'zod'
 *
 * const count = defineStep(
 *   'count',
 *   { input: z.object({ text: z.string() }), output: z.object({ words: z.number() }) },
 *   ({ text }) => ({ words: text.split(' ').length }),
 * )
 * const file = path.join(await mkdtemp(path.join(tmpdir(), 'plans-')), 'plans.db')
 * const store = await openSqliteStore({ path: file, concepts: harnessConcepts })
 * const harness = openHarness({ store, owner: 'ada', actor: 'docs' })
 * const step = count.step({ key: 'count', title: 'Count the words', input: { text: 'one two three' } })
 * const { planId, steps } = await harness.createPlan({ goal: 'know how long it is', steps: [step] })
 * const worker = await startWorker({ store, owners: ['ada'], kinds: [count] })
 * const { status } = (await harness.ended(planId)).payload
 * const id = steps['count']
 * console.log(status, id === undefined ? 0 : (await count.resultOf(await harness.step(id)))?.words) // done 3
 * await worker.stop()
 * await store.close()
 * ```
 */
export function openHarness({ store, owner, actor, runtime = systemRuntime }: HarnessOptions): Harness {
  const context: HarnessContext = { store, owner, actor }
  return {
    ...schedulesOf(context, runtime),
    createPlan: ({ debounce, ...plan }) =>
      debounce === undefined
        ? createPlan(context, { ...plan, id: plan.id ?? runtime.newId() })
        : createDebounced(context, { ...plan, debounce }, () => runtime.newId()),
    deadLetters: (planId) => deadLetters(context, planId),
    sendAgain: (stepId, by) => sendAgain(context, stepId, by),
    addStep: (planId, step) => addStep(context, { planId, step }),
    forkPlan: (planId, fork = {}) => forkPlan(context, planId, { ...fork, id: fork.id ?? runtime.newId() }),
    compare: (planA, planB) => comparePlans(context, planA, planB),
    plan: (planId) => readPlan(context, planId),
    step: (stepId) => readStep(context, stepId),
    ended: (planId, { signal } = {}) => awaitPlan(context, planId, signal),
    usage: async (planId) => planUsage(context, await readPlan(context, planId), { now: await store.work.now() }),
    status: async (planId) => {
      const [standing] = await planStandings(context, [await readPlan(context, planId)])
      // The content of an erased plan is gone, so there is no status to show.
      if (standing === undefined) throw new AbsentNodeError(planIdOf(planId))
      return standing
    },
    statuses: async ({ newest } = {}) => planStandings(context, await plansAsked(context, newest)),
    steps: async (planId) => stepsOf(context, (await readPlan(context, planId)).id),
    find: (words) => findRow(context, words),
    follow: (planId, { signal } = {}) => followPlan(context, planId, signal),
    waiting: (planId) => waitingFor(context, planId === undefined ? undefined : planIdOf(planId)),
    start: (durable, input, options = {}) =>
      startFunction(context, durable, input, { ...options, id: options.id ?? runtime.newId() }),
    run: (id, { step } = {}) => handleOf(context, id, step),
    cancelPlan: (planId, by) => cancelByHand(context, planIdOf(planId), by),
    pausePlan: (planId, by) => pausePlan(context, planIdOf(planId), by),
    resumePlan: (planId, by) => resumePlan(context, planIdOf(planId), by),
    erasePlan: (planId) => erasePlan(context, planId),
    eraseStep: (stepId) => eraseStep(context, stepId),
    retryStep: (stepId, by) => retryStep(context, stepId, by),
    skipStep: (stepId, by) => skipStep(context, stepId, by),
    editInput: (stepId, input, by) => editInput(context, { stepId, input, ...by }),
    assignAgent: (stepId, agent, by) => assignAgent(context, { stepId, agent, ...by }),
    answer: (stepId, answer) => answerQuestion(context, { stepId, ...answer }),
    answers: (stepId) => answersOf(context, stepId),
    readyStep: (stepId) => readyStep(context, stepId),
    startStep: (stepId, session) => startStep(context, { stepId, session }),
    completeStep: (stepId, done) => completeStep(context, { stepId, ...done }),
    failStep: (stepId, failed) => failStep(context, { stepId, ...failed }),
    blockStep: (stepId, blocked) => blockStep(context, { stepId, ...blocked }),
    askQuestion: (stepId, asked) => askQuestion(context, { stepId, ...asked }),
  }
}
