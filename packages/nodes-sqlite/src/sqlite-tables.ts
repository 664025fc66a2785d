/**
 * `ByteTables` in one file of its own, beside the log. One connection reads and writes, because every transaction is synchronous.
 * The file holds only what can be made again, so a damaged one is deleted and begun anew.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isNodesError } from '@agentm/nodes'
import {
  CorruptStoreError,
  type ByteRows,
  type ByteTables,
  StoreBusyError,
  StoreClosedError,
  StoreNewerError,
  UnsafePlaceError,
  type WritableByteRows,
} from '@agentm/nodes/store-kit'
import { Connection } from './connection.ts'
import { type SqliteModule, sqliteBusy, sqliteCode } from './database.ts'
import { loadSqlite } from './load-sqlite.ts'
import { makePrivateFile } from './make-private-file.ts'
import { checkSafePlace } from './safe-place.ts'
import { noRows, SqliteRows } from './sqlite-rows.ts'

/** Options of `openSqliteTables`. */
export interface SqliteTablesOptions {
  readonly path: string
  /** Creates nothing; every write is refused. Where there is no file, there are no rows. */
  readonly readOnly?: boolean
  /** How long a write waits for other writers (default: 10 seconds). */
  readonly patienceMs?: number
}

const applicationId = 0x61676e62
const version = 1
const schema = `
  create table spaces (number integer primary key, name text not null unique, revision integer not null) strict;
  pragma user_version = ${version};
  pragma application_id = ${applicationId};`

/**
 * Opens tables of bytes in one file, for data that can be made again, such as an index. Many processes of one machine may use it at once.
 *
 * @example
 * ```ts
 * import { openSqliteTables } from '@agentm/nodes-sqlite/tables'
 * import { mkdtemp } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import path from 'node:path'
 *
 * const tables = await openSqliteTables({ path: path.join(await mkdtemp(path.join(tmpdir(), 'index-')), 'index.db') })
 * await tables.write('words', (rows) => rows.put('lamp', 1, new TextEncoder().encode('in the hall')))
 * console.log(tables.read('words', (rows) => new TextDecoder().decode(rows.get('lamp', 1)))) // in the hall
 * await tables.close()
 * ```
 */
export async function openSqliteTables(options: SqliteTablesOptions): Promise<ByteTables> {
  const path = resolve(options.path)
  const { readOnly = false, patienceMs = 10_000 } = options
  return new SqliteTables(await loadSqlite(), { path, readOnly, patienceMs })
}

class SqliteTables implements ByteTables {
  readonly #sqlite: SqliteModule
  readonly #options: Required<SqliteTablesOptions>
  #connection: Connection | undefined
  #isClosed = false

  constructor(sqlite: SqliteModule, options: Required<SqliteTablesOptions>) {
    this.#sqlite = sqlite
    this.#options = options
    this.#connection = this.#mended(() => this.#opened())
  }

