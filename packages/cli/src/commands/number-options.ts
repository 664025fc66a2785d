import { type Call, UsageError } from '../command.ts'

/** A number given as an option; `undefined` where it was not. */
export function numberOption({ get }: Call, name: string): number | undefined {
  const text = get(name)
  if (text === undefined) return undefined
  const number = Number(text)
  if (text.trim() === '' || Number.isNaN(number))
    throw new UsageError(`--${name} does not accept ${JSON.stringify(text)}. Use a number.`)
  return number
}

/** How many: a whole number. */
export function countOption(call: Call, name: string, least = 1): number | undefined {
  const count = numberOption(call, name)
  if (count === undefined || (Number.isSafeInteger(count) && count >= least)) return count
  throw new UsageError(`--${name} does not accept ${call.get(name)}. Use a whole number, at least ${least}.`)
}

export function secondsOption(call: Call, name: string, otherwise: number): number {
  const seconds = numberOption(call, name) ?? otherwise
  if (Number.isFinite(seconds) && seconds >= 0) return seconds
  throw new UsageError(`--${name} does not accept ${call.get(name)}. Use a number of seconds, at least 0.`)
}

/** Dollars, in millionths. */
export function moneyOption(call: Call, name: string): number | undefined {
  const dollars = numberOption(call, name)
  if (dollars === undefined) return undefined
  const micros = Math.round(dollars * 1e6)
  if (Number.isSafeInteger(micros) && micros >= 1) return micros
  throw new UsageError(`--${name} does not accept ${call.get(name)}. Use an amount in dollars above 0.`)
}

/** The option under its name for a request, or nothing. */
export function given<K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [P in K]?: V })
}
