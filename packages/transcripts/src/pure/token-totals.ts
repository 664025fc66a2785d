/** Hosts repeat their totals of tokens; an event has only what was added since the last ones. */

/** The tokens that were counted so far. */
export interface TokenTotals {
  readonly input: number
  readonly output: number
  readonly cached: number
}

/** The totals before anything was counted. */
export const noTokens: TokenTotals = { input: 0, output: 0, cached: 0 }

/** What was added, as an event has it. A total that became smaller adds nothing. */
export function tokensSince(
  before: TokenTotals,
  { input, output, cached }: TokenTotals,
): { readonly inputTokens: number; readonly outputTokens: number; readonly cachedTokens: number } {
  return {
    inputTokens: Math.max(0, input - before.input),
    outputTokens: Math.max(0, output - before.output),
    cachedTokens: Math.max(0, cached - before.cached),
  }
}
