import { type Call, UsageError } from '../../command.ts'

export function countOption({ get }: Call, option: string, otherwise: number): number {
  const value = get(option)
  if (value === undefined) return otherwise
  if (!/^[1-9]\d{0,5}$/.test(value))
    throw new UsageError(`--${option} is a number from 1, not ${JSON.stringify(value)}.`)
  return Number(value)
}
