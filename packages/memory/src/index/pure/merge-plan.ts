/** Which segments become one. Each note is written again once for each size, so a store of any size costs about the same per note. */

/** The size of a segment, and how many of its notes were replaced or removed. */
export interface Tier {
  readonly notes: number
  readonly dead: number
}

const factor = 8
const smallest = 128

/** The position from which on all segments become one; `undefined` if they stay as they are. */
export function mergeFrom(segments: readonly Tier[]): number | undefined {
  const wasted = segments.findIndex(({ notes, dead }) => dead * 2 > notes)
  if (wasted !== -1) return wasted
  for (let from = segments.length - factor; from >= 0; from--) {
    const last = segments.slice(from)
    if (last.every((each) => levelOf(each) <= levelOf(last[0])) && last.length >= factor) {
      const same = last.filter((each) => levelOf(each) === levelOf(last[0]))
      if (same.length >= factor) return from
    }
  }
  return undefined
}

function levelOf(segment: Tier | undefined): number {
  return Math.max(0, Math.floor(Math.log((segment?.notes ?? 0) / smallest) / Math.log(factor)))
}
