/**
 * The one SQLite this process uses, behind the `DatabaseSync` interface: Node's own where it has it, otherwise the same
 * interface from `@photostructure/sqlite`. Never both: two builds in one process lose each other's file locks.
 */
import type { SqliteModule } from './database.ts'

export async function loadSqlite(): Promise<SqliteModule> {
  const builtin = builtinSqlite()
  return builtin ?? (await import('@photostructure/sqlite'))
}

function builtinSqlite(): SqliteModule | undefined {
  // On a Node without it this answers undefined, where an import would throw and a version check would guess.
  const { getBuiltinModule } = process as { getBuiltinModule?: (name: string) => unknown }
  return getBuiltinModule?.('node:sqlite') as SqliteModule | undefined
}
