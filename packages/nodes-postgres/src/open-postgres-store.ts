/** Opens the three views of a node store on a PostgreSQL server, and brings its schema up to date. */
import { type Concept, ConceptSet, type NodeStore, StoreClosedError, type StoreRuntime } from '@agentm/nodes'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Ahead } from './ahead.ts'
import { Database } from './database.ts'
import { Embedders } from './embedders.ts'
import { Horizon } from './horizon.ts'
import { LogWriter } from './log-writer.ts'
import { migrate } from './migrate.ts'
import { NearIndex } from './near-index.ts'
import { PostgresStoreError } from './postgres-store-error.ts'
import { postgresLog } from './postgres-log.ts'
import { postgresRecall } from './postgres-recall.ts'
import { postgresWork } from './postgres-work.ts'
import { connectionTarget } from './pure/connection-target.ts'
import { quotedName } from './pure/quoted-name.ts'
import { ServerClock } from './server-clock.ts'
import type { StoreParts } from './store-parts.ts'
import { vectorType, type VectorSetting } from './vector-type.ts'
import { Wakeups } from './wakeups.ts'

export interface PostgresStoreOptions {
  /** `postgres://user@host:5432/database`. The password comes from the environment. */
  readonly url: string
  readonly concepts: Iterable<Concept>
  /** The namespace everything lives in. */
  readonly schema?: string
  /** Of appends that do not say; `full` where absent. */
  readonly durability?: 'full' | 'normal'
  /** At most so many connections, beside one that listens. 10 where absent. */
  readonly connections?: number
  /** Behind a transaction pooler such as PgBouncer: no LISTEN, no prepared statements, nothing kept on a connection. */
  readonly pooled?: boolean
  /**
   * How long one statement may take (default: 15 s). The server then gives it up; where the server says nothing either,
   * the connection is taken for dead a second later.
   */
  readonly statementTimeoutMs?: number
  /** How long to wait for a server that is restarting. 10 s where absent. */
  readonly patienceMs?: number
  /** `auto` where absent: pgvector where the server has it, otherwise a scan in this process. */
  readonly vectors?: VectorSetting
  /** Whether the schema may be made or brought up to date; true where absent. */
  readonly migrate?: boolean
  /** With a `now` of its own, times are taken from there and not from the server. */
  readonly runtime?: Partial<StoreRuntime>
}

export async function openPostgresStore(options: PostgresStoreOptions): Promise<NodeStore> {
  const opened = await openParts(options)
  const { parts } = opened
  const recall = postgresRecall(parts)
  return {
    log: postgresLog(parts),
    work: postgresWork(parts),
    recall,
    async close() {
      await recall.close()
      await opened.close()
    },
  }
}

export async function openParts(options: PostgresStoreOptions): Promise<{ parts: StoreParts; close(): Promise<void> }> {
  const database = new Database({
    target: connectionTarget(options.url),
    schema: quotedName(options.schema ?? 'agentm'),
    connections: options.connections ?? 10,
    statementTimeoutMs: options.statementTimeoutMs ?? 15_000,
    patienceMs: options.patienceMs ?? 10_000,
    pooled: options.pooled ?? false,
    runtime: { ...systemRuntime, ...options.runtime },
  })
  try {
    return await prepared(database, options)
  } catch (error) {
    await database.close()
    throw error
  }
}

async function prepared(database: Database, options: PostgresStoreOptions) {
  const concepts = new ConceptSet(options.concepts)
  await checkVersion(database)
  await migrate(database, { mayChange: options.migrate ?? true })
  const type = await vectorType(database, options.vectors ?? 'auto')
  const near = new NearIndex(database, type)
  const embedders = new Embedders(database, type, (embedder) => near.grown(embedder))
  const clock = new ServerClock(options.runtime?.now)
  const listens = options.pooled !== true
  const wakeups = new Wakeups(database, { listens, channel: `agentm ${options.schema ?? 'agentm'}` })
  const writer = new LogWriter({
    database,
    concepts,
    clock,
    embedders,
    durability: options.durability ?? 'full',
    appended: () => wakeups.appended(),
  })
  await writer.askClock()
  const horizon = new Horizon(database)
  const parts: StoreParts = { database, concepts, clock, writer, embedders, near, wakeups, horizon, ahead: new Ahead() }
  return {
    parts,
    async close() {
      await wakeups.close()
      await database.close()
    },
  }
}

const oldest = 150_000

async function checkVersion(database: Database): Promise<void> {
  if (database.closed) throw new StoreClosedError()
  const [row] = await database.read<{ number: number; name: string }>({
    text: `select current_setting('server_version_num')::integer as number, current_setting('server_version') as name`,
    once: true,
  })
  const { server } = database.settings.target
  if (row !== undefined && row.number < oldest)
    throw new PostgresStoreError(
      'SERVER_TOO_OLD',
      server,
      `the server at ${server} is PostgreSQL ${row.name}; version 15 or newer is needed. Upgrade it, or name another one.`,
    )
}

const systemRuntime: StoreRuntime = {
  now: Date.now,
  random: Math.random,
  newId: randomUUID,
  sleep: async (ms, signal) => {
    await sleep(ms, undefined, signal === undefined ? {} : { signal })
  },
}
