/** Beliefs in the words of the page. */
import { redactSecrets } from '@agentm/nodes'
import type { BeliefRow, BeliefShelfName, BeliefVersion } from '../../contract/beliefs.ts'
import { short } from '../../pure/short.ts'

/** What the shelf of beliefs tells of one. */
export interface ShelvedFacts {
  readonly id: string
  readonly kind: string
  readonly content: string
  readonly status: 'active' | 'pruned'
  readonly confidence: number
  readonly lastReinforced: string
  readonly partition: string
  readonly provenance: 'distilled' | 'operator'
  readonly sources: readonly string[]
  readonly prunedBy?: string
  readonly isUnconfirmed?: true
}

export function beliefRow(belief: ShelvedFacts): BeliefRow {
  const { id, kind, content, status, confidence, lastReinforced, partition, provenance, sources, prunedBy } = belief
  return {
    id: short(id),
    statement: redactSecrets(content),
    kind,
    status,
    confidence: Number.isFinite(confidence) ? Math.min(1, Math.max(0, confidence)) : 0,
    project: partition,
    isPersons: provenance === 'operator',
    isUnconfirmed: belief.isUnconfirmed === true && status === 'active',
    sources: sources.length,
    confirmedAt: Date.parse(lastReinforced) || 0,
    ...(prunedBy === undefined ? {} : { prunedBy }),
  }
}

export function shelfOf({ status, isUnconfirmed }: BeliefRow): BeliefShelfName {
  if (status === 'pruned') return 'forgotten'
  return isUnconfirmed ? 'waiting' : 'active'
}

/** What a version changed, by the name of the change in the log. */
export function versionWord(mutation: string): BeliefVersion['what'] {
  return words.get(mutation) ?? 'changed'
}

const words: ReadonlyMap<string, BeliefVersion['what']> = new Map<string, BeliefVersion['what']>(
  Object.entries({
    createHarnessSemanticMemory: 'learned',
    reinforceHarnessSemanticMemory: 'strengthened',
    refreshHarnessSemanticMemory: 'strengthened',
    confirmSemanticMemory: 'confirmed',
    acceptLesson: 'confirmed',
    editSemanticMemory: 'worded anew',
    editLesson: 'worded anew',
    decayHarnessSemanticMemory: 'faded',
    pruneHarnessSemanticMemory: 'forgotten',
    forgetSemanticMemory: 'forgotten',
    rejectLesson: 'forgotten',
    supersedeHarnessSemanticMemory: 'replaced',
    withdrawLesson: 'replaced',
    restoreSemanticMemory: 'restored',
  } as const),
)
