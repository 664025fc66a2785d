import { type Call, UsageError } from '../../command.ts'

/** A number given as an option; `undefined` where it was not. */
export function numberOption(call: Call, name: string): number | undefined {
  const text = call.get(name)
  if (text === undefined) return undefined
  const number = Number(text)
  if (text.trim() === '' || Number.isNaN(number))
    throw new UsageError(`--${name} is ${JSON.stringify(text)}, which is not a number.`)
  return number
}

/** The option under its name for a request, or nothing. */
export function given<K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [P in K]?: V })
}
