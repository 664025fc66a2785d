/** What goes wrong between this process and its server, beside what every node store refuses. Callers compare `code`. */
export const postgresErrorCodes = [
  'SERVER_UNREACHABLE',
  'SERVER_TOO_OLD',
  'CREDENTIALS_REFUSED',
  'DATABASE_ABSENT',
  'PRIVILEGE_ABSENT',
  'SCHEMA_ABSENT',
  'INVALID_URL',
  'OUTCOME_UNKNOWN',
] as const

export type PostgresErrorCode = (typeof postgresErrorCodes)[number]

export class PostgresStoreError extends Error {
  override readonly name = 'PostgresStoreError'
  readonly code: PostgresErrorCode
  /** Where, without credentials. */
  readonly server: string
  constructor(code: PostgresErrorCode, server: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.server = server
  }
}
