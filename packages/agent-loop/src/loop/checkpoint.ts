/**
 * A loop laid down and taken up again: plain JSON. The calls its last reply asked for and that have no answer yet are
 * made first, under the same keys, so what was done before is not done again and the model is not asked twice.
 */
import type { Message } from './model.ts'
import type { Spend } from './pure/reserve.ts'
import type { LoopWatch } from './pure/watch-loop.ts'

/** A loop that was set aside, as plain JSON. Pass it as `from` to continue: calls that were made are not made again. */
export interface Checkpoint {
  readonly messages: readonly Message[]
  /** Calls that succeeded, by signature: what ordinals are counted from. */
  readonly successes: Readonly<Record<string, number>>
  readonly watch: LoopWatch
  readonly nudged: boolean
  /** Replies of the model so far. */
  readonly iterations: number
  readonly spent: Spend
  /** Tokens and money that no observation has told of yet. */
  readonly untold: Spend
}
