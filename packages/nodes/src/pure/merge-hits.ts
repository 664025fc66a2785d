import { byRank, type Ranked } from './recall-score.ts'

/**
 * Merges the top `k` of several stores into the overall top `k`. The result is exact, because every item of the overall top `k` is also in
 * the top `k` of its own store.
 *
 * @example
 * ```ts
 * import { mergeHits } from '@agentm/nodes'
 *
 * const notes = [{ id: 'a', score: 0.9, createdAt: 1 }]
 * const beliefs = [{ id: 'b', score: 0.95, createdAt: 1 }]
 * console.log(mergeHits([notes, beliefs], 1)[0]?.id) // b
 * ```
 */
export function mergeHits<T extends Ranked>(lists: readonly (readonly T[])[], k: number): readonly T[] {
  return lists.flat().toSorted(byRank).slice(0, k)
}
