/**
 * A loop that was paused, as plain JSON. When it continues, the unanswered calls of its last reply are made first, under the same
 * keys, so no work is repeated and the model is not asked twice.
 */
import type { Message } from './model.ts'
import type { CallTally } from './pure/call-tally.ts'
import type { Spend } from './pure/reserve.ts'
import type { LoopWatch } from './pure/watch-loop.ts'

/** A loop that was set aside, as plain JSON. Pass it as `from` to continue: calls that were made are not made again. */
export interface Checkpoint {
  readonly messages: readonly Message[]
  /** The number of successful calls by signature. Ordinals are counted from it. */
  readonly successes: Readonly<Record<string, number>>
  readonly watch: LoopWatch
  readonly nudged: boolean
  /** Absent in checkpoints of earlier versions. */
  readonly tally?: CallTally
  /** The number of replies of the model so far. */
  readonly iterations: number
  readonly spent: Spend
  /** Tokens and money that no observation has reported yet. */
  readonly untold: Spend
}
