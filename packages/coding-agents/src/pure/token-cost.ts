import type { TokenCount } from './client-event.ts'

/** Dollars per million tokens, which are millionths of a dollar per token. */
export interface TokenPrice {
  readonly input: number
  readonly output: number
  /** Of input that the provider had cached (default: as other input). */
  readonly cachedInput?: number
}

/** In millionths of a dollar, rounded up, so that a price below one millionth counts. */
export function tokenCost({ input, cached, output }: TokenCount, price: TokenPrice): number {
  const { cachedInput = price.input } = price
  const micros = (input - cached) * price.input + cached * cachedInput + output * price.output
  // Sums of prices such as 0.1 are not exact in binary.
  return Math.ceil(Number(micros.toFixed(6)))
}
