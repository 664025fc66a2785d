import { type Call, UsageError } from '../../command.ts'
import { numberOption } from '../memory/number-option.ts'

export const streamOption = { help: 'print what models say as they say it (default on a terminal)' }

export function slotsOption(call: Call): number | undefined {
  const slots = numberOption(call, 'slots')
  if (slots !== undefined && (!Number.isInteger(slots) || slots < 1))
    throw new UsageError(`--slots does not accept ${slots}. Use a whole number, at least 1.`)
  return slots
}

export function secondsOption(call: Call, name: string, otherwise: number): number {
  const seconds = numberOption(call, name) ?? otherwise
  if (!Number.isFinite(seconds) || seconds < 0)
    throw new UsageError(`--${name} does not accept ${seconds}. Use a number of seconds, at least 0.`)
  return seconds
}
