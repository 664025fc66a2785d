/**
 * Reads a SQLite file of another program. Nothing is written to it, and programs that use it are not disturbed. SQLite itself may put its two
 * working files beside it.
 */
import type { Row, SqlValue } from './database.ts'
import { loadSqlite } from './load-sqlite.ts'

export type { Row } from './database.ts'

/** A SQLite file of another program, open for reading. */
export interface ForeignFile {
  /** All rows of a query. Ask for many in parts, because they are read at once. */
  rows(sql: string, ...values: readonly SqlValue[]): readonly Row[]
  close(): void
}

/**
 * Opens a SQLite file of another program for reading.
 *
 * @example
 * ```ts
 * import { openForeignFile } from '@agentm/nodes-sqlite/foreign'
 * import { openSqliteTables } from '@agentm/nodes-sqlite/tables'
 * import { mkdtemp } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import path from 'node:path'
 *
 * const file = path.join(await mkdtemp(path.join(tmpdir(), 'other-')), 'other.db')
 * const tables = await openSqliteTables({ path: file })
 * await tables.write('words', (rows) => rows.put('lamp', 1, new Uint8Array([1])))
 * await tables.close()
 * const other = await openForeignFile(file)
 * console.log(other.rows('select name from spaces').length) // 1
 * other.close()
 * ```
 */
export async function openForeignFile(path: string): Promise<ForeignFile> {
  const { DatabaseSync } = await loadSqlite()
  const database = new DatabaseSync(path, { readOnly: true })
  return {
    rows: (sql, ...values) => database.prepare(sql).all(...values),
    close: () => database.close(),
  }
}
