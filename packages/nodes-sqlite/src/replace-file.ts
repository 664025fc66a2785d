/** Puts another file in the place of a log. What was there is kept under another name; nobody may be using it. */
import { closeSync, existsSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { StoreBusyError } from '@agentm/nodes/store-kit'
import { Connection, explained } from './connection.ts'
import { isDamage, sqliteBusy, sqliteCode, type SqliteModule } from './database.ts'

/** Answers where the log that was there is now; nothing where there was none. */
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

/** Whoever has the file open would go on writing into the one that is put aside. A damaged file cannot be asked. */
export function checkUnused({ DatabaseSync }: SqliteModule, path: string): void {
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
