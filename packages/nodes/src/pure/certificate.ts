/**
 * When a top k taken from a few candidate lists is the top k of everything. An item outside every list is bounded by
 * where each list ends; if the last hit scores at least that much, no such item can displace it.
 */
export interface ListEnds {
  /** Upper bound of `wSem·cosine + wRec·recency` for an item with a vector outside the candidates; absent when all were in. */
  readonly vector: number | undefined
  /** Lexical match at the end of the lexical list; 0 when the list holds every match. */
  readonly lexical: number
  /** Recency at the end of the newest list; absent when the list holds everything without a vector. */
  readonly recency: number | undefined
}

/** The most that each part of a score can be. */
export interface WeightCeiling {
  readonly wSem: number
  readonly wLex: number
  readonly wRec: number
}

/** The most an item outside every list can score, or nothing when there is no such item. */
export function ceilingOutside(ends: ListEnds, most: WeightCeiling): number | undefined {
  const withVector = ends.vector === undefined ? undefined : ends.vector + most.wLex * ends.lexical
  const without =
    ends.recency === undefined ? undefined : (most.wSem + most.wLex) * ends.lexical + most.wRec * ends.recency
  if (withVector === undefined) return without
  return without === undefined ? withVector : Math.max(withVector, without)
}

/** Floating point may differ in the last places between a store and this process. */
const slack = 1e-9

/** Whether the best of a few candidate lists is proven to be the best of everything. */
export function isCertified(hitScores: readonly number[], k: number, ceiling: number | undefined): boolean {
  if (ceiling === undefined) return true
  const last = hitScores[k - 1]
  return last !== undefined && last - slack >= ceiling
}
