/**
 * Attaches a second file to a connection, so that it can be released for certain. One SQLite build closes a connection only after its
 * statements were garbage-collected, and keeps the file locked until then. A detached file is released at once.
 */
import type { Connection } from './connection.ts'
import type { Row } from './database.ts'

export const attached = 'damaged'

/** Returns a function that reads the attached file. It reads into a table of this connection, so that no statement keeps the file open. */
export function attachFile(connection: Connection, path: string, mode: 'ro' | 'rw'): (sql: string) => readonly Row[] {
  const uri = `file:${encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')}?mode=${mode}`
  connection.exec(`attach '${uri.replaceAll("'", "''")}' as ${attached}`)
  return (sql) => {
    connection.exec(`drop table if exists temp.found; create temp table found as ${sql}`)
    return connection.all('select * from temp.found')
  }
}
