/** Opens the three views of a node store on a PostgreSQL server, and brings its schema up to date. */
import type { NodeStore } from '@agentm/nodes'
import { openContext } from './open-context.ts'
import { postgresLog } from './postgres-log.ts'
import { postgresRecall } from './postgres-recall.ts'
import type { PostgresStoreOptions } from './postgres-store-options.ts'
import { postgresWork } from './postgres-work.ts'

/**
 * Opens a node store on a PostgreSQL server, and brings its schema up to date. Many machines may use it at once.
 *
 * @example
 * ```ts
 * import { openPostgresStore } from '@agentm/nodes-postgres'
 *
 * const store = await openPostgresStore({ url: 'postgres://agentm@localhost:5432/agentm', concepts: [] })
 * const report = await store.log.check()
 * await store.close()
 * ```
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<NodeStore> {
  const opened = await openContext(options)
  const { context } = opened
  const recall = postgresRecall(context)
  return {
    log: postgresLog(context),
    work: postgresWork(context),
    recall,
    async close() {
      await recall.close()
      await opened.close()
    },
  }
}
