/** `models.prices`: dollars per million tokens, one price, or one for each model by its name. */
import type { ModelPrice } from '@agentm/harness/models'
import { z } from 'zod'

/** No model costs a cent per token; a figure beyond that was meant in another unit. */
const mostDollars = 10_000

const dollars = z
  .number()
  .min(0)
  .max(mostDollars, {
    error: ({ input }) => `${String(input)} is too much: prices are in dollars per million tokens, such as 3 or 0.15`,
  })

const priceSchema = z.strictObject({ input: dollars, output: dollars, cachedInput: dollars.optional() })

/** Which of the two it is meant to be decides which problem is told. */
export const pricesSchema = z.record(z.string(), z.unknown()).transform((value, context) => {
  const isOne = ['input', 'output', 'cachedInput'].some((key) => typeof value[key] === 'number')
  const parsed = (isOne ? priceSchema : z.record(z.string(), priceSchema)).safeParse(value)
  if (parsed.success) return value satisfies Prices
  for (const { path, message } of parsed.error.issues) context.addIssue({ code: 'custom', path, message })
  return z.NEVER
})

export type Prices = Readonly<Record<string, unknown>>

/** Of one model; nothing where the config says no price for it. */
export function priceIn(prices: Prices | undefined, model: string): ModelPrice | undefined {
  if (prices === undefined) return undefined
  const found = priceSchema.safeParse(typeof prices['input'] === 'number' ? prices : prices[model])
  if (!found.success) return undefined
  const { cachedInput, ...price } = found.data
  return cachedInput === undefined ? price : { ...price, cachedInput }
}

/** The command that sets a price, for messages that ask for one. */
export function setPrice(model: string): string {
  return `agentm config set models.prices '${JSON.stringify({ [model]: { input: 3, output: 15 } })}'`
}
