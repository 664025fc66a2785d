import { describe, expect, it } from 'vitest'
import { afterFailure, backoff } from '../../src/pure/retry-time.ts'

const fresh = { attempt: 0, idempotencyKey: 'k' }
const policy = { maxFailures: 2, maxCrashes: 5, baseMs: 100, capMs: 1000 }

describe('the time of the next try', () => {
  it('comes after a failure that calls itself retryable, and after any where the step has a policy', () => {
    expect(afterFailure(fresh, { cause: 'step', message: '', retryable: true }, 0).retryAt).toBeGreaterThan(0)
    expect(afterFailure(fresh, { cause: 'step', message: '' }, 0).retryAt).toBeUndefined()
    expect(afterFailure({ ...fresh, retry: policy }, { cause: 'step', message: '' }, 0).retryAt).toBeGreaterThan(0)
    expect(
      afterFailure({ ...fresh, retry: policy }, { cause: 'step', message: '', retryable: false }, 0).retryAt,
    ).toBeUndefined()
  })

  it('never comes after the last failure allowed, nor after the step ran out of its own deadline', () => {
    const retryable = { cause: 'step', message: '', retryable: true } as const
    expect(afterFailure({ ...fresh, retry: policy, failures: 1 }, retryable, 0)).toEqual({
      failures: 2,
      retryAt: undefined,
    })
    expect(
      afterFailure({ ...fresh, retry: policy }, { cause: 'timeout', message: '', retryable: true }, 0).retryAt,
    ).toBeUndefined()
  })

  it('counts only what the step did itself', () => {
    for (const cause of ['lease', 'shutdown', 'cancelled', 'halted'] as const)
      expect(afterFailure(fresh, { cause, message: '' }, 0).failures).toBe(0)
  })

  it('waits at least as long as the other side asked', () => {
    const failure = { cause: 'step', message: '', retryable: true, retryAfterMs: 90_000 } as const
    expect(afterFailure(fresh, failure, 0).retryAt).toBe(90_000)
  })

  it('is one that a calendar has, however long the other side asks to wait', () => {
    const failure = { cause: 'step', message: '', retryable: true, retryAfterMs: 1e23 } as const
    expect(new Date(afterFailure(fresh, failure, 1_700_000_000_000).retryAt ?? NaN).getUTCFullYear()).toBe(275760)
  })

  it('doubles up to the cap, less up to half by jitter', () => {
    expect([1, 2, 3, 4, 5].map((nth) => backoff(policy, nth, 0))).toEqual([100, 200, 400, 800, 1000])
    expect(backoff(policy, 2000, 0)).toBe(1000)
    expect(backoff(policy, 1, 0.999)).toBeGreaterThanOrEqual(50)
  })
})
