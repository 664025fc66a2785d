/** What learning from clusters of episodes needs, and what became of one of them. */
import type { KnownBeliefs } from '../beliefs/known-beliefs.ts'
import type { DistillerLine } from '../distillers/ask-distiller.ts'
import type { DistillUsage } from '../distillers/pure/spent.ts'
import type { Evidence } from '../episodes/evidence.ts'
import type { Claim } from './claim-cursor.ts'
import type { ConsolidationContext } from './consolidation-context.ts'
import type { ClusterExplained } from './consolidation-report.ts'

export interface LearningWorld {
  readonly context: ConsolidationContext
  readonly owner: string
  readonly beliefs: KnownBeliefs
  readonly evidence: Evidence
  readonly line: DistillerLine
  readonly claim: Claim | undefined
  /** Yields to other work and renews the lease. */
  readonly breathe: () => Promise<void>
  readonly now: number
  /** The position of the log when the batch was read. */
  readonly end: number
  /** Whether a sentence is only a manner of speaking, said about many different things. */
  readonly isPhrase: (text: string) => boolean
  readonly onUsage: (usage: DistillUsage) => void
}

export type Learned = Omit<ClusterExplained, 'partition' | 'episodes'>

/** Why a cluster led to nothing. */
export const saidOnce = 'it was said only once, or only for one goal'
