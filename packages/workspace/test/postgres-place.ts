/** A server of this run's own to keep plans on; its stop, or why there is none. */
import { harnessConcepts } from '@agentm/harness'
import { findPostgres, startPostgres } from '../../../tools/postgres-server.mjs'
import type { KillLoopPlace } from './kill-loop.ts'

export async function postgresPlace(): Promise<(KillLoopPlace & { readonly stop: () => Promise<void> }) | string> {
  const found = findPostgres()
  if (typeof found === 'string') return found
  const { openPostgresStore } = await import('@agentm/nodes-postgres')
  const server = await startPostgres(found)
  const target = { url: server.url, schema: server.newSchema() }
  return {
    address: JSON.stringify(target),
    open: () => openPostgresStore({ ...target, concepts: harnessConcepts }),
    stop: () => server.stop(),
  }
}
