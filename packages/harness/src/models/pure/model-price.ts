/** What a model costs, in millionths of a currency unit for a million tokens: 3,000,000 is three dollars for a million. */
import type { Usage } from '../../inner-loop/model.ts'

export interface ModelPrice {
  readonly input: number
  readonly output: number
  /** Of input the provider had at hand already; as other input where absent. */
  readonly cachedInput?: number
}

/** Rounded up, so that many small replies do not count as free. */
export function costMicros(
  { inputTokens, outputTokens }: Usage,
  { input, output, cachedInput = input }: ModelPrice,
  cachedTokens = 0,
): number {
  const cached = Math.min(Math.max(0, cachedTokens), inputTokens)
  return Math.ceil(((inputTokens - cached) * input + cached * cachedInput + outputTokens * output) / 1_000_000)
}
