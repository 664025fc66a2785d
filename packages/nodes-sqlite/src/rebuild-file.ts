/**
 * Rebuilds a log with damaged pages from its history. This needs a new file, because SQLite can neither empty nor drop tables that it
 * cannot read. The history must be undamaged; lost parts of it can only come from a backup.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { type Concept, isNodesError } from '@agentm/nodes'
import { ConceptSet, CorruptStoreError, StoreBusyError, UnsafePlaceError } from '@agentm/nodes/store-kit'
import { attached, attachFile } from './attach-file.ts'
import { Connection } from './connection.ts'
import { sqliteBusy, sqliteCode, type SqliteModule } from './database.ts'
import { findDamage } from './find-damage.ts'
import { loadSqlite } from './load-sqlite.ts'
import { openFile } from './open-file.ts'
import { applicationId, migrations } from './migrations.ts'
import { rebuildStore } from './rebuild-store.ts'
import { checkUnused, replaceFile } from './replace-file.ts'

/** The result of a rebuild: the number of versions, and the path of the old file. */
export interface RebuiltFile {
  /** Number of versions in the rebuilt log, which is all of them. */
  readonly versions: number
  /** Where the damaged log is now. */
  readonly keptAs?: string
}

/** Options of `rebuildSqliteFile`. */
export interface RebuildFileOptions {
  readonly path: string
  readonly concepts: Iterable<Concept>
  readonly now?: () => number
  /** Told how many nodes are done. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/**
 * Rebuilds a log with damaged pages from its history. The old file is kept under another name.
 *
 * @example
 * ```ts
 * import { harnessConcepts } from '@agentm/harness'
 * import { rebuildSqliteFile } from '@agentm/nodes-sqlite/repair'
 *
 * const { versions, keptAs } = await rebuildSqliteFile({ path: 'agentm.db', concepts: harnessConcepts })
 * ```
 */
export async function rebuildSqliteFile({
  path,
  concepts,
  now = Date.now,
  onProgress,
}: RebuildFileOptions): Promise<RebuiltFile> {
  const sqlite = await loadSqlite()
  if (!existsSync(path)) throw new UnsafePlaceError(`there is no log at ${path}.`)
  checkUnused(sqlite, path)
  const copy = `${path}.rebuilding-${randomUUID()}`
  try {
    const versions = writeAnew(sqlite, { path, copy, concepts: new ConceptSet(concepts), now: now(), onProgress })
    const keptAs = replaceFile(sqlite, copy, { path, now: now() })
    return { versions, ...(keptAs !== undefined && { keptAs }) }
  } finally {
    for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true })
  }
}

interface Rewriting {
  readonly path: string
  readonly copy: string
  readonly concepts: ConceptSet
  readonly now: number
  readonly onProgress: RebuildFileOptions['onProgress']
}

function writeAnew(sqlite: SqliteModule, { path, copy, concepts, now, onProgress }: Rewriting): number {
  const guard = keepWritersOut(sqlite, path)
  const { writer, reader } = openFile(sqlite, copy, now)
  reader.close()
  try {
    copyOver(writer, path)
    writer.exec('begin immediate')
    rebuildStore({ writer, concepts }, onProgress)
    writer.exec('commit')
    const left = findDamage((sql) => writer.all(sql), 'main')
    if (left.length > 0) throw new CorruptStoreError(`the rebuilt file for ${path} is damaged: ${left.join('; ')}`)
    writer.exec('pragma wal_checkpoint(truncate)')
    return writer.number('select count(*) from nodes')
  } finally {
    writer.close()
    guard.close()
  }
}

/** Blocks writers, because a version written now would be in neither file. Readers continue. */
function keepWritersOut({ DatabaseSync }: SqliteModule, path: string): Connection {
  const guard = new Connection(new DatabaseSync(path), path)
  try {
    guard.exec('pragma busy_timeout = 1000; begin immediate')
    return guard
  } catch (error) {
    if (isNodesError(error, 'CORRUPT_STORE')) return guard
    guard.close()
    throw sqliteCode(error) === sqliteBusy ? new StoreBusyError(1000, { inUse: path, cause: error }) : error
  }
}

function copyOver(writer: Connection, path: string): void {
  attach(writer, path)
  try {
    checkKnown(writer, path)
    copyHistory(writer, path)
    // Vectors can be computed again. Copying the readable ones saves that work.
    for (const table of ['counters', 'embedders', 'recall']) copyReadable(writer, table)
  } finally {
    writer.exec(`detach ${attached}`)
  }
}

function attach(writer: Connection, path: string): void {
  try {
    attachFile(writer, path, 'rw')
  } catch (error) {
    throw new CorruptStoreError(
      `the beginning of ${path} is damaged, so it cannot be rebuilt. Nothing was changed. ${withoutHistory}`,
      { cause: isNodesError(error) ? error.cause : error },
    )
  }
}

const withoutHistory =
  'Put a backup in its place (agentm log restore FILE); where there is none, move it away, and a new log is begun.'

function checkKnown(writer: Connection, path: string): void {
  const [version, application] = ['user_version', 'application_id'].map((name) =>
    writer.number(`pragma ${attached}.${name}`),
  )
  if (version === migrations.length && application === applicationId) return
  throw new CorruptStoreError(
    `${path} was written by another version of agentm, so it cannot be rebuilt. Restore a backup: agentm log restore FILE`,
  )
}

function copyHistory(writer: Connection, path: string): void {
  try {
    copyRows(writer, 'nodes')
  } catch (error) {
    if (!isNodesError(error, 'CORRUPT_STORE')) throw error
    throw new CorruptStoreError(
      `the history in ${path} is damaged, and it cannot be rebuilt from anything else. Nothing was changed. ${withoutHistory}`,
      { cause: error.cause },
    )
  }
}

function copyReadable(writer: Connection, table: string): void {
  try {
    copyRows(writer, table)
  } catch (error) {
    if (!isNodesError(error, 'CORRUPT_STORE')) throw error
  }
}

/**
 * Copies rows in table order, which needs no index, because any index may be damaged. The limit has no effect except that it keeps SQLite
 * from copying damaged pages unchanged.
 */
function copyRows(writer: Connection, table: string): void {
  // A separate transaction, because a transaction in which a read failed cannot be committed.
  writer.exec(`insert or replace into main.${table} select * from ${attached}.${table} not indexed limit -1`)
}
