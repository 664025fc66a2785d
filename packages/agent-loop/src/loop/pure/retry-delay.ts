/**
 * How a call is retried: the wait doubles each time, up to a maximum, and is at least as long as the server asked for. If the
 * server asks for more than `longestAskedMs`, the call is not retried here, because it would block its slot.
 */
export interface CallRetry {
  /** The timeout of one attempt; 0 means none. */
  readonly timeoutMs: number
  /** The most attempts. Values below 1 count as 1. */
  readonly attempts: number
  /** The first wait; 0 means no waiting. */
  readonly baseMs: number
  /** The longest wait; 0 means no maximum. */
  readonly capMs: number
}

export const defaultRetryPolicy: CallRetry = { timeoutMs: 30_000, attempts: 3, baseMs: 250, capMs: 4000 }

export const longestAskedMs = 60_000

/** The milliseconds to wait before attempt `n`, counted from 1. */
export function retryDelay(n: number, { baseMs, capMs }: CallRetry, askedMs = 0): number {
  if (n <= 1) return 0
  const doubled = baseMs <= 0 ? 0 : Math.min(baseMs * 2 ** (n - 2), capMs > 0 ? capMs : Number.MAX_SAFE_INTEGER)
  return Math.max(doubled, askedMs)
}

export function lastAttempt({ attempts }: CallRetry): number {
  return Math.max(1, Math.trunc(attempts) || 1)
}
