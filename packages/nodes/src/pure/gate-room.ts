/** How many nodes a gate lets through now, and when it opens if it lets none through. */
import type { FlowGate } from '../work-log.ts'
import { limitsIn } from './flow.ts'

/** What counts against the limits of one owner. */
export interface FlowUsage {
  /** How many nodes run, by the key of their concurrency limit. */
  readonly running: ReadonlyMap<string, number>
  /** The times of the last starts, by the key of their rate limit, newest first. */
  readonly starts: ReadonlyMap<string, readonly number[]>
}

/** A gate before which ready nodes wait or may pass. */
export interface GateRoom {
  /** How many nodes may pass it now. */
  readonly room: number
  /** When its rate limit lets the next node pass; only while the rate limit keeps nodes back. */
  readonly opensAt: number | undefined
}

/** `passed` are the gates that nodes have passed since the usage was read. */
export function gateRoom(
  gate: string,
  { running, starts }: FlowUsage,
  { now, passed = [] }: { readonly now: number; readonly passed?: readonly string[] },
): GateRoom {
  const { limit, rate } = limitsIn(gate)
  const others = passed.map(limitsIn)
  const atOnce = limit && (running.get(limit.key) ?? 0) + countOf(others, (other) => other.limit?.key === limit.key)
  const byLimit = limit === undefined ? Infinity : limit.atOnce - (atOnce ?? 0)
  if (rate === undefined) return { room: Math.max(0, byLimit), opensAt: undefined }
  const within = (starts.get(rate.key) ?? []).filter((at) => at > now - rate.perMs)
  const byRate = rate.starts - within.length - countOf(others, (other) => other.rate?.key === rate.key)
  // The next start may be made when the oldest of the last `starts` leaves the span.
  const oldest = within[rate.starts - 1]
  return {
    room: Math.max(0, Math.min(byLimit, byRate)),
    opensAt: oldest === undefined ? undefined : oldest + rate.perMs,
  }
}

/** A gate with what counts against it, for people and for timers. */
export function gateStanding(
  { owner, gate }: { readonly owner: string; readonly gate: string },
  usage: FlowUsage,
  now: number,
): FlowGate {
  const { limit, rate } = limitsIn(gate)
  const { room, opensAt } = gateRoom(gate, usage, { now })
  return {
    owner,
    ...(limit && { limit: { ...limit, running: usage.running.get(limit.key) ?? 0 } }),
    ...(rate && { rate }),
    room,
    ...(opensAt !== undefined && { opensAt }),
  }
}

/** The first of these nodes, in their order, that may be claimed together. */
export function admit<T extends { readonly gate: string | undefined }>(
  nodes: readonly T[],
  usage: FlowUsage,
  { now, most, passed = [] }: { readonly now: number; readonly most: number; readonly passed?: readonly string[] },
): readonly T[] {
  const admitted: T[] = []
  const through = [...passed]
  for (const node of nodes) {
    if (admitted.length >= most) break
    if (node.gate !== undefined && gateRoom(node.gate, usage, { now, passed: through }).room < 1) continue
    admitted.push(node)
    if (node.gate !== undefined) through.push(node.gate)
  }
  return admitted
}

function countOf<T>(values: readonly T[], holds: (value: T) => boolean): number {
  return values.filter(holds).length
}
