/** `models.prices`: dollars per million tokens; one price, or one for each model by its name. */
import { isObject, object, type Parser } from './parser.ts'

export interface ModelPrice {
  readonly input: number
  readonly output: number
  /** Of input that the provider had cached (default: as other input). */
  readonly cachedInput?: number
  /** Of input that the provider writes into its cache (default: as other input; 1.25 times that for Anthropic's models of a package). */
  readonly cacheWrite?: number
}

export type ModelPrices = ModelPrice | Readonly<Record<string, ModelPrice>>

/** No model costs a cent per token; a figure beyond that was meant in another unit. */
const mostDollars = 10_000

export const modelPrices: Parser<ModelPrices> = object(
  'dollars per million tokens, such as {"NAME": {"input": 3, "output": 15, "cachedInput": 0.3}}',
  (value) => {
    if (isOnePrice(value)) return problemOf(value)
    for (const [model, price] of Object.entries(value)) {
      const problem = isObject(price) ? problemOf(price) : 'is not an object with "input" and "output"'
      if (problem !== undefined) return `${model}: ${problem}`
    }
    return undefined
  },
)

/**
 * What one model costs; `undefined` where nothing says so.
 *
 * @example
 * ```ts
 * import { priceOf } from '@agentm/settings'
 *
 * console.log(priceOf(undefined, 'some-model')) // undefined
 * ```
 */
export function priceOf(prices: ModelPrices | undefined, model: string): ModelPrice | undefined {
  if (prices === undefined) return undefined
  if (isOnePrice(prices)) return prices
  return Object.hasOwn(prices, model) ? prices[model] : undefined
}

/**
 * The command that sets a price, for messages that ask for one.
 *
 * @example
 * ```ts
 * import { setPrice } from '@agentm/settings'
 *
 * console.log(setPrice('some-model')) // agentm config set models.prices '{"some-model":{"input":3,"output":15}}'
 * ```
 */
export function setPrice(model: string): string {
  return `agentm config set models.prices '${JSON.stringify({ [model]: { input: 3, output: 15 } })}'`
}

const figures = ['input', 'output', 'cachedInput', 'cacheWrite']

function isOnePrice(value: object): value is ModelPrice {
  return figures.some((figure) => typeof (value as Readonly<Record<string, unknown>>)[figure] === 'number')
}

function problemOf(price: Readonly<Record<string, unknown>> | ModelPrice): string | undefined {
  for (const [figure, dollars] of Object.entries(price) as readonly (readonly [string, unknown])[]) {
    if (!figures.includes(figure)) return `"${figure}" is none of ${figures.join(', ')}`
    if (typeof dollars !== 'number' || !(dollars >= 0)) return `"${figure}" is not a number of dollars`
    if (dollars > mostDollars)
      return `${dollars} is too much: prices are in dollars per million tokens, such as 3 or 0.15`
  }
  const absent = ['input', 'output'].find((figure) => !(figure in price))
  return absent === undefined ? undefined : `"${absent}" is absent`
}
