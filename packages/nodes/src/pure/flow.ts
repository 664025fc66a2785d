/**
 * When a ready node may be claimed, and in which order: its priority, and the limits of its keys. A store keeps two values for it beside the
 * head, and only for nodes that use any of this: the rank, by which such nodes are ordered, and the gate, which names the limits. Nodes with
 * the same gate are let through or kept back together, so a store asks once for all of them.
 */

/** What the claims of a node have to keep. Without any of it, the node that became ready first is claimed first. */
export interface Flow {
  /** A whole number; higher is claimed first (default: 0). One point counts as much as one minute of waiting. */
  readonly priority?: number | undefined
  readonly limit?: ConcurrencyLimit | undefined
  readonly rate?: RateLimit | undefined
}

/** The most nodes of an owner with this key that run at once. */
export interface ConcurrencyLimit {
  readonly key: string
  readonly atOnce: number
}

/** The most nodes of an owner with this key that are claimed within any span of `perMs` milliseconds. */
export interface RateLimit {
  readonly key: string
  readonly starts: number
  readonly perMs: number
}

/** How much waiting one point of priority is worth. */
export const agingMs = 60_000

/**
 * The order of claims within a partition, lowest first. The waiting time of all nodes grows equally, so the order by "priority plus minutes
 * of waiting" never changes, and it can be stored: it is the order by this time.
 */
export function claimRank({ priority = 0 }: Flow, readyAt: number): number {
  return Math.round(readyAt - priority * agingMs)
}

/** The limits as text; empty for a priority alone, and `undefined` without flow control. Equal limits give equal texts. */
export function gateOf({ priority = 0, limit, rate }: Flow): string | undefined {
  if (limit !== undefined || rate !== undefined)
    return JSON.stringify([limit?.key, limit?.atOnce, rate?.key, rate?.starts, rate?.perMs])
  return priority === 0 ? undefined : ''
}

/** The gate of a running node. It counts for its concurrency limit only. */
export function runningGateOf({ limit }: Flow): string | undefined {
  return limit === undefined ? undefined : gateOf({ limit })
}

/** The limits that a gate names. */
export function limitsIn(gate: string): Pick<Flow, 'limit' | 'rate'> {
  if (gate === '') return {}
  const [limitKey, atOnce, rateKey, starts, perMs]: readonly (string | number | null)[] = JSON.parse(gate)
  return {
    ...(typeof limitKey === 'string' && { limit: { key: limitKey, atOnce: Number(atOnce) } }),
    ...(typeof rateKey === 'string' && { rate: { key: rateKey, starts: Number(starts), perMs: Number(perMs) } }),
  }
}
