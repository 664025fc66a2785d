/** Opens a SQLite file with the SQLite of Node, for reading only. */
import type { OpenDatabase } from './host-surroundings.ts'
import { SqliteAbsentError } from './transcript-errors.ts'

interface SqliteModule {
  readonly DatabaseSync: new (
    file: string,
    options: { readonly readOnly: boolean },
  ) => {
    prepare(sql: string): { all(...values: readonly (string | number)[]): unknown[] }
    exec(sql: string): void
    close(): void
  }
}

/** Opens a SQLite file with the SQLite of Node. */
export const openSqlite: OpenDatabase = async (file) => {
  // Returns undefined on a Node without SQLite. An import would throw, and a version check might be wrong.
  const { getBuiltinModule } = process as { getBuiltinModule?: (name: string) => unknown }
  const sqlite = getBuiltinModule?.('node:sqlite') as SqliteModule | undefined
  if (sqlite === undefined) throw new SqliteAbsentError()
  const database = new sqlite.DatabaseSync(file, { readOnly: true })
  database.exec('PRAGMA busy_timeout = 2000')
  return {
    all: (sql, ...values) => database.prepare(sql).all(...values) as readonly Readonly<Record<string, unknown>>[],
    close: () => {
      database.close()
    },
  }
}
