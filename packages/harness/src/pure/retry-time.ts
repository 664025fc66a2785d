/** Whether a failed step is retried, and when. */
import type { Failure, RetryPolicy, Step } from '../step.ts'
import { timeAfter } from './time-after.ts'

export const defaultRetry: RetryPolicy = { maxFailures: 3, maxCrashes: 5, baseMs: 1000, capMs: 60_000 }

/** What a failure changes: the counters, and the time of the next attempt if there is one. */
export interface Aftermath {
  readonly failures: number
  readonly retryAt: number | undefined
}

/**
 * Only failures of the step itself count, not crashes. Without a retry policy, a step is retried only after a failure that says it
 * is retryable. Running out of its own timeout is final, because the next attempt would get the same timeout.
 */
export function afterFailure(step: StepFacts, failure: Failure, now: number): Aftermath {
  const failures = (step.failures ?? 0) + (failure.cause === 'step' ? 1 : 0)
  const policy = step.retry ?? defaultRetry
  const wanted = failure.retryable ?? step.retry !== undefined
  const retries = failure.cause === 'step' && wanted && failures < policy.maxFailures
  if (!retries) return { failures, retryAt: undefined }
  const delay = backoff(policy, failures, spread(step.idempotencyKey, step.attempt))
  return { failures, retryAt: timeAfter(now, Math.max(delay, failure.retryAfterMs ?? 0)) }
}

export type StepFacts = Pick<Step, 'failures' | 'retry' | 'attempt' | 'idempotencyKey'>

/** Doubles from `baseMs` to `capMs`; `jitter` in [0, 1) takes away up to half. */
export function backoff({ baseMs, capMs }: Pick<RetryPolicy, 'baseMs' | 'capMs'>, nth: number, jitter: number): number {
  return Math.round(Math.min(capMs, baseMs * 2 ** Math.max(0, nth - 1)) * (1 - jitter / 2))
}

/** A number in [0, 1) that differs from step to step and is the same in every replay (FNV-1a). */
export function spread(key: string, attempt: number): number {
  let hash = 0x811c9dc5
  for (const char of `${key}#${attempt}`) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0) / 2 ** 32
}
