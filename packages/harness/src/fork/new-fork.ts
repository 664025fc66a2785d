/** What a caller says of a fork: a plan that runs another one again, from a step on. */
import type { z } from 'zod'
import type { CreatedPlan } from '../new-plan.ts'
import type { Plan } from '../plan.ts'
import type { Reason } from '../plan-control.ts'
import type { Step } from '../step.ts'

/** How a plan is run again. */
export interface NewFork extends Reason {
  /** The id of the new plan (default: a new one). Forking again with the same id and the same changes returns the existing plan. */
  readonly id?: string
  /**
   * The step from which everything runs anew (default: every step does): its id, its key, its title, or the name of something that a
   * durable function of the plan recorded.
   */
  readonly from?: string
  /** Inputs of the plan that change, by name. The others stay. */
  readonly input?: NonNullable<Plan['input']>
  /** Fields of the input of the chosen step that change. The others stay. */
  readonly stepInput?: NonNullable<Step['input']>
  /** What the input of a step has to be, by kind (default: the kinds of this package). */
  readonly inputSchemas?: Readonly<Record<string, z.ZodType>>
  /** Brings what the carried steps changed in their trees into the new plan, before it is written. Without it, such a plan is refused. */
  readonly carryTrees?: (carried: CarriedTrees) => Promise<void>
}

/** Steps whose work in trees is carried over. */
export interface CarriedTrees {
  readonly owner: string
  readonly from: string
  readonly to: string
  readonly steps: readonly { readonly title: string; readonly from: string; readonly to: string }[]
}

/** The plan that runs another one again. */
export interface ForkedPlan extends CreatedPlan {
  readonly forkedFrom: string
  /** The step from which everything runs anew; absent if every step does. */
  readonly forkedAt?: string
  /** How many steps were carried over as done. */
  readonly carried: number
}
