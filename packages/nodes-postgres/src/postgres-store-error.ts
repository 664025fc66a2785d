/** Errors between this process and its server, in addition to those of every node store. Callers compare `code`. */
export const postgresErrorCodes = [
  'SERVER_UNREACHABLE',
  'SERVER_TOO_OLD',
  'CREDENTIALS_REFUSED',
  'DATABASE_ABSENT',
  'PRIVILEGE_ABSENT',
  'SCHEMA_ABSENT',
  'INVALID_URL',
  'OUTCOME_UNKNOWN',
  'STATEMENT_TIMEOUT',
] as const

/** The codes of the errors between this process and its server. */
export type PostgresErrorCode = (typeof postgresErrorCodes)[number]

/** The server cannot be used. `server` says which one, without credentials. */
export class PostgresStoreError extends Error {
  override readonly name = 'PostgresStoreError'
  readonly code: PostgresErrorCode
  /** The server, without credentials. */
  readonly server: string
  constructor(code: PostgresErrorCode, server: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.server = server
  }
}

/** The schema is older than this program or absent, and migration is turned off. */
export class SchemaBehindError extends PostgresStoreError {
  /** The version of the schema; 0 if there is none. */
  readonly found: number
  readonly known: number
  constructor(
    server: string,
    { schema, found, known }: { readonly schema: string; readonly found: number; readonly known: number },
  ) {
    super(
      'SCHEMA_ABSENT',
      server,
      `schema ${schema} at ${server} has version ${found}, but version ${known} is needed, and migrate is false. Apply the output of printMigrations(), or open it with migrate.`,
    )
    this.found = found
    this.known = known
  }
}
