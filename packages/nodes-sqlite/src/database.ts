/** The part of `DatabaseSync` that this package uses and every SQLite build has, and how to read its errors. */
import { isNodesError } from '@agentm/nodes'
import type { StoreFault } from '@agentm/nodes/store-kit'

export type SqlValue = string | number | bigint | null | Uint8Array
/** A row of a result, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>

export interface Statement {
  run(...values: readonly SqlValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint }
  get(...values: readonly SqlValue[]): Row | undefined
  all(...values: readonly SqlValue[]): Row[]
  iterate(...values: readonly SqlValue[]): IterableIterator<Row>
}

export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  function(
    name: string,
    options: { readonly deterministic?: boolean },
    call: (...values: readonly never[]) => SqlValue,
  ): void
  close(): void
}

export interface SqliteModule {
  DatabaseSync: new (path: string, options?: { readonly readOnly?: boolean }) => Database
}

/** The primary result code of SQLite in an error of either build, or in the cause of an error. */
export function sqliteCode(error: unknown): number | undefined {
  if (isNodesError(error, 'CORRUPT_STORE') || isNodesError(error, 'STORE_FAULT')) return sqliteCode(error.cause)
  if (!(error instanceof Error)) return undefined
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff
  return 'code' in error && error.code === 'ERR_SQLITE_ERROR' ? codeOfMessage(error.message) : undefined
}

/** One build gives no code if a statement fails at a later row. SQLite's messages for these errors never change. */
function codeOfMessage(message: string): number {
  return codes.get(message) ?? sqliteError
}

/** Whether the error says that the file is damaged or is not a database. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === sqliteCorrupt || code === sqliteNotADatabase
}

/** The fault of the disk that caused an error; `undefined` for any other error. */
export function diskFault(error: unknown): StoreFault | undefined {
  return faults.get(sqliteCode(error) ?? 0)
}

const sqliteError = 1
export const sqliteBusy = 5
const sqliteReadonly = 8
const sqliteIo = 10
const sqliteCorrupt = 11
const sqliteFull = 13
const sqliteNotOpened = 14
const sqliteNotADatabase = 26

const codes: ReadonlyMap<string, number> = new Map([
  ['database is locked', sqliteBusy],
  ['attempt to write a readonly database', sqliteReadonly],
  ['disk I/O error', sqliteIo],
  ['database disk image is malformed', sqliteCorrupt],
  ['database or disk is full', sqliteFull],
  ['unable to open database file', sqliteNotOpened],
  ['file is not a database', sqliteNotADatabase],
])

const faults: ReadonlyMap<number, StoreFault> = new Map([
  [sqliteReadonly, 'read-only'],
  [sqliteIo, 'io'],
  [sqliteFull, 'full'],
  [sqliteNotOpened, 'not-opened'],
])
