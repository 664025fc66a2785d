/** The data of a belief that consolidation decides with. */
import type { Head, Node } from '@agentm/nodes'
import type { BeliefKind } from '../../distillers/distiller.ts'
import { type Reading, readStatement } from '../../statements/pure/statement-difference.ts'
import { stemsOf } from '../../statements/pure/word-likeness.ts'

export interface KnownBelief {
  readonly id: string
  readonly version: number
  readonly partition: string
  readonly status: 'active' | 'pruned'
  readonly kind: BeliefKind
  readonly content: string
  readonly sources: readonly string[]
  readonly confidence: number
  /** The confidence at the last confirmation; absent in beliefs of older versions. */
  readonly base: number | undefined
  readonly lastReinforced: string
  readonly reinforceCount: number
  /** Epoch milliseconds. */
  readonly evidenceAt: number
  /** A person wrote its text. */
  readonly isOperators: boolean
  /** A person removed it. */
  readonly isRemoved: boolean
  /** A person made a note of it. */
  readonly isAccepted: boolean
  /** It was learned from agent sessions, and no person has decided about it yet. */
  readonly isWaiting: boolean
  /** What kind of lesson it is, if it was learned from agent sessions. */
  readonly lesson: string | undefined
  /** What it is about, if a newer lesson about the same replaces it. */
  readonly subject: string | undefined
  /** The belief that replaced it, if there is one. */
  readonly supersededBy: string | undefined
  readonly editedFrom: readonly string[]
  readonly stems: ReadonlySet<string>
  readonly reading: Reading
}

export function knownBelief(node: Head | Node): KnownBelief | undefined {
  const { id, version, partition, payload, redacted, status } = node
  if (redacted) return undefined
  const text = (name: string) => (typeof payload[name] === 'string' ? payload[name] : '')
  const texts = (name: string) => (Array.isArray(payload[name]) ? payload[name].map(String) : [])
  const number = (name: string) => (typeof payload[name] === 'number' ? payload[name] : undefined)
  const kind = text('kind')
  return {
    id,
    version,
    partition,
    status: status === 'active' ? 'active' : 'pruned',
    kind: kind === 'preference' || kind === 'outcome' ? kind : 'fact',
    content: text('content'),
    sources: texts('sourceEpisodes'),
    confidence: number('confidence') ?? 0.5,
    base: number('baseConfidence'),
    lastReinforced: text('lastReinforced'),
    reinforceCount: number('reinforceCount') ?? 1,
    evidenceAt: Date.parse(text('evidenceAt')) || Date.parse(text('lastReinforced')) || 0,
    isOperators: payload['provenance'] === 'operator',
    isRemoved: status !== 'active' && payload['prunedBy'] === 'operator',
    isAccepted: payload['prunedBy'] === 'accepted',
    isWaiting: status === 'active' && payload['origin'] === 'sessions' && text('confirmedAt') === '',
    lesson: text('lesson') || undefined,
    subject: text('subject') || undefined,
    supersededBy: text('supersededBy') || undefined,
    editedFrom: texts('editedFrom'),
    stems: stemsOf(text('content')),
    reading: readStatement(text('content')),
  }
}
