/** Creates the state that the views of a store share, after checking the version and schema of the server. */
import type { StoreRuntime } from '@agentm/nodes'
import { ConceptSet } from '@agentm/nodes/store-kit'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Ahead } from './ahead.ts'
import { Database } from './database.ts'
import { Embedders } from './embedders.ts'
import { Horizon } from './horizon.ts'
import { LogWriter } from './log-writer.ts'
import { migrate } from './migrate.ts'
import { NearIndex } from './near-index.ts'
import type { PostgresStoreOptions } from './postgres-store-options.ts'
import { connectionTarget } from './pure/connection-target.ts'
import { quotedName } from './pure/quoted-name.ts'
import { ServerClock } from './server-clock.ts'
import type { StoreContext } from './store-context.ts'
import { vectorType } from './vector-type.ts'
import { ChangeSignal } from './change-signal.ts'

export async function openContext(
  options: PostgresStoreOptions,
): Promise<{ context: StoreContext; close(): Promise<void> }> {
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
  await migrate(database, { mayChange: options.migrate ?? true })
  const type = await vectorType(database, options.vectors ?? 'auto')
  const near = new NearIndex(database, type)
  const embedders = new Embedders(database, type, (embedder) => near.grown(embedder))
  const clock = new ServerClock(options.runtime?.now)
  const listens = options.pooled !== true
  const changes = new ChangeSignal(database, { listens, channel: `agentm ${options.schema ?? 'agentm'}` })
  const writer = new LogWriter({
    database,
    concepts,
    clock,
    embedders,
    durability: options.durability ?? 'full',
    appended: () => changes.appended(),
  })
  await writer.askClock()
  const horizon = new Horizon(database)
  const context: StoreContext = {
    database,
    concepts,
    clock,
    writer,
    embedders,
    near,
    changes,
    horizon,
    ahead: new Ahead(),
  }
  return {
    context,
    async close() {
      await changes.close()
      await database.close()
    },
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
