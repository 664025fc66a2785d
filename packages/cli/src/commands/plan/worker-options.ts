import { type Call, UsageError } from '../../command.ts'

export const streamOption = { help: 'print what models say as they say it (default on a terminal)' }

/** Where a server listens: a port of this machine alone, or of the address before it. */
export interface ListenPlace {
  readonly port: number
  readonly host?: string
}

export function listenOption({ get }: Call, name: string): ListenPlace | undefined {
  const text = get(name)?.trim()
  if (text === undefined) return undefined
  const [, host, digits = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits === '' || port > 65_535)
    throw new UsageError(`--${name} does not accept ${text}. Use a port number from 0 to 65535, or HOST:PORT.`)
  return { port, ...(host !== undefined && { host: host.replaceAll(/[[\]]/g, '') }) }
}
