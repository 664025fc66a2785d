/** Reads the database of claude-mem: observations and summaries of sessions, oldest first. */
import type { ForeignFile, Row } from '@agentm/nodes-sqlite/foreign'
import type { Read } from './import-entry.ts'
import { ImportFileError } from './import-file-error.ts'
import type { ImportSource } from './import-source.ts'
import { isClaudeMem, observationEntry, summaryEntry } from './pure/claude-mem-entries.ts'
import { sourceFile } from './source-file.ts'

export async function* readClaudeMem(source: ImportSource): AsyncGenerator<Read> {
  const { path } = await sourceFile(source, ['claude-mem.db'])
  const { openForeignFile } = await import('@agentm/nodes-sqlite/foreign')
  const opened = await openForeignFile(path).catch((cause: unknown) => refuse(path, cause))
  try {
    const tables = opened.rows("select name from sqlite_master where type = 'table'")
    if (!isClaudeMem(tables)) throw new ImportFileError({ file: path }, 'it is not a database of claude-mem.')
    for (const row of rowsOf(opened, 'observations')) yield observationEntry(row)
    if (!tables.some(({ name }) => name === 'session_summaries')) return
    for (const row of rowsOf(opened, 'session_summaries')) yield summaryEntry(row)
  } catch (cause) {
    throw cause instanceof ImportFileError ? cause : refused(path, cause)
  } finally {
    opened.close()
  }
}

const rowsAtOnce = 500

function* rowsOf(opened: ForeignFile, table: 'observations' | 'session_summaries'): Generator<Row> {
  for (let after = -1; ;) {
    const rows = opened.rows(`select * from ${table} where id > ? order by id limit ${rowsAtOnce}`, after)
    yield* rows
    if (rows.length < rowsAtOnce) return
    after = Number(rows.at(-1)?.['id'])
  }
}

function refuse(file: string, cause: unknown): never {
  throw refused(file, cause)
}

/** The message of SQLite says what is wrong: no database, damaged, locked. */
function refused(file: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || !/sqlite/i.test(String((cause as { code?: unknown }).code))) return cause
  return new ImportFileError({ file }, `SQLite cannot read it: ${cause.message}.`, { cause })
}
