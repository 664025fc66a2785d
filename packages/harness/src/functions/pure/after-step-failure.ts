/** Whether a failed step of a function is tried again, and when. */
import { afterFailure, defaultRetry } from '../../pure/retry-time.ts'
import type { RetryPolicy } from '../../step.ts'
import type { Entry } from '../entry.ts'

export interface ThrownFacts {
  readonly message: string
  readonly code?: string | undefined
  readonly retryable?: boolean | undefined
  readonly retryAfterMs?: number | undefined
}

/** The change of the entry. Unlike a step of a plan, a step of a function is tried again unless its error says otherwise. */
export function afterStepFailure(
  step: { readonly key: string; readonly failures: number; readonly retry: Partial<RetryPolicy> | undefined },
  thrown: ThrownFacts,
  now: number,
): Pick<Entry, 'status' | 'failure' | 'failures' | 'retryAt'> {
  const { message, code, retryable = true, retryAfterMs } = thrown
  const facts = {
    failures: step.failures,
    retry: { ...defaultRetry, ...step.retry },
    attempt: step.failures,
    idempotencyKey: step.key,
  }
  const { failures, retryAt } = afterFailure(
    facts,
    { cause: 'step', message, retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) },
    now,
  )
  const failure = { message, ...(code !== undefined && { code }) }
  return { status: 'failed', failure, failures, ...(retryAt !== undefined && { retryAt }) }
}
