/** Opens the three views of a node store on a PostgreSQL server, and brings its schema up to date. */
import type { NodeStore } from '@agentm/nodes'
import { openContext } from './open-context.ts'
import { postgresLog } from './postgres-log.ts'
import { postgresRecall } from './postgres-recall.ts'
import type { PostgresStoreOptions } from './postgres-store-options.ts'
import { postgresWork } from './postgres-work.ts'

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
