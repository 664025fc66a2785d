/**
 * Loads the one SQLite of this process, behind the `DatabaseSync` interface: the built-in one of Node if it exists, otherwise
 * `@agentm/sqlite-node20`, which is not installed with newer versions of Node. Never both, because two builds in one process break each
 * other's file locks.
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

/** Thrown if the packages were installed with a Node that has SQLite, but this Node has none. */
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
  // Returns undefined on a Node without SQLite. An import would throw, and a version check might be wrong.
  const { getBuiltinModule } = process as { getBuiltinModule?: (name: string) => unknown }
  return withoutItsWarning(() => getBuiltinModule?.('node:sqlite') as SqliteModule | undefined)
}

/**
 * Suppresses Node 22's warning that its SQLite is experimental, because users of a command or a hook cannot act on it. All other warnings
 * are shown.
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
