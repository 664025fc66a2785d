/** What a run did, or would do in a dry run. */
import type { Decayed } from '../beliefs/decay-beliefs.ts'
import type { Spent } from '../distillers/pure/spent.ts'

/** What to consolidate, and how. */
export interface ConsolidationRequest {
  readonly owner: string
  /** Reports what would be done, and writes nothing. */
  readonly dryRun?: boolean
  /** Reports the decision about each cluster, and the reason. */
  readonly explain?: boolean
  /** The time this run was scheduled for, in epoch milliseconds. If several schedulers start it, only one does the work. */
  readonly scheduledFor?: number
  /** The schedule in words. It is stored with the cursor. */
  readonly schedule?: string
  /** Called with the number of episodes read so far. */
  readonly onProgress?: (episodes: number) => void
}

/** What was decided about one cluster of episodes, and why. */
export interface ClusterExplained {
  readonly partition: string
  readonly episodes: readonly string[]
  readonly outcome: 'created' | 'reinforced' | 'superseded' | 'nothing' | 'failed'
  readonly why?: string
  readonly content?: string
  readonly belief?: string
  /** The belief that it replaced. */
  readonly instead?: string
}

/** What a run did, or would do in a dry run. */
export interface ConsolidationReport {
  readonly owner: string
  /**
   * `busy`: another run is in progress; its lease ends at `until` unless it is renewed. `served`: another scheduler already did
   * this run. `idle`: there were no new episodes, and no belief to prune.
   */
  readonly outcome: 'done' | 'idle' | 'busy' | 'served'
  readonly until?: number
  readonly dryRun: boolean
  readonly episodes: number
  readonly clusters: number
  /** The ids of new beliefs. */
  readonly created: readonly string[]
  readonly reinforced: readonly string[]
  readonly superseded: readonly string[]
  readonly decayed: readonly Decayed[]
  readonly pruned: readonly string[]
  /** Clusters that failed. Their episodes wait for the next run. */
  readonly failed: readonly { readonly episodes: readonly string[]; readonly why: string }[]
  /** How many episodes wait for the next run. */
  readonly held: number
  /** Whether episodes are left, because one run has a limit. */
  readonly more: boolean
  /** What the questions to a model cost in this run, if a model was asked. */
  readonly spent?: Spent
  /** What the questions have cost in all runs of this owner so far; stored in the cursor. */
  readonly spentInAll?: Spent
  readonly explained?: readonly ClusterExplained[]
}
