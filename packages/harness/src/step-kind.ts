/**
 * How a step is run. The kinds this package brings are `command`, `http` and `module`; an agent, or anything else, is one
 * more object of this shape. A worker runs only the kinds it was given.
 */
import type { NewPlan, CreatedPlan } from './create-plan.ts'
import type { Overrun, Usage } from './pure/budget-verdict.ts'
import type { PlanStatus } from './pure/plan-transitions.ts'
import type { Plan } from './plan.ts'
import type { Question } from './question.ts'
import type { Runtime } from './runtime.ts'
import type { Failure, Step, Wait } from './step.ts'

export type Nature = NonNullable<Step['nature']>

export interface StepKind {
  readonly name: string
  /** What running it twice would do, where the step does not say; `idempotent` where absent. */
  natureOf?(step: Step): Nature
  run(run: StepRun): Promise<StepOutcome>
}

export type StepOutcome =
  | { readonly end: 'done'; readonly result?: Readonly<Record<string, unknown>>; readonly observation?: NewObservation }
  | { readonly end: 'failed'; readonly failure: StepFailure; readonly observation?: NewObservation }
  /** The step gives up its slot and is run again once it is answered. */
  | { readonly end: 'asks'; readonly question: Question }
  /** The step gives up its slot and is run again then. */
  | { readonly end: 'waits'; readonly waitsFor: Exclude<Wait, { for: 'answer' }> }

export type StepFailure = Omit<Failure, 'cause'>

export interface NewObservation {
  readonly kind: 'tool_result' | 'error' | 'note' | 'decision'
  /** The text it is found again by. */
  readonly content: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** One run of one step, as its kind sees it. Everything it writes is refused once somebody else decided about the claim. */
export interface StepRun {
  readonly id: string
  readonly planId: string
  readonly owner: string
  readonly partition: string
  /** As it was claimed: title, input, attempt, idempotencyKey, assignedAgent, answers … */
  readonly step: Step
  readonly runtime: Runtime
  /** Aborts when the claim is over: cancelled, skipped, out of time, shutting down, or not to be trusted any longer. */
  readonly signal: AbortSignal
  /** The steps it depends on, in its own order. */
  dependencies(): Promise<readonly Dependency[]>
  observe(observation: NewObservation): Promise<string>
  /** A plan of this step's own; the same key answers the plan that an earlier run started. */
  startPlan(plan: Omit<NewPlan, 'id' | 'startedBy' | 'partition'> & { readonly key: string }): Promise<CreatedPlan>
  /** How a plan of this step's own ended, if it has. */
  planEnd(planId: string): Promise<PlanEnding>
  /**
   * The first budget that is used up, of its plan or of one above; with what `more` would use beside what the log knows. Ask
   * before what costs.
   */
  overrun(more?: Partial<Usage>): Promise<Overrun | undefined>
  /** What has to hold for a write in the name of this run: the version its step is at. */
  fence(): Readonly<Record<string, number>>
  /** True while the plan is paused; a run may go on, wait for `resumed`, or give up its slot with `waits`. */
  isPaused(): boolean
  resumed(): Promise<void>
}

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
