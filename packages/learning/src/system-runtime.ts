import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StoreRuntime } from '@agentm/nodes'

/** The clock, ids and random numbers of this process. */
export const systemRuntime: StoreRuntime = {
  now: Date.now,
  random: Math.random,
  newId: randomUUID,
  sleep: async (ms, signal) => {
    await sleep(ms, undefined, signal === undefined ? {} : { signal })
  },
}
