/** The last moment a date can name: one that somebody else puts further off comes then. */
const latestTime = 8.64e15

export function timeAfter(now: number, ms: number): number {
  return Math.min(now + ms, latestTime)
}
