/**
 * The one SQLite this process uses, behind the `DatabaseSync` interface: Node's own where it has it, otherwise the same
 * interface from `@photostructure/sqlite`. Never both: two builds in one process lose each other's file locks.
 */
export type SqlValue = string | number | bigint | null | Uint8Array
export type Row = Readonly<Record<string, unknown>>

export interface Statement {
  run(...values: readonly SqlValue[]): { readonly changes: number | bigint }
  get(...values: readonly SqlValue[]): Row | undefined
  all(...values: readonly SqlValue[]): Row[]
  iterate(...values: readonly SqlValue[]): IterableIterator<Row>
}

export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  function(name: string, options: { readonly deterministic?: boolean }, call: (value: Uint8Array) => number): void
  close(): void
}

export interface SqliteModule {
  DatabaseSync: new (path: string, options?: { readonly readOnly?: boolean }) => Database
}

export async function loadSqlite(): Promise<SqliteModule> {
  const builtin = builtinSqlite()
  return builtin ?? (await import('@photostructure/sqlite'))
}

function builtinSqlite(): SqliteModule | undefined {
  // On a Node without it this answers undefined, where an import would throw and a version check would guess.
  const { getBuiltinModule } = process as { getBuiltinModule?: (name: string) => unknown }
  return getBuiltinModule?.('node:sqlite') as SqliteModule | undefined
}

/** SQLite's primary result code in an error of either build. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode & 0xff
}

export const sqliteBusy = 5
export const sqliteCorrupt = 11
export const sqliteNotADatabase = 26
