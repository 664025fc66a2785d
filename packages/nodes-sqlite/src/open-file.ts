/** Opens the file if its place is safe and it is a log of a known version. Otherwise throws an error that says what to do. */
import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isNodesError } from '@agentm/nodes'
import { CorruptStoreError, StoreNewerError, UnsafePlaceError } from '@agentm/nodes/store-kit'
import { Connection, explained } from './connection.ts'
import { isDamage, type SqliteModule } from './database.ts'
import { giveBackSpace, makeIncremental } from './give-back-space.ts'
import { applicationId, migrations } from './migrations.ts'
import { makePrivateFile } from './make-private-file.ts'
import { checkSafePlace } from './safe-place.ts'

export interface OpenFile {
  readonly writer: Connection
  readonly reader: Connection
  /** True if nothing may be written, not even by the connection that writes. */
  readonly isReadOnly?: true
}

export function openFile({ DatabaseSync }: SqliteModule, path: string, now: number): OpenFile {
  checkSafePlace(path)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const before = identityOf(path)
  if (before === undefined) makePrivateFile(path)
  const opened: Connection[] = []
  const open = () => {
    const database = new DatabaseSync(path)
    // Set first, because every later statement may meet another process that is opening, migrating or recovering the file.
    const connection = new Connection(database, path)
    opened.push(connection)
    connection.exec('pragma busy_timeout = 5000')
    return connection
  }
  try {
    const writer = open()
    prepare(writer, path)
    const reader = open()
    reader.exec('pragma query_only = 1')
    return { writer, reader }
  } catch (error) {
    for (const connection of opened) connection.close()
    if (!isDamage(error)) throw explained(error, path)
    throw setAside(path, { now, before, cause: isNodesError(error) ? error.cause : error })
  }
}

/**
 * Opens the file for reading: creates and renames nothing. Returns `undefined` if no log exists or one is being created, which is the same
 * as empty for a reader. A log of an older version is migrated first.
 */
export function openFileToRead(sqlite: SqliteModule, path: string): OpenFile | undefined {
  if (!existsSync(path)) return undefined
  const { DatabaseSync } = sqlite
  const opened: Connection[] = []
  const open = () => {
    const database = new DatabaseSync(path, { readOnly: true })
    const connection = new Connection(database, path)
    opened.push(connection)
    // The operating system keeps the pages, too. A larger cache saves a reader no time, and a page that is open all day holds it twice.
    connection.exec('pragma busy_timeout = 5000; pragma temp_store = memory; pragma cache_size = -4000')
    return connection
  }
  try {
    const reader = open()
    const found = reader.number('pragma user_version')
    if (found > migrations.length) throw new StoreNewerError(path, found, migrations.length)
    if (found === migrations.length) return { reader, writer: open(), isReadOnly: true }
    reader.close()
    if (found === 0) return undefined
    bringUpToDate(sqlite, path)
    return { reader: open(), writer: open(), isReadOnly: true }
  } catch (error) {
    for (const connection of opened) connection.close()
    throw explained(error, path)
  }
}

function bringUpToDate({ DatabaseSync }: SqliteModule, path: string): void {
  const connection = new Connection(new DatabaseSync(path), path)
  try {
    connection.exec('pragma busy_timeout = 5000')
    migrate(connection, path)
    giveBackSpace(connection)
  } finally {
    connection.close()
  }
}

function prepare(writer: Connection, path: string): void {
  makeIncremental(writer)
  migrate(writer, path)
  const mode = writer.get('pragma journal_mode = wal')?.['journal_mode']
  if (mode !== 'wal')
    throw new UnsafePlaceError(
      `${path} cannot use a write-ahead log (SQLite answered ${String(mode)}). Put the log on a local disk (nodes.url).`,
    )
  giveBackSpace(writer)
  if (process.platform === 'darwin') writer.exec('pragma fullfsync = 1; pragma checkpoint_fullfsync = 1')
  // 8 MB of write-ahead log: large enough that most batches need no checkpoint, and small enough to be reused early, because flushing a
  // file that does not grow is cheaper.
  writer.exec('pragma wal_autocheckpoint = 2000; pragma temp_store = memory; pragma cache_size = -16000')
}

function migrate(writer: Connection, path: string): void {
  const version = () => writer.number('pragma user_version')
  const found = version()
  if (found > migrations.length) throw new StoreNewerError(path, found, migrations.length)
  if (
    writer.number('select count(*) from sqlite_master') > 0 &&
    writer.number('pragma application_id') !== applicationId
  )
    throw new UnsafePlaceError(`${path} is a database of another program. Name another file for the log (nodes.url).`)
  if (found === migrations.length) return
  writer.exec('pragma synchronous = full; begin immediate')
  try {
    // Another process may have migrated while this one waited for the lock.
    for (let step = version(); step < migrations.length; step++) {
      writer.exec(migrations[step] ?? '')
      writer.exec(`pragma user_version = ${step + 1}`)
    }
    writer.exec(`pragma application_id = ${applicationId}`)
    writer.exec('commit')
  } catch (error) {
    writer.exec('rollback')
    throw error
  }
}

/** Renames a file that is not a database, with the files that belong to it, because nothing may overwrite it. */
function setAside(
  path: string,
  { now, before, cause }: { now: number; before: string | undefined; cause: unknown },
): CorruptStoreError {
  // Another process may have renamed it first, and the file there now may be undamaged.
  if (before === undefined || identityOf(path) !== before)
    return new CorruptStoreError(`${path} was damaged, and another process has just replaced it. Open it again.`, {
      cause,
    })
  const stamp = new Date(now).toISOString().replaceAll(/[-:]/g, '').replace('.', '')
  let aside = `${path}.corrupt-${stamp}`
  for (let i = 2; existsSync(aside); i++) aside = `${path}.corrupt-${stamp}-${i}`
  for (const suffix of ['', '-wal', '-shm']) if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix)
  return new CorruptStoreError(
    `${path} is damaged, or is not a database. It was renamed to ${aside}, unchanged. Restore a backup (agentm log restore FILE), or open again to create an empty log.`,
    { cause },
  )
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev}-${found.ino}`
}