  read<T>(space: string, look: (rows: ByteRows) => T): T {
    this.#checkOpen()
    return this.#mended(() => {
      // A reader that came before the first writer looks again for its file.
      this.#connection ??= this.#opened()
      const connection = this.#connection
      if (connection === undefined) return look(noRows)
      return connection.snapshot(() => look(new SqliteRows(connection, space)))
    })
  }

  async write<T>(
    space: string,
    change: (rows: WritableByteRows) => T,
    { erase = false }: { readonly erase?: boolean } = {},
  ): Promise<T> {
    const done = await this.#patiently(() =>
      this.#mended(() => {
        const connection = this.#writing()
        begin(connection)
        try {
          const rows = new SqliteRows(connection, space)
          rows.advance()
          const answer = change(rows)
          connection.exec('commit')
          return answer
        } catch (error) {
          connection.exec('rollback')
          throw error
        }
      }),
    )
    if (erase) {
      await this.#patiently(() => this.#writing().exec('vacuum'))
      await this.#patiently(() => emptyWriteAheadLog(this.#writing()))
    }
    return done
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    try {
      if (!this.#options.readOnly) this.#connection?.exec('pragma wal_checkpoint(truncate)')
    } catch {
      // Another process still reads. What was written is in the write-ahead log and stays there.
    }
    this.#connection?.close()
  }

  #writing(): Connection {
    this.#checkOpen()
    const connection = this.#connection
    if (this.#options.readOnly || connection === undefined) throw new TypeError('these tables were opened to be read')
    return connection
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new StoreClosedError()
  }

  #opened(): Connection | undefined {
    const { path, readOnly } = this.#options
    return readOnly ? openToRead(this.#sqlite, path) : openToWrite(this.#sqlite, path)
  }

  /** A damaged file is deleted by whoever may write. Its content is made again by the next look at the notes. */
  #mended<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (this.#options.readOnly || !isNodesError(error, 'CORRUPT_STORE')) throw error
      this.#connection?.close()
      deleteDamaged(this.#options.path, error)
      this.#connection = openToWrite(this.#sqlite, this.#options.path)
      return work()
    }
  }

  /** Another process may hold the lock. SQLite's own waiting would block this process meanwhile. */
  async #patiently<T>(work: () => T): Promise<T> {
    const until = performance.now() + this.#options.patienceMs
    for (;;) {
      try {
        return work()
      } catch (error) {
        if (sqliteCode(error) !== sqliteBusy) throw error
        if (performance.now() > until)
          throw new StoreBusyError(this.#options.patienceMs, { inUse: this.#options.path, cause: error })
        await sleep(1 + Math.random() * 15)
      }
    }
  }
}

/** Answers at once if another process writes, because waiting in SQLite would block this one. */
function begin(connection: Connection): void {
  connection.exec('pragma busy_timeout = 0')
  try {
    connection.exec('begin immediate')
  } finally {
    connection.exec('pragma busy_timeout = 5000')
  }
}

function deleteDamaged(path: string, cause: unknown): void {
  try {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
  } catch {
    // Windows deletes no file that a program has open, and one build of SQLite closes a file late.
    throw new CorruptStoreError(
      `${path} is damaged and cannot be deleted now. It is only an index: stop every program that uses it and delete it. It is then made again from the notes.`,
      { cause },
    )
  }
}

function openToWrite(sqlite: SqliteModule, path: string): Connection {
  checkSafePlace(path)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  makePrivateFile(path)
  const connection = new Connection(new sqlite.DatabaseSync(path), path)
  try {
    // Set first, because another process may be creating the file. Reads wait as well while another one recovers it after a crash.
    connection.exec('pragma busy_timeout = 5000')
    checkOwn(connection, path)
    connection.get('pragma journal_mode = wal')
    // The operating system keeps the pages, too: with 8 MB, a question over 20,000 notes takes as long.
    connection.exec('pragma synchronous = normal; pragma temp_store = memory; pragma cache_size = -4000')
    prepare(connection, path)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

function openToRead(sqlite: SqliteModule, path: string): Connection | undefined {
  let connection: Connection | undefined
  try {
    connection = new Connection(new sqlite.DatabaseSync(path, { readOnly: true }), path)
    connection.exec('pragma busy_timeout = 5000; pragma cache_size = -4000')
    if (isOwn(connection) && connection.number('pragma user_version') === version) return connection
  } catch {
    // There is no file yet, or none that can be read. Then the notes are read without an index.
  }
  connection?.close()
  return undefined
}

function prepare(connection: Connection, path: string): void {
  if (connection.number('pragma user_version') === version) return
  connection.exec('begin immediate')
  try {
    const found = connection.number('pragma user_version')
    if (found > version) throw new StoreNewerError(path, found, version)
    if (found === 0) connection.exec(schema)
    connection.exec('commit')
  } catch (error) {
    connection.exec('rollback')
    throw error
  }
}

function isOwn(connection: Connection): boolean {
  return connection.number('pragma application_id') === applicationId
}

function checkOwn(connection: Connection, path: string): void {
  if (!isOwn(connection) && connection.number('select count(*) from sqlite_master') > 0)
    throw new UnsafePlaceError(`${path} is another database, not an index of notes. Move it away.`)
}

function emptyWriteAheadLog(connection: Connection): void {
  const busy = connection.get('pragma wal_checkpoint(truncate)')?.['busy']
  if (busy !== 0) throw Object.assign(new Error('the write-ahead log is still being read'), { errcode: sqliteBusy })
}
