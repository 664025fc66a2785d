/** Opens a node store in one file. Several processes may open it at the same time. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Concept, Durability, NodeStore, StoreRuntime } from '@agentm/nodes'
import { ConceptSet } from '@agentm/nodes/store-kit'
import { resolve } from 'node:path'
import { ChangeSignal } from './change-signal.ts'
import type { Connection } from './connection.ts'
import type { SqliteModule } from './database.ts'
import { loadSqlite } from './load-sqlite.ts'
import { type OpenFile, openFile, openFileToRead } from './open-file.ts'
import { CosineFunction } from './recall-query.ts'
import { SegmentPacker } from './segment-packer.ts'
import { SessionHolds } from './session-holds.ts'
import { sqliteLog } from './sqlite-log.ts'
import { sqliteRecall } from './sqlite-recall.ts'
import { sqliteWork } from './sqlite-work.ts'
import type { StoreContext } from './store-context.ts'
import { VectorCache } from './vector-cache.ts'
import { WriteQueue } from './write-queue.ts'

/** Options of `openSqliteStore`. */
export interface SqliteStoreOptions {
  /** The file; a relative path starts from the working directory. */
  readonly path: string
  readonly concepts: Iterable<Concept>
  /** The durability of appends that do not name one (default: `full`). */
  readonly durability?: Durability
  /** How long a write waits for other writers (default: 10 seconds). */
  readonly patienceMs?: number
  /** The initial number of candidates of a recall with words (default: 256). The certificate widens it if necessary. */
  readonly recallDepth?: number
  readonly runtime?: Partial<StoreRuntime>
}

/** An opened store over one file. */
export interface SqliteStore extends NodeStore {
  /**
   * The same open file with other concepts, so that a program that rarely appends need not load the schemas of concepts that it only reads.
   */
  withConcepts(concepts: Iterable<Concept>): NodeStore
}

/**
 * Opens a node store in one file. Many processes of one machine may use it at once.
 *
 * @example
 * ```ts
 * import { defineConcept } from '@agentm/nodes'
 * import { openSqliteStore } from '@agentm/nodes-sqlite'
 * import { mkdtemp } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import path from 'node:path'
 * import { z } from 'zod'
 *
 * const lamp = defineConcept({ name: 'v1:home:lamp', schema: z.object({ room: z.string() }) })
 * const file = path.join(await mkdtemp(path.join(tmpdir(), 'home-')), 'home.db')
 * const { log, close } = await openSqliteStore({ path: file, concepts: [lamp] })
 * const draft = { concept: lamp.name, id: 'hall', payload: { room: 'hall' }, mutation: 'install' }
 * const [node] = await log.append([draft], { owner: 'ada', actor: 'docs' })
 * console.log(node?.id, node?.version) // v1:home:lamp:hall 1
 * await close()
 * ```
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const sqlite = await loadSqlite()
  const runtime = { ...systemRuntime, ...options.runtime }
  const path = resolve(options.path)
  return storeOver(openFile(sqlite, path, runtime.now()), sqlite, { ...options, path })
}

/**
 * Opens a log for reading: creates nothing, and every write fails. Returns `undefined` if no log exists yet. A log of an older version is
 * migrated first. SQLite may create its own `-wal` and `-shm` files beside an existing log.
 *
 * @example
 * ```ts
 * import { openSqliteReader } from '@agentm/nodes-sqlite'
 *
 * const store = await openSqliteReader({ path: '/nowhere/agentm.db', concepts: [] })
 * console.log(store) // undefined
 * ```
 */
export async function openSqliteReader(options: SqliteStoreOptions): Promise<NodeStore | undefined> {
  const sqlite = await loadSqlite()
  const path = resolve(options.path)
  const file = openFileToRead(sqlite, path)
  return file === undefined ? undefined : storeOver(file, sqlite, { ...options, path })
}

function storeOver(
  { writer, reader, isReadOnly }: OpenFile,
  sqlite: SqliteModule,
  options: SqliteStoreOptions,
): SqliteStore {
  const { path, concepts, durability = 'full', patienceMs = 10_000, recallDepth = 256 } = options
  const runtime = { ...systemRuntime, ...options.runtime }
  const changes = new ChangeSignal(reader, path)
  const queue = new WriteQueue(writer, { runtime, patienceMs, onCommit: () => changes.notify() })
  let closing: Promise<void> | undefined
  const context: StoreContext = {
    path,
    concepts: new ConceptSet(concepts),
    runtime,
    writer,
    reader,
    queue,
    changes,
    durability,
    isClosed: () => closing !== undefined,
  }
  const holds = new SessionHolds(sqlite, path)
  const packer = new SegmentPacker(context)
  const cosine = new CosineFunction()
  cosine.register(reader)
  const close = async () => {
    changes.close()
    holds.close()
    await packer.close()
    await queue.close()
    if (isReadOnly !== true) emptyWriteAheadLog(writer)
    reader.close()
    writer.close()
  }
  const cache = new VectorCache(reader)
  const afterWrite = () => packer.consider()
  const storeOf = (within: StoreContext): NodeStore => ({
    log: sqliteLog(within, afterWrite),
    work: sqliteWork(within, holds),
    recall: sqliteRecall(within, { cache, cosine, depth: recallDepth, afterWrite }),
    close: () => (closing ??= close()),
  })
  return {
    ...storeOf(context),
    withConcepts: (others) => storeOf({ ...context, concepts: new ConceptSet(others) }),
  }
}

/**
 * Copies the write-ahead log into the file. SQLite does this when the last connection closes, but one build closes a connection only after
 * its statements were garbage-collected. A write-ahead log that stays behind would overwrite a backup that is put in the file's place. If
 * another process still reads, the log stays.
 */
function emptyWriteAheadLog(writer: Connection): void {
  try {
    writer.exec('pragma wal_checkpoint(truncate)')
  } catch {
    // Acknowledged writes are in the write-ahead log and stay there.
  }
}

const systemRuntime: StoreRuntime = {
  now: Date.now,
  random: Math.random,
  newId: randomUUID,
  sleep: async (ms, signal) => {
    await sleep(ms, undefined, signal === undefined ? {} : { signal })
  },
}
