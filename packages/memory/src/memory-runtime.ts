/** Time, randomness and ids of this machine, unless a caller gives others. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StoreRuntime } from '@agentm/nodes'

export interface MemoryRuntime extends StoreRuntime {
  /** The processor time that this process has used, in milliseconds. */
  processorMs(): number
}

export const systemRuntime: MemoryRuntime = {
  now: Date.now,
  random: Math.random,
  newId: randomUUID,
  sleep: async (ms, signal) => {
    await sleep(ms, undefined, signal === undefined ? {} : { signal })
  },
  processorMs: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
}
