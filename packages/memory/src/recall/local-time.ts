/**
 * What a clock on the wall of this machine shows, written as if it were UTC. A multiple of 24 hours is a date that was written without a
 * time. It stays as it is, because such a note was written on that date, wherever it is read.
 */
export function localTime(at: number): number {
  return at % dayMs === 0 ? at : at - new Date(at).getTimezoneOffset() * 60_000
}

const dayMs = 86_400_000
