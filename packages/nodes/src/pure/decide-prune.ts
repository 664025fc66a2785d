/**
 * Which of some nodes may be removed together. A node stays if a node that stays refers to it. So a node that must stay keeps what it refers
 * to, and that keeps what it refers to.
 */
import type { PrunedNode, PruneRefusal } from '../node-log.ts'

/** A node to remove as the store has it now. */
export interface PruneCandidate extends PrunedNode {
  readonly now: { readonly version: number; readonly seq: number }
  /**
   * The nodes that refer to it: its children, and the sources of its indexed edges. Of more nodes than are removed together, any are enough,
   * because one of them stays.
   */
  readonly citedBy: readonly string[]
}

/** Which nodes can be removed, and why the others stay. */
export interface PruneDecision {
  readonly remove: readonly string[]
  readonly stay: readonly { readonly id: string; readonly why: PruneRefusal }[]
}

/** `newest` is the highest sequence number in the log. Its node stays, because the next number is counted from it. */
export function decidePrune(candidates: readonly PruneCandidate[], newest: number): PruneDecision {
  const stay = new Map<string, PruneRefusal>()
  for (const { id, version, now } of candidates)
    if (now.version !== version) stay.set(id, 'changed')
    else if (now.seq === newest) stay.set(id, 'newest')
  const leaving = new Map(candidates.filter(({ id }) => !stay.has(id)).map((each) => [each.id, each]))
  const isKept = ({ citedBy }: PruneCandidate) => citedBy.some((id) => !leaving.has(id))
  for (let kept = [...leaving.values()].filter(isKept); kept.length > 0;) {
    for (const { id } of kept) {
      leaving.delete(id)
      stay.set(id, 'cited')
    }
    kept = [...leaving.values()].filter(isKept)
  }
  return { remove: [...leaving.keys()], stay: [...stay].map(([id, why]) => ({ id, why })) }
}
