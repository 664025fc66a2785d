/** The index of a memory that has none yet. It is empty and read-only. */
import type { RecallStore } from '@agentm/nodes'

const refuse = () => Promise.reject(new TypeError('a reader changes no index'))

export const emptyRecall: RecallStore = {
  put: refuse,
  remove: refuse,
  putVectors: refuse,
  entries: async () => ({ entries: [] }),
  pending: async () => ({ items: [], total: 0 }),
  recall: async ({ at = Date.now() }) => ({ hits: [], pending: 0, certified: true, widened: 0, at }),
}
