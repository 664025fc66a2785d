/**
 * When the holder of a lock counts as dead. All programs that share a lock must use the same figures: a holder touches its lock at least
 * every 5 s, and a lock that was not touched for more than 10 s has no holder.
 */
export const staleMs = 10_000

/** Twice as often as the protocol asks, so that a blocked event loop does not lose the lock at once. */
export const heartbeatMs = 2_500

/**
 * After this long without a heartbeat, a holder must check its lock before it continues, because other processes are about to take it over.
 */
export const leaseMs = 9_000

/** When a laptop wakes from sleep, the holder and its waiters wake together. The holder gets this long to send a heartbeat. */
const wakeMs = 20

/**
 * The coarsest rounding of a file time on any disk (2 s on FAT). A successor's first heartbeat is always further away than this, because it
 * comes after `staleMs`.
 */
const coarsestMs = 2_001

/** Whether `mtimeNs` is the heartbeat written at `beat` (in milliseconds), after the rounding of the disk. */
export function isHeartbeat(mtimeNs: bigint, beat: number): boolean {
  return Math.abs(Number(mtimeNs) / 1e6 - beat) < coarsestMs
}

/** A name for one state of one directory. A new heartbeat, or another directory in its place, gives another name. */
export function identity(stats: { readonly dev: bigint; readonly ino: bigint; readonly mtimeNs: bigint }): string {
  return `${stats.dev}-${stats.ino}-${stats.mtimeNs}`
}

/** `unchangedMs` is how long this process has seen the same identity, by a monotonic clock. */
export function isDead(ageMs: number, unchangedMs: number): boolean {
  if (ageMs > staleMs) return unchangedMs >= wakeMs
  // A time in the future means that the clock was set back. A living holder would have touched the lock since then.
  return ageMs < 0 && unchangedMs > leaseMs
}

/**
 * Whether the winner of a claim will no longer act on it: a winner acts within `staleMs / 2` or never. A time far in the future means that
 * the clock was set back. Such a claim counts as abandoned, because waiting until that time could take hours.
 */
export function isAbandoned(ageMs: number): boolean {
  return Math.abs(ageMs) > staleMs
}

/** How long to wait before the next check for a dead holder. */
export function untilDeadMs(ageMs: number, unchangedMs: number): number {
  if (ageMs > staleMs) return Math.max(1, wakeMs - unchangedMs)
  if (ageMs < 0) return Math.max(1, leaseMs - unchangedMs + 1)
  return staleMs - ageMs + 1
}
