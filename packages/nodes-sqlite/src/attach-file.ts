/**
 * A file that is looked at beside another one, and let go of for certain. One build closes a connection only once its
 * statements are collected, and keeps the file locked until then; what is detached is free at once.
 */
import type { Connection } from './connection.ts'
import type { Row } from './database.ts'

export const attached = 'damaged'

/** Answers what reads the attached file: into a table of this connection, so that no statement stays behind. */
export function attachFile(connection: Connection, path: string, mode: 'ro' | 'rw'): (sql: string) => readonly Row[] {
  const uri = `file:${encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')}?mode=${mode}`
  connection.exec(`attach '${uri.replaceAll("'", "''")}' as ${attached}`)
  return (sql) => {
    connection.exec(`drop table if exists temp.found; create temp table found as ${sql}`)
    return connection.all('select * from temp.found')
  }
}
