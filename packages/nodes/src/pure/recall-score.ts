/**
 * The recall formula: `wSem·cosine + wLex·lexical + wRec·2^(−age/halfLife)`. If an item has no vector, the weight `wSem` is added to
 * `wLex`.
 */
export interface RecallWeights {
  readonly wSem: number
  readonly wLex: number
  readonly wRec: number
  /** The half-life in seconds. */
  readonly halfLife: number
}

/** The default weights of a recall. */
export const defaultWeights: RecallWeights = { wSem: 0.7, wLex: 0, wRec: 0.3, halfLife: 3600 }

export interface RecallSignals {
  /** The cosine; absent if the item or the query has no vector. */
  readonly similarity: number | undefined
  readonly lexical: number
  readonly recency: number
}

/**
 * The recall formula: `wSem·cosine + wLex·lexical + wRec·2^(−age/halfLife)`. For an item without a vector, the weight of meaning is added
 * to the weight of words.
 *
 * @example
 * ```ts
 * import { recallScore } from '@agentm/nodes'
 *
 * const weights = { wSem: 0.7, wLex: 0, wRec: 0.3, halfLife: 3600 }
 * console.log(recallScore({ similarity: 1, lexical: 0, recency: 0.5 }, weights)) // 0.85
 * ```
 */
export function recallScore(signals: RecallSignals, { wSem, wLex, wRec }: RecallWeights): number {
  const { similarity, lexical } = signals
  const fresh = wRec * signals.recency
  return similarity === undefined ? (wSem + wLex) * lexical + fresh : wSem * similarity + wLex * lexical + fresh
}

/**
 * The recency of an item: 1 now and in the future, one half after a half-life. Times are in epoch milliseconds, the half-life in seconds.
 *
 * @example
 * ```ts
 * import { recency } from '@agentm/nodes'
 *
 * const created = Date.UTC(2026, 0, 1, 12)
 * const anHourLater = Date.UTC(2026, 0, 1, 13)
 * console.log(recency(created, anHourLater, 3600)) // 0.5
 * ```
 */
export function recency(agesFrom: number, at: number, halfLife: number): number {
  return 2 ** (-Math.max(0, at - agesFrom) / 1000 / halfLife)
}

export interface Ranked {
  readonly score: number
  readonly createdAt: number
  readonly id: string
}

/**
 * Compares by score, best first. Equal scores are ordered by newest, then by id, so that the same query always gives the same order.
 *
 * @example
 * ```ts
 * import { byRank } from '@agentm/nodes'
 *
 * const found = [
 *   { id: 'a', score: 0.2, createdAt: 1 },
 *   { id: 'b', score: 0.9, createdAt: 1 },
 * ]
 * console.log(found.toSorted(byRank)[0]?.id) // b
 * ```
 */
export function byRank(a: Ranked, b: Ranked): number {
  return b.score - a.score || b.createdAt - a.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}
