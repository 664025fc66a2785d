import { byRank, type Ranked } from './recall-score.ts'

/** The top `k` of several stores' top `k`. Exact: whatever is among the best of all is among the best of its own store. */
export function mergeHits<T extends Ranked>(lists: readonly (readonly T[])[], k: number): readonly T[] {
  return lists.flat().toSorted(byRank).slice(0, k)
}
