/** How long one of us sleeps at most between two tries for a lock. */
export const longestPollMs = 16

/** Two holds with less between them are one unbroken use of the lock. */
export const unbrokenMs = 50

const sustainedMs = 4_000
const longestPythonPollMs = 200

/** How long a process stays away from a lock it has used without a break for `usedMs`. */
export function restMs(usedMs: number, asked: boolean): number {
  if (usedMs >= sustainedMs) return longestPythonPollMs + 10
  return asked ? longestPollMs + 2 : 1
}
