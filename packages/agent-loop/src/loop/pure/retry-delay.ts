/**
 * How a call is tried again: doubling waits, never longer than the cap, and no shorter than the other side asked for. A call
 * that is asked to wait for longer than `longestAskedMs` is not tried again here, because it would hold its place meanwhile.
 */
export interface CallRetry {
  /** Of one attempt; none where 0. */
  readonly timeoutMs: number
  /** Below 1 counts as 1. */
  readonly attempts: number
  /** No waiting where 0. */
  readonly baseMs: number
  /** No cap where 0. */
  readonly capMs: number
}

export const defaultRetryPolicy: CallRetry = { timeoutMs: 30_000, attempts: 3, baseMs: 250, capMs: 4000 }

export const longestAskedMs = 60_000

/** Milliseconds to wait before attempt `n`, counted from 1. */
export function retryDelay(n: number, { baseMs, capMs }: CallRetry, askedMs = 0): number {
  if (n <= 1) return 0
  const doubled = baseMs <= 0 ? 0 : Math.min(baseMs * 2 ** (n - 2), capMs > 0 ? capMs : Number.MAX_SAFE_INTEGER)
  return Math.max(doubled, askedMs)
}

export function lastAttempt({ attempts }: CallRetry): number {
  return Math.max(1, Math.trunc(attempts) || 1)
}
