/** The price of a model in dollars per million tokens, as in price lists: `{ input: 3, output: 15 }`. */
import type { TokenUsage } from '../../loop/model.ts'

/** The price of a model, in dollars per million tokens. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
  /** The price of cached input (default: that of other input). */
  readonly cachedInput?: number
}

/**
 * The cost in millionths of a dollar; one token costs one millionth at a dollar per million. Rounded up, so that many small replies
 * do not count as free.
 */
export function costMicros(
  { inputTokens, outputTokens }: TokenUsage,
  { input, output, cachedInput = input }: ModelPrice,
  cachedTokens = 0,
): number {
  const cached = Math.min(Math.max(0, cachedTokens), inputTokens)
  const micros = (inputTokens - cached) * input + cached * cachedInput + outputTokens * output
  // 0.1 * 3 is slightly above 0.3. The rounding error of a float must not add to the cost.
  return Math.ceil(Number(micros.toFixed(6)))
}
