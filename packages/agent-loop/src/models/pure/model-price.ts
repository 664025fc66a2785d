/** The price of a model in dollars per million tokens, as in price lists: `{ input: 3, output: 15 }`. */
import type { TokenUsage } from '../../loop/model.ts'

/** The price of a model, in dollars per million tokens. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
  /** The price of cached input (default: that of other input). */
  readonly cachedInput?: number
  /** The price of input that the provider writes into its cache (default: that of other input). */
  readonly cacheWrite?: number
}

/** The parts of the input that the provider found in its cache, and wrote into it. */
export interface CachedTokens {
  readonly read?: number
  readonly written?: number
}

/**
 * The cost in millionths of a dollar; one token costs one millionth at a dollar per million. Rounded up, so that many small replies
 * do not count as free.
 */
export function costMicros(
  { inputTokens, outputTokens }: TokenUsage,
  { input, output, cachedInput = input, cacheWrite = input }: ModelPrice,
  { read = 0, written = 0 }: CachedTokens = {},
): number {
  const cached = Math.min(Math.max(0, read), inputTokens)
  const kept = Math.min(Math.max(0, written), inputTokens - cached)
  const other = inputTokens - cached - kept
  const micros = other * input + cached * cachedInput + kept * cacheWrite + outputTokens * output
  // 0.1 * 3 is slightly above 0.3. The rounding error of a float must not add to the cost.
  return Math.ceil(Number(micros.toFixed(6)))
}

/** The most that so many tokens can cost: nobody knows before a request what of it the provider has in its cache. */
export function mostMicros(tokens: TokenUsage, price: ModelPrice): number {
  const { input, cachedInput = input, cacheWrite = input } = price
  const dearest = Math.max(input, cachedInput, cacheWrite)
  return costMicros(tokens, { input: dearest, output: price.output })
}
