/** Replaces a log by another file. The old file is kept under another name. No process may be using it. */
import { closeSync, existsSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { StoreBusyError } from '@agentm/nodes/store-kit'
import { Connection, explained } from './connection.ts'
import { isDamage, sqliteBusy, sqliteCode, type SqliteModule } from './database.ts'

/** Returns the path of the old log; `undefined` if there was none. */
export function replaceFile(
  sqlite: SqliteModule,
  copy: string,
  { path, now }: { readonly path: string; readonly now: number },
): string | undefined {
  flush(copy, 'r+')
  checkUnused(sqlite, path)
  const keptAs = keep(path, now)
  renameSync(copy, path)
  if (process.platform !== 'win32') flush(dirname(path), 'r')
  return keptAs
}

/**
 * Throws if a process has the file open, because it would continue to write into the old file. This cannot be checked for a damaged file.
 */
export function checkUnused({ DatabaseSync }: SqliteModule, path: string): void {
  if (!existsSync(path)) return
  const connection = new Connection(new DatabaseSync(path), path)
  try {
    // Leaving WAL mode needs exclusive access, and copies the write-ahead log into the file.
    connection.exec('pragma busy_timeout = 1000; pragma journal_mode = delete')
  } catch (error) {
    if (sqliteCode(error) === sqliteBusy) throw new StoreBusyError(1000, { inUse: path, cause: error })
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
