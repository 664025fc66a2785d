/**
 * Proves that the best `k` items of a few candidate lists are the best `k` of all items. The end of each list gives an upper bound for the
 * items outside it. If the last hit scores at least that bound, no item outside the lists can replace it.
 */
export interface ListEnds {
  /**
   * Upper bound of `wSem·cosine + wRec·recency` for an item with a vector outside the candidates; absent if all such items are candidates.
   */
  readonly vector: number | undefined
  /** Lexical score at the end of the lexical list; 0 if the list contains every match. */
  readonly lexical: number
  /** Recency at the end of the newest list; absent if the list contains all items without a vector. */
  readonly recency: number | undefined
}

/** The largest weight of each part of a score. */
export interface WeightCeiling {
  readonly wSem: number
  readonly wLex: number
  readonly wRec: number
}

/** The highest score that an item outside every list can have; `undefined` if there is no such item. */
export function ceilingOutside(ends: ListEnds, most: WeightCeiling): number | undefined {
  const withVector = ends.vector === undefined ? undefined : ends.vector + most.wLex * ends.lexical
  const without =
    ends.recency === undefined ? undefined : (most.wSem + most.wLex) * ends.lexical + most.wRec * ends.recency
  if (withVector === undefined) return without
  return without === undefined ? withVector : Math.max(withVector, without)
}

/** Tolerance, because floating-point results of a store and of this process may differ in the last digits. */
const slack = 1e-9

/** Whether the best items of a few candidate lists are proven to be the best of all items. */
export function isCertified(hitScores: readonly number[], k: number, ceiling: number | undefined): boolean {
  if (ceiling === undefined) return true
  const last = hitScores[k - 1]
  return last !== undefined && last - slack >= ceiling
}
