/** What a run did, or in a dry run would do. */
import type { Decayed } from '../beliefs/decay-beliefs.ts'
import type { Spent } from '../distillers/pure/spent.ts'

/** What to consolidate, and how. */
export interface ConsolidationRequest {
  readonly owner: string
  /** Says what would be done, and writes nothing. */
  readonly dryRun?: boolean
  /** Adds what was decided of each cluster, and why. */
  readonly explain?: boolean
  /** The time this run was scheduled for, in epoch milliseconds: of several schedulers one serves it. */
  readonly scheduledFor?: number
  /** The schedule in words, kept with the cursor. */
  readonly schedule?: string
}

/** What was decided about one cluster of episodes, and why. */
export interface ClusterExplained {
  readonly partition: string
  readonly episodes: readonly string[]
  readonly outcome: 'created' | 'reinforced' | 'superseded' | 'nothing' | 'failed'
  readonly why?: string
  readonly content?: string
  readonly belief?: string
  /** The belief whose place it took. */
  readonly instead?: string
}

/** What a run did, or in a dry run would do. */
export interface ConsolidationReport {
  readonly owner: string
  /**
   * `busy`: another run is in progress; its lease ends at `until` unless it is renewed. `served`: another scheduler did this one.
   * `idle`: there was nothing to read, and no belief to prune.
   */
  readonly outcome: 'done' | 'idle' | 'busy' | 'served'
  readonly until?: number
  readonly dryRun: boolean
  readonly episodes: number
  readonly clusters: number
  /** Ids of beliefs. */
  readonly created: readonly string[]
  readonly reinforced: readonly string[]
  readonly superseded: readonly string[]
  readonly decayed: readonly Decayed[]
  readonly pruned: readonly string[]
  /** Clusters whose turn failed; their episodes wait. */
  readonly failed: readonly { readonly episodes: readonly string[]; readonly why: string }[]
  /** Episodes that wait for the next run. */
  readonly held: number
  /** There is more than one run reads. */
  readonly more: boolean
  /** What a model was asked in this run and what that cost, where one was asked. */
  readonly spent?: Spent
  /** The same of all runs of this owner up to here; the cursor keeps it. */
  readonly spentInAll?: Spent
  readonly explained?: readonly ClusterExplained[]
}
