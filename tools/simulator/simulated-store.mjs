// @ts-check
/** A store in memory that has its clock, its pauses, its chance and its ids from the simulation. */
import { createInMemoryStore } from '@agentm/conformance/logs'

/**
 * @param {import('./seeded.mjs').Chance} chance
 * @param {import('./virtual-time.mjs').VirtualTime} time
 * @param {{ readonly concepts: Parameters<typeof createInMemoryStore>[0]['concepts'], readonly now?: () => number }} how
 *   `now`: the clock by which leases are counted, if it is not the time itself
 */
export function simulatedStore(chance, time, { concepts, now = () => time.now }) {
  const random = chance.stream('store')
  return createInMemoryStore({
    concepts,
    runtime: {
      now,
      random,
      newId: () => `n${Math.floor(random() * 2 ** 48).toString(16)}`,
      sleep: (ms, signal) => time.sleep(ms, signal),
    },
  })
}
