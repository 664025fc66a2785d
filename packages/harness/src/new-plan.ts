/** What a caller says of a new plan and its steps. */
import type { NewCheck } from './checks/check.ts'
import type { Debounce } from './flow/debounce.ts'
import type { FlowOptions } from './flow/flow-fields.ts'
import type { Budget, Plan, PlanTrees } from './plan.ts'
import type { ByHand } from './pure/plan-drafts.ts'
import type { Step } from './step.ts'

/** The fields of a new step. */
export interface NewStep
  extends
    Partial<
      Pick<Step, 'kind' | 'nature' | 'onUnknown' | 'input' | 'timeoutMs' | 'tree' | 'assignedAgent' | 'idempotencyKey'>
    >,
    FlowOptions {
  /**
   * The name of the step within its plan. Other steps name it in their dependencies. Adding a step with the same key again gives
   * the same step.
   */
  readonly key: string
  readonly title: string
  readonly dependsOn?: readonly string[]
  readonly retry?: Partial<NonNullable<Step['retry']>>
  /** What must pass before the step is done. */
  readonly check?: NewCheck
}

/**
 * A plan to create: its goal and all its steps. It is written in one append, so a worker sees the whole plan or none of
 * it.
 */
export interface NewPlan {
  /** The id of the plan (default: a new one). Creating it again with the same content returns the existing plan. */
  readonly id?: string
  readonly goal: string
  readonly steps: readonly NewStep[]
  readonly input?: Plan['input']
  /** What its inputs have to be, by name, so that a fork with other inputs can be checked. */
  readonly inputs?: Plan['inputs']
  readonly budget?: Budget
  /** Where its steps work (default: the working folder). A last step then merges what they changed; see `openTrees`. */
  readonly trees?: PlanTrees
  /**
   * What must pass, once all steps are done, before the plan is done. In a plan of one step it is the check of that step. No step can
   * be added to such a plan.
   */
  readonly check?: NewCheck
  /** The project it belongs to. */
  readonly partition?: string
  /** Further calls with the same key before the start replace goal and inputs, and push the start back. */
  readonly debounce?: Debounce
  /** The running step that starts this plan. Usage of this plan counts in that step's plan, too. When that step ends, this plan ends. */
  readonly startedBy?: { readonly planId: string; readonly stepId: string }
}

/** A plan that follows another one for the same goal, with the number of times the goal was replanned since it was last started. */
export interface PlanContent extends NewPlan {
  readonly follows?: string
  readonly revision?: number
  /** The plan starts paused: no step is claimed before it is resumed. The value says who paused it, and why. */
  readonly paused?: ByHand
  /** The schedule that starts it, and the time of the schedule that it is started for. */
  readonly scheduled?: { readonly scheduleId: string; readonly scheduledFor: string }
}

export interface CreatedPlan {
  readonly planId: string
  /** The ids of the steps, by key. */
  readonly steps: Readonly<Record<string, string>>
  /** `false` if the same plan already existed. */
  readonly created: boolean
}
