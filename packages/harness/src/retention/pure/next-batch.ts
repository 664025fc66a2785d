/**
 * How many nodes the next transaction removes, and how long to wait before it. On some stores other writers wait while a transaction runs, so
 * it aims at a fixed time, and leaves half of the time to them. A transaction also waits for others and for the disk, however small it is, so
 * there is a least number of nodes.
 */
const [fewest, most] = [400, 2000]
const aimMs = 60
const leastRestMs = 2

export interface Batch {
  readonly nodes: number
  readonly restMs: number
}

export const firstBatch: Batch = { nodes: fewest, restMs: 0 }

/** At most twice and at least half as many as last time. */
export function nextBatch(last: Batch, tookMs: number): Batch {
  const factor = Math.min(2, Math.max(0.5, aimMs / Math.max(tookMs, 0.1)))
  const nodes = Math.min(most, Math.max(fewest, Math.round(last.nodes * factor)))
  return { nodes, restMs: Math.max(leastRestMs, Math.min(tookMs, 2 * aimMs)) }
}
