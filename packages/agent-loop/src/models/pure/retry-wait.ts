/**
 * How long to wait before a model is asked again. The wait doubles, and a random part keeps workers from returning at the same
 * time. It is at least as long as the provider asked for. `undefined` if the provider asks for a longer wait than is allowed.
 */
export interface WaitPolicy {
  readonly baseMs: number
  readonly capMs: number
  /** The longest wait that is accepted from a provider. If it asks for more, the caller gets the error. */
  readonly longestAskedMs: number
}

export const defaultWait: WaitPolicy = { baseMs: 500, capMs: 20_000, longestAskedMs: 60_000 }

/** `failures` so far, counted from 1; `chance` is a random number in [0, 1). */
export function retryWait(
  failures: number,
  { askedMs = 0, chance }: { readonly askedMs?: number | undefined; readonly chance: number },
  { baseMs, capMs, longestAskedMs }: WaitPolicy = defaultWait,
): number | undefined {
  if (askedMs > longestAskedMs) return undefined
  const doubled = Math.min(baseMs * 2 ** (Math.max(1, failures) - 1), capMs)
  return Math.max(askedMs, Math.round(doubled * (0.5 + chance / 2)))
}
