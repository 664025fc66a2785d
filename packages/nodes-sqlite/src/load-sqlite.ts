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
  return withoutItsWarning(() => getBuiltinModule?.('node:sqlite') as SqliteModule | undefined)
}

/**
 * Node 22 warns on the error stream, of every process that loads it, that its SQLite is experimental. Whoever runs a command or
 * a hook can do nothing about that. Every other warning is given.
 */
function withoutItsWarning<T>(load: () => T): T {
  const emitWarning = process.emitWarning.bind(process)
  const own = Object.getOwnPropertyDescriptor(process, 'emitWarning')
  const giveOthers = (warning: string | Error, ...rest: [never]) => {
    if (!/^SQLite is an experimental feature\b/.test(String(warning))) emitWarning(warning, ...rest)
  }
  Object.defineProperty(process, 'emitWarning', { value: giveOthers, configurable: true, writable: true })
  try {
    return load()
  } finally {
    if (own === undefined) Reflect.deleteProperty(process, 'emitWarning')
    else Object.defineProperty(process, 'emitWarning', own)
  }
}
