/**
 * How a step is run. The kinds this package brings are `command`, `http` and `module`; an agent, or anything else, is one
 * more object of this shape. A worker runs only the kinds it was given.
 */
import type { Draft } from '@agentm/nodes'
import type { NewPlan, CreatedPlan } from './create-plan.ts'
import type { LoopBudget, Question, Runtime, Spend } from '@agentm/agent-loop'
import type { Overrun, Usage } from './pure/budget-verdict.ts'
import type { PlanStatus } from './pure/plan-transitions.ts'
import type { Plan } from './plan.ts'
import type { Failure, Step, Wait } from './step.ts'

/** What repeating a step does: nothing (`pure`), the same (`idempotent`), or something again (`effectful`). */
export type Nature = NonNullable<Step['nature']>

/**
 * How steps of one kind are run. A worker runs only the kinds you pass to it.
 *
 * @example
 * ```ts
 * import type { StepKind } from '@agentm/harness'
 *
 * const hello: StepKind = {
 *   name: 'hello',
 *   run: async ({ step }) => ({ end: 'done', result: { text: `Hello, ${step.title}` } }),
 * }
 * ```
 */
export interface StepKind {
  readonly name: string
  /** What running it twice would do, where the step does not say (default: `idempotent`). */
  natureOf?(step: Step): Nature
  run(run: StepRun): Promise<StepOutcome>
}

/** How running a step ended: done, failed, or set aside until something happens. */
export type StepOutcome =
  | { readonly end: 'done'; readonly result?: Readonly<Record<string, unknown>>; readonly observation?: NewObservation }
  | { readonly end: 'failed'; readonly failure: StepFailure; readonly observation?: NewObservation }
  /** The step gives up its slot and is run again once it is answered. */
  | { readonly end: 'asks'; readonly question: Question }
  /** The step gives up its slot and is run again then. */
  | { readonly end: 'waits'; readonly waitsFor: Exclude<Wait, { for: 'answer' }> }

/** Why a step failed, as its kind tells it. */
export type StepFailure = Omit<Failure, 'cause'>

/** Something worth recording about a step. */
export interface NewObservation {
  readonly kind: 'tool_result' | 'error' | 'note' | 'decision'
  /** The text it is found again by. */
  readonly content: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** One run of one step, as its kind sees it. Once the claim was taken over or ended, all its writes are refused. */
export interface StepRun {
  readonly id: string
  readonly planId: string
  readonly owner: string
  readonly partition: string
  /** As it was claimed: title, input, attempt, idempotencyKey, assignedAgent, answers … */
  readonly step: Step
  readonly runtime: Runtime
  /** By the store's clock, which is the one that times are kept by. */
  now(): number
  /** Aborts when the claim is over: cancelled, skipped, out of time, shutting down, or not to be trusted any longer. */
  readonly signal: AbortSignal
  /** The steps it depends on, in its own order. */
  dependencies(): Promise<readonly Dependency[]>
  observe(observation: NewObservation): Promise<string>
  /** Writes what the kind itself keeps of the run; refused, as an observation is, once the claim is over. */
  keep(drafts: readonly Draft[]): Promise<void>
  /** A plan of this step's own; the same key answers the plan that an earlier run started. */
  startPlan(plan: Omit<NewPlan, 'id' | 'startedBy' | 'partition'> & { readonly key: string }): Promise<CreatedPlan>
  /** How a plan of this step's own ended, if it has. */
  planEnd(planId: string): Promise<PlanEnding>
  /**
   * The first budget that is used up, of its plan or of one above; with what `more` would use beside what the log knows. Ask
   * before what costs.
   */
  overrun(more?: Partial<Usage>): Promise<Overrun | undefined>
  /** Sets aside what the next call may take; see there. */
  readonly budget: RunBudget
  /** What has to hold for a write in the name of this run: the version its step is at. */
  fence(): Readonly<Record<string, number>>
  /** True while the plan is paused; a run may go on, wait for `resumed`, or give up its slot with `waits`. */
  isPaused(): boolean
  resumed(): Promise<void>
}

/**
 * The budgets of its plan and of those above. What is set aside counts beside what other steps set aside, in any process:
 * a call that would fit without theirs waits for them, one that would not is refused. What it took is to be told by an
 * observation; until then it stays set aside.
 */
export interface RunBudget extends LoopBudget {
  /** An earlier run of the step spent it and did not come to tell; this one will. */
  takeOver(untold: Spend): Promise<void>
  /** Whether its plan, or one above, limits money: a model without a price must not run then. */
  limitsMoney(): Promise<boolean>
}

/** A step that this one depends on, with its result. */
export interface Dependency {
  readonly id: string
  readonly title: string
  readonly result: Step['result']
}

export interface PlanEnding {
  readonly status: PlanStatus
  readonly result: Plan['result']
  readonly errorMessage: string | undefined
}
