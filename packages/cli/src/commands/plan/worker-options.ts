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

export function portOption(call: Call, name: string): number | undefined {
  const port = numberOption(call, name)
  if (port !== undefined && (!Number.isInteger(port) || port < 0 || port > 65_535))
    throw new UsageError(`--${name} does not accept ${port}. Use a port number from 0 to 65535.`)
  return port
}
