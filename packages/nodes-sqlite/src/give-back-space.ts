/**
 * Rewrites a file of which most is free space, as after an upgrade that deleted much. SQLite would only reuse that space. Free space does
 * no harm, so whatever keeps the file from being rewritten, such as another process that writes, leaves it to the next opening. The
 * rewritten file can give back its free pages by itself from then on.
 */
import type { Connection } from './connection.ts'

/** Less free space than this is not worth the rewriting. */
const fewBytes = 16 * 2 ** 20

/** Writers wait while a file is rewritten, so more than this is not rewritten. It takes about a second. */
const mostBytes = 256 * 2 ** 20

export function giveBackSpace(writer: Connection): void {
  if (!isMostlyFree(writer)) return
  const patience = writer.number('pragma busy_timeout')
  try {
    writer.exec('pragma busy_timeout = 0; pragma auto_vacuum = incremental; vacuum; pragma wal_checkpoint(truncate)')
  } catch {
    // The file is as it was.
  } finally {
    writer.exec(`pragma busy_timeout = ${patience}`)
  }
}

/** A new file can give back free pages a few at a time. Of an older one, only the next rewriting makes such a file. */
export function makeIncremental(writer: Connection): void {
  // The statement alone would write to a file that has it already, also to one of a newer program.
  if (writer.number('pragma page_count') === 0) writer.exec('pragma auto_vacuum = incremental')
}

/** Whether the file can give back free pages a few at a time. Files that were made before that was so cannot. */
export function isIncremental(writer: Connection): boolean {
  return writer.number('pragma auto_vacuum') === 2
}

function isMostlyFree(writer: Connection): boolean {
  const bytes = writer.number('pragma page_size')
  const free = writer.number('pragma freelist_count')
  const used = writer.number('pragma page_count') - free
  return free * bytes > fewBytes && free > used && used * bytes < mostBytes
}
