/** What a model costs, in dollars per million tokens, as price lists say it: `{ input: 3, output: 15 }`. */
import type { TokenUsage } from '../../loop/model.ts'

/** What a model costs, in dollars per million tokens. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
  /** Of input the provider had cached (default: as other input). */
  readonly cachedInput?: number
}

/**
 * In millionths of a dollar, which is what one token costs at a dollar per million. Rounded up, so that many small replies do not
 * count as free.
 */
export function costMicros(
  { inputTokens, outputTokens }: TokenUsage,
  { input, output, cachedInput = input }: ModelPrice,
  cachedTokens = 0,
): number {
  const cached = Math.min(Math.max(0, cachedTokens), inputTokens)
  const micros = (inputTokens - cached) * input + cached * cachedInput + outputTokens * output
  // 0.1 * 3 is a hair above 0.3: what a float adds by itself is no cost.
  return Math.ceil(Number(micros.toFixed(6)))
}
