/**
 * Where to connect, from a URL. A password in the URL is refused, because URLs end up in configuration files, logs and process lists. The
 * password comes from the environment, where the driver and other PostgreSQL programs read it.
 */
import { PostgresStoreError } from '../postgres-store-error.ts'

export interface ConnectionTarget {
  readonly connectionString: string
  /** Host, port and database, for messages. It contains no secret. */
  readonly server: string
  readonly database: string
  readonly user: string | undefined
}

export function connectionTarget(url: string): ConnectionTarget {
  const parsed = parsedUrl(url)
  const host = parsed.searchParams.get('host') ?? decodeURIComponent(parsed.hostname)
  const port = parsed.searchParams.get('port') ?? parsed.port
  const database = decodeURIComponent(parsed.pathname.slice(1))
  const server = `${host === '' ? 'the default host' : host}${port === '' ? '' : `:${port}`}/${database}`
  if (parsed.password !== '' || parsed.searchParams.has('password'))
    throw new PostgresStoreError(
      'INVALID_URL',
      server,
      `the URL for ${server} holds a password. Take it out, change it if the URL was ever shared, and set PGPASSWORD or PGPASSFILE in the environment instead.`,
    )
  const user = parsed.username === '' ? undefined : decodeURIComponent(parsed.username)
  return { connectionString: url, server, database, user }
}

function parsedUrl(url: string): URL {
  try {
    const parsed = new URL(url)
    if (parsed.protocol === 'postgres:' || parsed.protocol === 'postgresql:') return parsed
  } catch {
    // The parser's own message repeats the URL, and with it whatever secret it may hold.
  }
  throw new PostgresStoreError(
    'INVALID_URL',
    'an unreadable URL',
    'the URL of the node store cannot be read. Write it as postgres://user@host:5432/database, without a password.',
  )
}

/** Removes a secret from a text, for messages of programs that may repeat their input. */
export function redactSecret(text: string, secret: string | undefined): string {
  const plain = text.replaceAll(/(postgres(?:ql)?:\/\/[^:/@\s]*):[^@\s]*@/g, '$1:***@')
  return secret === undefined || secret === '' ? plain : plain.replaceAll(secret, '***')
}
