/**
 * Whether a tier is the source or derived from it, and whether a sync program may replicate it. Only the local index must never be
 * replicated, because a database file that is copied during a write is corrupt.
 */
export interface Tier {
  readonly value: 'source' | 'shared-abstracts' | 'local-index'
  /** May a sync program replicate this tree? */
  readonly syncs: boolean
  /** Can it be rebuilt from the source? */
  readonly derived: boolean
}

export const Tier = Object.freeze({
  SOURCE: tier('source', { syncs: true, derived: false }),
  SHARED_ABSTRACTS: tier('shared-abstracts', { syncs: true, derived: true }),
  LOCAL_INDEX: tier('local-index', { syncs: false, derived: true }),
})

function tier(value: Tier['value'], policy: { readonly syncs: boolean; readonly derived: boolean }): Tier {
  return Object.freeze({ value, ...policy })
}
