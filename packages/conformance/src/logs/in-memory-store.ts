/** A whole node store in memory: the reference the contracts are checked against, and a store for other packages' tests. */
import type { Concept, NodeStore, StoreRuntime } from '@agentm/nodes'
import { ConceptSet } from '@agentm/nodes/store-kit'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryLog } from './memory-log.ts'
import { memoryRecall } from './memory-recall.ts'
import { MemoryState } from './memory-state.ts'
import { memoryWork } from './memory-work.ts'

/**
 * A whole node store in memory, for tests.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { defineConcept } from '@agentm/nodes'
 * import { z } from 'zod'
 *
 * const lamp = defineConcept({ name: 'v1:home:lamp', schema: z.object({ room: z.string() }) })
 * const { log } = createInMemoryStore({ concepts: [lamp] })
 * const draft = { concept: lamp.name, id: 'hall', payload: { room: 'hall' }, mutation: 'install' }
 * const [node] = await log.append([draft], { owner: 'ada', actor: 'docs' })
 * console.log(node?.version) // 1
 * ```
 */
export function createInMemoryStore(options: {
  readonly concepts: Iterable<Concept>
  readonly runtime?: Partial<StoreRuntime>
}): NodeStore {
  const state = new MemoryState(new ConceptSet(options.concepts), { ...systemRuntime, ...options.runtime })
  return {
    log: memoryLog(state),
    work: memoryWork(state),
    recall: memoryRecall(state),
    async close() {
      state.closed = true
      state.wake()
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
