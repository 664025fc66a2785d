/**
 * What becomes of a step that was answered "too many requests": it waits without a slot until the time it was given, and none
 * of its tries is used up, because it did nothing wrong. The wait is kept in the log, so it outlasts every worker.
 */
import type { StepFailure, StepOutcome, StepRun } from '../step-kind.ts'
import type { Wait } from '../step.ts'
import { timeAfter } from './time-after.ts'

/** A side that asks for less, and refuses again, is not asked more often than this. */
const leastMs = 1000

export function rateLimitWait(
  run: Pick<StepRun, 'now'>,
  { message, retryAfterMs = 0 }: Pick<StepFailure, 'message' | 'retryAfterMs'>,
): StepOutcome {
  const until = timeAfter(run.now(), Math.max(leastMs, retryAfterMs))
  return { end: 'waits', waitsFor: { for: 'rate-limit', until, message } }
}

/** Such a start does not count towards the step limit of the plan, either. */
export function isRateLimit(waitsFor: Wait | undefined): boolean {
  return waitsFor?.for === 'rate-limit'
}
