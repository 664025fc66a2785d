import type { Memory } from '@agentm/memory'
import type { Signals } from './signals.ts'

/** The same memory; the time that recalls take is measured. */
export function observedMemory(memory: Memory, { instruments }: Signals): Memory {
  return {
    ...memory,
    async recall(request) {
      const since = performance.now()
      try {
        return await memory.recall(request)
      } finally {
        instruments.recalls((performance.now() - since) / 1000)
      }
    },
  }
}
