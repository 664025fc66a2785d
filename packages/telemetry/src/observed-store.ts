import type { NodeStore } from '@agentm/nodes'
import type { LogWatch } from './log-watch.ts'

/** The same store; the watch sees what goes through it. An error of the watch does not reach the caller. */
export function observedStore(store: NodeStore, watch: LogWatch): NodeStore {
  const { log, work } = store
  return {
    ...store,
    log: {
      ...log,
      async append(drafts, options) {
        const nodes = await log.append(drafts, options)
        quietly(() => watch.written(nodes))
        return nodes
      },
    },
    work: {
      ...work,
      async take(options) {
        const heads = await work.take(options)
        quietly(() => watch.claimed(heads))
        return heads
      },
    },
    async close() {
      await watch.settled()
      await store.close()
    },
  }
}

function quietly(watch: () => void): void {
  try {
    watch()
  } catch {
    // Work must go on without its report.
  }
}
