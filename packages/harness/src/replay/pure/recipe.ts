/** A plan with the outcome of each start of its steps. It is all that a replay needs. */
import type { Budget } from '../../plan.ts'
import type { Lost } from '../../pure/plan-view.ts'
import type { Failure, Step, Wait } from '../../step.ts'

export interface Recipe {
  readonly planId: string
  readonly goal: string
  readonly owner: string
  readonly steps: readonly RecipeStep[]
  /** The outcomes of each step's starts, in order. The last one is used for any further start. */
  readonly outcomes: Readonly<Record<string, readonly Outcome[]>>
  readonly budget?: Budget
  /** How many steps run at the same time (default: 1). */
  readonly concurrency?: number
}

export interface RecipeStep extends Partial<Pick<Step, 'input' | 'kind' | 'nature' | 'onUnknown' | 'retry'>> {
  readonly id: string
  readonly title: string
  readonly dependsOn: readonly string[]
  /** Another plan had done it before this one began. */
  readonly carriedFrom?: Step['carriedFrom']
}

export type Outcome = Cost &
  (
    | { readonly end: 'done' }
    | { readonly end: 'failed'; readonly failure?: Partial<Failure>; readonly retriedByHand?: boolean }
    /** The worker was lost. */
    | { readonly end: 'lost'; readonly why?: Lost }
    | { readonly end: 'waiting'; readonly waitsFor: Wait }
  )

export interface Cost {
  readonly toolCalls?: number
  readonly tokens?: number
  /** How long it took. */
  readonly ms?: number
}
