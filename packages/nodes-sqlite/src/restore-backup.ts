/** Puts a copy made by `backup` in the place of a log. What was there is kept under another name, and named. */
import { randomUUID } from 'node:crypto'
import { closeSync, copyFileSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { CorruptStoreError, StoreBusyError, StoreNewerError, UnsafePlaceError } from '@agentm/nodes'
import type { FilePath } from '@agentm/vault-lock'
import { Connection, explained } from './connection.ts'
import { isDamage, sqliteBusy, sqliteCode, type SqliteModule } from './database.ts'
import { loadSqlite } from './load-sqlite.ts'
import { applicationId, migrations } from './migrations.ts'
import { checkSafePlace } from './safe-place.ts'

export interface RestoredBackup {
  /** Where the log that was there is now; absent where there was none. */
  readonly keptAs?: string
}

export async function restoreSqliteBackup(
  from: FilePath,
  { path, now = Date.now }: { readonly path: FilePath; readonly now?: () => number },
): Promise<RestoredBackup> {
  const sqlite = await loadSqlite()
  checkSafePlace(path)
  checkBackup(sqlite, from)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const copy = `${path}.restoring-${randomUUID()}`
  try {
    copyFileSync(from, copy)
    flush(copy, 'r+')
    checkUnused(sqlite, path)
    const keptAs = keep(path, now())
    renameSync(copy, path)
    if (process.platform !== 'win32') flush(dirname(path), 'r')
    return keptAs === undefined ? {} : { keptAs }
  } finally {
    rmSync(copy, { force: true })
  }
}

/** Read from first page to last before anything is moved. */
function checkBackup({ DatabaseSync }: SqliteModule, from: string): void {
  if (!existsSync(from))
    throw new UnsafePlaceError(`there is no backup at ${from}. Name the file that log backup wrote.`)
  const connection = new Connection(new DatabaseSync(from, { readOnly: true }), from)
  try {
    const version = connection.number('pragma user_version')
    if (connection.number('pragma application_id') !== applicationId)
      throw new UnsafePlaceError(`${from} is no log of this program. Name the file that log backup wrote.`)
    if (version > migrations.length) throw new StoreNewerError(from, version, migrations.length)
    const found = connection.all('pragma integrity_check').map((row) => String(Object.values(row)[0]))
    if (found.some((line) => line !== 'ok'))
      throw new CorruptStoreError(
        `${from} is damaged: ${found.slice(0, 3).join('; ')}. Nothing was changed; take another backup.`,
      )
  } finally {
    connection.close()
  }
}

/** Whoever has the file open would go on writing into the one that is put aside. A damaged file cannot be asked. */
function checkUnused({ DatabaseSync }: SqliteModule, path: string): void {
  if (!existsSync(path)) return
  const connection = new Connection(new DatabaseSync(path), path)
  try {
    // Leaving the mode needs the file for oneself, and takes the write-ahead log into it.
    connection.exec('pragma busy_timeout = 1000; pragma journal_mode = delete')
  } catch (error) {
    if (sqliteCode(error) === sqliteBusy) throw new StoreBusyError(1000, { cause: error })
    if (!isDamage(error)) throw explained(error, path)
  } finally {
    connection.close()
  }
}

function keep(path: string, now: number): string | undefined {
  const there = ['', '-wal', '-shm'].filter((suffix) => existsSync(path + suffix))
  const stamp = new Date(now).toISOString().replaceAll(/[-:]/g, '').replace('.', '')
  let aside = `${path}.replaced-${stamp}`
  for (let i = 2; existsSync(aside); i++) aside = `${path}.replaced-${stamp}-${i}`
  for (const suffix of there) renameSync(path + suffix, aside + suffix)
  return there.includes('') ? aside : undefined
}

function flush(place: string, how: 'r' | 'r+'): void {
  const descriptor = openSync(place, how)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
