import type { NodeStore } from '@agentm/nodes'
import type { LogPlace, LogPlugin } from '@agentm/nodes/store-kit'
import { openPostgresStore } from './open-postgres-store.ts'
import { SchemaBehindError } from './postgres-store-error.ts'

/** Opens the log that `nodes.url` names by `postgres://…`, for the `agentm` command and for `@agentm/workspace`. */
export const plugin: LogPlugin = {
  contract: 1,
  protocols: ['postgres', 'postgresql'],
  open: async ({ url, concepts, connections, patienceMs }) =>
    openPostgresStore({
      url,
      concepts,
      ...(connections !== undefined && { connections }),
      ...(patienceMs !== undefined && impatiently(patienceMs)),
    }),
  async openReader({ url, concepts, connections, patienceMs }: LogPlace): Promise<NodeStore | undefined> {
    try {
      return await openPostgresStore({
        url,
        concepts,
        migrate: false,
        ...(connections !== undefined && { connections }),
        ...(patienceMs !== undefined && impatiently(patienceMs)),
      })
    } catch (error) {
      if (error instanceof SchemaBehindError && error.found === 0) return undefined
      throw error
    }
  },
  async restore(from, { url, concepts }) {
    const { restorePostgresBackup } = await import('./restore-backup.ts')
    await restorePostgresBackup(from, { url, concepts })
  },
}

/** Gives up at once if the server is unavailable. */
function impatiently(patienceMs: number) {
  return { patienceMs: 0, statementTimeoutMs: Math.max(1, patienceMs) }
}
