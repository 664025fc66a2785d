/** Opens the three views of a node store on a PostgreSQL server, and brings its schema up to date. */
import type { NodeStore } from '@agentm/nodes'
import { openParts } from './open-parts.ts'
import { postgresLog } from './postgres-log.ts'
import { postgresRecall } from './postgres-recall.ts'
import type { PostgresStoreOptions } from './postgres-store-options.ts'
import { postgresWork } from './postgres-work.ts'

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
