/** Replaces a log by a copy that `backup` made. The old log is kept under another name, which is returned. */
import { randomUUID } from 'node:crypto'
import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { CorruptStoreError, StoreNewerError, UnsafePlaceError } from '@agentm/nodes/store-kit'
import { Connection } from './connection.ts'
import type { SqliteModule } from './database.ts'
import { loadSqlite } from './load-sqlite.ts'
import { applicationId, migrations } from './migrations.ts'
import { replaceFile } from './replace-file.ts'
import { checkSafePlace } from './safe-place.ts'

/** Where the file is that a restored backup replaced. */
export interface RestoredBackup {
  /** The path of the old log; absent if there was none. */
  readonly keptAs?: string
}

/**
 * Puts a backup in the place of a log. The old file is kept under another name.
 *
 * @example
 * ```ts
 * import { restoreSqliteBackup } from '@agentm/nodes-sqlite/repair'
 *
 * const { keptAs } = await restoreSqliteBackup('agentm.backup', { path: 'agentm.db' })
 * ```
 */
export async function restoreSqliteBackup(
  from: string,
  { path, now = Date.now }: { readonly path: string; readonly now?: () => number },
): Promise<RestoredBackup> {
  const sqlite = await loadSqlite()
  checkSafePlace(path)
  checkBackup(sqlite, from)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const copy = `${path}.restoring-${randomUUID()}`
  try {
    copyFileSync(from, copy)
    const keptAs = replaceFile(sqlite, copy, { path, now: now() })
    return keptAs === undefined ? {} : { keptAs }
  } finally {
    rmSync(copy, { force: true })
  }
}

/** Reads the backup from the first page to the last before any file is moved. */
function checkBackup({ DatabaseSync }: SqliteModule, from: string): void {
  if (!existsSync(from))
    throw new UnsafePlaceError(`there is no backup at ${from}. Name a file that agentm log backup wrote.`)
  if (isServerBackup(from))
    throw new UnsafePlaceError(
      `${from} is a backup of a log on a PostgreSQL server, but the log here is a file. Set nodes.url to an empty database, then restore it.`,
    )
  const connection = new Connection(new DatabaseSync(from, { readOnly: true }), from)
  try {
    const version = connection.number('pragma user_version')
    if (connection.number('pragma application_id') !== applicationId)
      throw new UnsafePlaceError(`${from} is not a log of agentm. Name a file that agentm log backup wrote.`)
    if (version > migrations.length) throw new StoreNewerError(from, version, migrations.length)
    const found = connection.all('pragma integrity_check').map((row) => String(Object.values(row)[0]))
    if (found.some((line) => line !== 'ok'))
      throw new CorruptStoreError(
        `${from} is damaged: ${found.slice(0, 3).join('; ')}. Nothing was changed. Use another backup.`,
      )
  } finally {
    connection.close()
  }
}

/** A log on PostgreSQL is backed up as lines of JSON, and the first line says so. */
function isServerBackup(from: string): boolean {
  const beginning = Buffer.alloc(256)
  const descriptor = openSync(from, 'r')
  try {
    readSync(descriptor, beginning)
  } finally {
    closeSync(descriptor)
  }
  return beginning.toString('latin1').startsWith('{"agentm":"nodes-postgres"')
}
