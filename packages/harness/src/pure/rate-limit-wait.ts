/**
 * What happens to a step that was answered "too many requests": it waits without a slot until the given time. It uses up no retry,
 * because the failure was not its own. The wait is stored in the log, so it survives a restart of the worker.
 */
import type { StepFailure, StepOutcome, StepRun } from '../step-kind.ts'
import type { Wait } from '../step.ts'
import { timeAfter } from './time-after.ts'

/** The shortest wait. A server that names a shorter time and refuses again is still asked only this often. */
const leastMs = 1000

export function rateLimitWait(
  run: Pick<StepRun, 'now'>,
  { message, retryAfterMs = 0 }: Pick<StepFailure, 'message' | 'retryAfterMs'>,
): StepOutcome {
  const until = timeAfter(run.now(), Math.max(leastMs, retryAfterMs))
  return { end: 'waits', waitsFor: { for: 'rate-limit', until, message } }
}

/**
 * A start that ended in such a wait does not count towards the step limit of the plan, because the step goes on after it where it
 * was: a rate limit, or anything that a durable function waits for.
 */
export function isNoStart(waitsFor: Wait | undefined): boolean {
  return waitsFor !== undefined && ['rate-limit', 'function', 'code'].includes(waitsFor.for)
}
