/**
 * The one SQLite this process uses, behind the `DatabaseSync` interface: Node's own where it has it, otherwise the same
 * interface from `@agentm/sqlite-node20`, which a newer Node does not install. Never both: two builds in one process lose each other's file locks.
 */
import type { SqliteModule } from './database.ts'

export async function loadSqlite(): Promise<SqliteModule> {
  const builtin = builtinSqlite()
  return (
    builtin ??
    (await import('@agentm/sqlite-node20').catch((error: unknown) => {
      if ((error as { code?: unknown } | null)?.code === 'ERR_MODULE_NOT_FOUND') throw new SqliteAbsentError(error)
      throw error
    }))
  )
}

/** The packages were installed with a Node that has SQLite, and this one has none. */
export class SqliteAbsentError extends Error {
  override readonly name = 'SqliteAbsentError'
  readonly code = 'SQLITE_ABSENT'
  constructor(cause: unknown) {
    super(
      `Node ${process.versions.node} has no SQLite, and the package @agentm/sqlite-node20 is not installed, probably because agentm was installed with a newer Node. Install it again with this Node, or use Node 22.13 or newer.`,
      { cause },
    )
  }
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
