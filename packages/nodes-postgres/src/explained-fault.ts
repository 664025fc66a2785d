/** Turns connection faults into errors that say what to do. Other errors pass through. */
import { type PostgresErrorCode, PostgresStoreError } from './postgres-store-error.ts'
import { type ConnectionTarget, redactSecret } from './pure/connection-target.ts'
import type { FaultKind } from './pure/fault-kind.ts'

interface Fault {
  readonly kind: FaultKind
  /** True if the outcome of the statement does not matter: it only read, or nothing was committed. */
  readonly isCertain: boolean
  readonly target: ConnectionTarget
}

export function explainedFault(error: unknown, fault: Fault): unknown {
  const told = words(fault)
  if (told === undefined) return error
  const [code, message] = told
  const said = redactSecret(error instanceof Error ? error.message : String(error), process.env['PGPASSWORD'])
  // The cause is given as text and not attached, because the driver's errors contain the connection and its password.
  return new PostgresStoreError(code, fault.target.server, `${message} (${said === '' ? 'no answer' : said})`)
}

function words({ kind, isCertain, target }: Fault): [PostgresErrorCode, string] | undefined {
  const { server, user, database } = target
  const who = user === undefined ? 'this user' : `user ${user}`
  const unreachable: [PostgresErrorCode, string] = [
    'SERVER_UNREACHABLE',
    `no PostgreSQL server answers at ${server}. Start it, or correct the address in nodes.url or AGENTM_NODES_URL.`,
  ]
  switch (kind) {
    case 'unreachable':
    case 'shutdown':
      return unreachable
    case 'cut':
    case 'silent':
      return isCertain
        ? unreachable
        : [
            'OUTCOME_UNKNOWN',
            `the connection to ${server} broke while something was being written. It may have happened or not: read it again before repeating it.`,
          ]
    case 'timeout':
      return [
        'STATEMENT_TIMEOUT',
        `the server at ${server} gave up a statement that took too long, so nothing of it was written. Try again when the server is less busy, or allow more with statementTimeoutMs.`,
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
