/** Faults between this process and its server in words that say what to do; anything else passes through as it is. */
import { type PostgresErrorCode, PostgresStoreError } from './postgres-store-error.ts'
import { type ConnectionTarget, redactSecret } from './pure/connection-target.ts'
import type { FaultKind } from './pure/fault-kind.ts'

export function explainedFault(error: unknown, kind: FaultKind, target: ConnectionTarget): unknown {
  const told = words(kind, target)
  if (told === undefined) return error
  const [code, message] = told
  const said = redactSecret(error instanceof Error ? error.message : String(error), process.env['PGPASSWORD'])
  // The cause is told in words and not attached: the driver's errors carry the connection and its password.
  return new PostgresStoreError(code, target.server, `${message} (${said === '' ? 'no answer' : said})`)
}

function words(kind: FaultKind, { server, user, database }: ConnectionTarget): [PostgresErrorCode, string] | undefined {
  const who = user === undefined ? 'this user' : `user ${user}`
  switch (kind) {
    case 'unreachable':
    case 'shutdown':
      return [
        'SERVER_UNREACHABLE',
        `no PostgreSQL server answers at ${server}. Start it, or correct the address in nodes.url or AGENTM_NODES_URL.`,
      ]
    case 'cut':
      return [
        'OUTCOME_UNKNOWN',
        `the connection to ${server} broke while something was being written. It may have happened or not: read it again before repeating it.`,
      ]
    case 'credentials':
      return [
        'CREDENTIALS_REFUSED',
        `${server} does not let ${who} in. Set PGPASSWORD or PGPASSFILE in the environment, or correct the user in the URL.`,
      ]
    case 'database':
      return ['DATABASE_ABSENT', `there is no database at ${server}. Create it: createdb ${database}`]
    case 'privilege':
      return [
        'PRIVILEGE_ABSENT',
        `${who} may not do this at ${server}. Let its administrator run: grant create on database ${database} to ${user ?? 'USER'}`,
      ]
    default:
      return undefined
  }
}
