import { existsSync } from 'node:fs'
import { attached, attachFile } from './attach-file.ts'
import { Connection, explained } from './connection.ts'
import { isDamage, type SqliteModule } from './database.ts'
import { findDamage } from './find-damage.ts'
import { loadSqlite } from './load-sqlite.ts'

/** Describes damaged pages of a log in words; an empty list if it is undamaged or does not exist. Changes nothing. */
export async function findSqliteDamage(path: string): Promise<readonly string[]> {
  if (!existsSync(path)) return []
  const sqlite = await loadSqlite()
  const connection = new Connection(new sqlite.DatabaseSync(':memory:'), path)
  try {
    connection.exec('pragma busy_timeout = 5000')
    const read = attachFile(connection, path, 'ro')
    try {
      return findDamage(read, attached)
    } finally {
      connection.exec(`detach ${attached}`)
    }
  } catch (error) {
    if (isUnreadable(sqlite, path)) return ['it is no database']
    throw error
  } finally {
    connection.close()
  }
}

/** Attaching a file fails without an error code that gives the reason, so the file is opened by itself. */
function isUnreadable({ DatabaseSync }: SqliteModule, path: string): boolean {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    database.exec('select count(*) from sqlite_master')
    return false
  } catch (error) {
    if (isDamage(error)) return true
    throw explained(error, path)
  } finally {
    database.close()
  }
}
