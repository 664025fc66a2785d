import { type Call, UsageError } from '../../command.ts'
import { numberOption } from '../memory/number-option.ts'

export const streamOption = { help: 'tell what models say as they say it; on a terminal that is so anyway' }

export function slotsOption(call: Call): number | undefined {
  const slots = numberOption(call, 'slots')
  if (slots !== undefined && (!Number.isInteger(slots) || slots < 1))
    throw new UsageError(`--slots is ${slots}; it is a whole number from 1 on.`)
  return slots
}

export function secondsOption(call: Call, name: string, otherwise: number): number {
  const seconds = numberOption(call, name) ?? otherwise
  if (!Number.isFinite(seconds) || seconds < 0) throw new UsageError(`--${name} is a number of seconds.`)
  return seconds
}
