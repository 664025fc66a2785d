import { byRank, type Ranked } from './recall-score.ts'

/**
 * The top `k` of several stores' top `k`. Exact: whatever is among the best of all is among the best of its own store.
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
