/**
 * When a lock's holder counts as dead. All programs that share a lock must agree on these figures: a holder touches its
 * lock at least every 5 s, and one not touched for more than 10 s belongs to nobody.
 */
export const staleMs = 10_000

/** Twice as often as the protocol asks, so that an event loop may stand still for longer. */
export const heartbeatMs = 2_500

/** After this long without a heartbeat a holder asks before it goes on: others are about to take over. */
export const leaseMs = 9_000

/** A holder that wakes together with its waiters, from a laptop's sleep, gets this long to show that it lives. */
const wakeMs = 20

/** What the coarsest disk makes of a time (FAT: two seconds). A successor's heartbeat is further away: it comes after `staleMs`. */
const coarsestMs = 2_001

/** Whether this is the heartbeat written at `beat`, in milliseconds, as a disk keeps it. */
export function isHeartbeat(mtimeNs: bigint, beat: number): boolean {
  return Math.abs(Number(mtimeNs) / 1e6 - beat) < coarsestMs
}

/** Name of one state of one directory: a heartbeat, or another directory in its place, gives another name. */
export function identity(stats: { readonly dev: bigint; readonly ino: bigint; readonly mtimeNs: bigint }): string {
  return `${stats.dev}-${stats.ino}-${stats.mtimeNs}`
}

/** `unchangedMs`: how long this process has seen the same identity, by a clock that does not step. */
export function isDead(ageMs: number, unchangedMs: number): boolean {
  if (ageMs > staleMs) return unchangedMs >= wakeMs
  // A time in the future says that the clock was set back; a living holder would have touched it since.
  return ageMs < 0 && unchangedMs > leaseMs
}

/**
 * Whether nobody acts on a claim any more: its winner does so within `staleMs / 2`, or never. A time far in the future says that
 * the clock was set back since; to wait until it has come would be to wait for hours.
 */
export function isAbandoned(ageMs: number): boolean {
  return Math.abs(ageMs) > staleMs
}

/** How long until it is worth looking again for a sign of death. */
export function untilDeadMs(ageMs: number, unchangedMs: number): number {
  if (ageMs > staleMs) return Math.max(1, wakeMs - unchangedMs)
  if (ageMs < 0) return Math.max(1, leaseMs - unchangedMs + 1)
  return staleMs - ageMs + 1
}
