/** The last moment that a date can express. Later times count as this one. */
const latestTime = 8.64e15

export function timeAfter(now: number, ms: number): number {
  return Math.min(now + ms, latestTime)
}
