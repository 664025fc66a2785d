/**
 * How a step is run. This package has the kinds `agent`, `approval`, `command`, `http` and `module`; any object of this shape is
 * another kind. A worker runs only the kinds that are passed to it.
 */
import type { Draft, Durability, Node, NodeLog } from '@agentm/nodes'
import type { FailedCheck } from './checks/pure/check-texts.ts'
import type { NewPlan, CreatedPlan } from './new-plan.ts'
import type { LoopBudget, Question, Runtime, Spend } from '@agentm/agent-loop'
import type { Overrun, Usage } from './pure/budget-verdict.ts'
import type { PlanStatus } from './pure/plan-transitions.ts'
import type { Plan } from './plan.ts'
import type { Failure, Step, Wait } from './step.ts'

/** What happens when a step is repeated: no effect (`pure`), the same effect (`idempotent`), or a second effect (`effectful`). */
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
  /** What happens if the step runs twice, if the step does not say so itself (default: `idempotent`). */
  natureOf?(step: Step): Nature
  /**
   * Whether it continues its work after a failed check: it is run again at once, and finds what the check said with
   * `failedChecks`. Without it, a failed check is a failure of the step.
   */
  readonly heedsChecks?: boolean
  run(run: StepRun): Promise<StepOutcome>
}

/** How a run of a step ended: done, failed, or waiting for an answer or a time. */
export type StepOutcome =
  | { readonly end: 'done'; readonly result?: Readonly<Record<string, unknown>>; readonly observation?: NewObservation }
  | { readonly end: 'failed'; readonly failure: StepFailure; readonly observation?: NewObservation }
  /** The step gives up its slot, and is run again once a person has answered. */
  | { readonly end: 'asks'; readonly question: Question }
  /** The step gives up its slot, and is run again when the wait is over. `drafts` are written in the same append. */
  | { readonly end: 'waits'; readonly waitsFor: Exclude<Wait, { for: 'answer' }>; readonly drafts?: readonly Draft[] }
  /** The step ends its plan as cancelled. */
  | { readonly end: 'cancelled'; readonly reason: string }

/** Why a step failed, as reported by its kind. */
export type StepFailure = Omit<Failure, 'cause'>

/** Something worth recording about a step. */
export interface NewObservation {
  readonly kind: 'tool_result' | 'error' | 'note' | 'decision'
  /** The text that search and recall find it by. */
  readonly content: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** One run of one step, as its kind sees it. Once the claim is lost or has ended, all its writes are refused. */
export interface StepRun {
  readonly id: string
  readonly planId: string
  readonly owner: string
  readonly partition: string
  /** The step when it was claimed: title, input, attempt, idempotencyKey, assignedAgent, answers … */
  readonly step: Step
  readonly runtime: Runtime
  /** The store's time. All stored times use this clock. */
  now(): number
  /**
   * Aborts when the claim ends: the step is cancelled or skipped, its time is over, the worker shuts down, or the lease is no
   * longer trusted.
   */
  readonly signal: AbortSignal
  /** The directory this step works in: programs run there, and file tools reach nothing outside of it. */
  directory(): Promise<string>
  /** The checks of this try that did not pass, oldest first. */
  failedChecks(): Promise<readonly FailedCheck[]>
  /** The steps it depends on, in the order of its dependency list. */
  dependencies(): Promise<readonly Dependency[]>
  observe(observation: NewObservation): Promise<string>
  /** Writes data of the kind to the log, and resolves with what was written. Like an observation, it is refused once the claim has ended. */
  keep(drafts: readonly Draft[], options?: { readonly durability?: Durability }): Promise<readonly Node[]>
  /** Reads of the log. They need the owner, as all reads do. */
  readonly log: Pick<NodeLog, 'latest' | 'history' | 'scan'>
  /** Calls `told` when a message to the step arrives, or a plan that it started ends, while it runs. */
  onNews(told: () => void): void
  /** Starts a plan of this step. The same key returns the plan that an earlier run started. */
  startPlan(plan: Omit<NewPlan, 'id' | 'startedBy' | 'partition'> & { readonly key: string }): Promise<CreatedPlan>
  /** How a plan of this step ended, or that it still runs. */
  planEnd(planId: string): Promise<PlanEnding>
  /**
   * The first budget that is used up: that of its plan or of a plan above it. `more` is added to the usage in the log. Ask before
   * each call that costs something.
   */
  overrun(more?: Partial<Usage>): Promise<Overrun | undefined>
  /** Reserves budget for the next call; see `RunBudget`. */
  readonly budget: RunBudget
  /** What every write of this run expects: the current version of its step. */
  fence(): Readonly<Record<string, number>>
  /** `true` while the plan is paused. A run may then continue, wait for `resumed`, or give up its slot with `waits`. */
  isPaused(): boolean
  resumed(): Promise<void>
}

/**
 * The budgets of the plan and of the plans above it. A reservation counts together with those of other steps, in any process: a
 * call that would fit without theirs waits for them, and one that would not fit is refused. The kind must report what the call used
 * in an observation; until then it stays reserved.
 */
export interface RunBudget extends LoopBudget {
  /** Takes over what an earlier run of the step spent and did not report. This run reports it. */
  takeOver(untold: Spend): Promise<void>
  /** Whether the plan, or a plan above it, has a cost limit. A model without a price must not run under one. */
  limitsMoney(): Promise<boolean>
  /**
   * What is left now of the tightest budget, for calls that can be given a limit of their own. What has no limit is absent.
   * Reservations of other steps are not subtracted.
   */
  left(): Promise<Partial<Spend>>
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
