/** How long a failing embedder is not called, and which texts it refused. */
export interface Backoff {
  readonly failures: number
  /** In epoch milliseconds; 0 means at once. */
  readonly retryAt: number
  readonly failure: string | undefined
  /** Texts that the embedder refused because of their content, by item and revision. */
  readonly refused: readonly string[]
}

const firstMs = 5000
const anHour = 3_600_000
const mostRefused = 1000

/** `chance` in [0, 1) spreads the retries of processes that failed at the same time. */
export function nextBackoff(
  { failures, refused }: Backoff,
  {
    now,
    chance,
    failure,
    longestMs = anHour,
  }: { readonly now: number; readonly chance: number; readonly failure: string; readonly longestMs?: number },
): Backoff {
  const wait = Math.min(longestMs, firstMs * 2 ** failures) * (0.5 + chance / 2)
  return { failures: failures + 1, retryAt: Math.ceil(now + wait), failure, refused }
}

export function withRefused(backoff: Backoff, item: string): Backoff {
  return { ...backoff, refused: [...new Set([...backoff.refused, item])].slice(-mostRefused) }
}

/** The state without the last `count` refusals. */
export function withoutRefusals(backoff: Backoff, count: number): Backoff {
  return { ...backoff, refused: backoff.refused.slice(0, Math.max(0, backoff.refused.length - count)) }
}

/** A text that this module did not write gives a fresh state. */
export function parseBackoff(text: string | undefined): Backoff {
  const fresh: Backoff = { failures: 0, retryAt: 0, failure: undefined, refused: [] }
  try {
    const { failures, retryAt, failure, refused } = JSON.parse(text ?? '{}') as Record<string, unknown>
    return {
      failures: typeof failures === 'number' ? failures : 0,
      retryAt: typeof retryAt === 'number' ? retryAt : 0,
      failure: typeof failure === 'string' ? failure : undefined,
      refused: Array.isArray(refused) ? refused.map(String) : [],
    }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return fresh
    throw error
  }
}
