/** The longest sleep of a waiting process between two attempts to take a lock. */
export const longestPollMs = 16

/** Two holds count as one unbroken use of the lock if the pause between them is shorter than this. */
export const unbrokenMs = 50

const sustainedMs = 4_000
const longestPythonPollMs = 200

/** How long a process pauses after it has used a lock without a break for `usedMs`. */
export function restMs(usedMs: number, asked: boolean): number {
  if (usedMs >= sustainedMs) return longestPythonPollMs + 10
  return asked ? longestPollMs + 2 : 1
}
