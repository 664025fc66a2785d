/** The one SQLite of the test process: that of Node, or the one that stands in for it on Node 20. */
import type { OpenDatabase } from '@agentm/transcripts'

interface Database {
  prepare(sql: string): { all(...values: readonly unknown[]): unknown[]; run(...values: readonly unknown[]): unknown }
  exec(sql: string): void
  close(): void
}

type DatabaseClass = new (file: string, options?: { readonly readOnly?: boolean }) => Database

async function load(): Promise<DatabaseClass> {
  const { getBuiltinModule } = process as { getBuiltinModule?: (name: string) => unknown }
  const builtin = getBuiltinModule?.('node:sqlite') as { readonly DatabaseSync: DatabaseClass } | undefined
  return builtin?.DatabaseSync ?? (await import('@photostructure/sqlite')).DatabaseSync
}

/** A database that a test writes, as opencode would. */
export async function openForWriting(file: string): Promise<Database> {
  const database = new (await load())(file)
  // A test writes rows without the tables around them.
  database.exec('PRAGMA foreign_keys = OFF')
  return database
}

/** How the sessions of opencode are read on every version of Node. */
export const openDatabase: OpenDatabase = async (file) => {
  const database = new (await load())(file, { readOnly: true })
  return {
    all: (sql, ...values) => database.prepare(sql).all(...values) as readonly Readonly<Record<string, unknown>>[],
    close: () => {
      database.close()
    },
  }
}
