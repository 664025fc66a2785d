/** Writes a decision about a belief in one append. The append expects the versions of the cursor and of every belief that it changes. */
import { deriveId, type Draft, type ItemVector } from '@agentm/nodes'
import { contentHash } from '@agentm/storage-seam'
import { semanticMemory } from '@agentm/memory'
import type { Claim } from '../consolidation/claim-cursor.ts'
import { reinforced } from './pure/confidence.ts'
import type { Statement } from './pure/decide-belief.ts'
import type { KnownBelief } from './pure/known-belief.ts'
import { readStatement } from '../statements/pure/statement-difference.ts'
import { stemsOf } from '../statements/pure/word-likeness.ts'

export interface BeliefWrite {
  readonly drafts: readonly Draft[]
  readonly expects: Readonly<Record<string, number>>
  /** The beliefs after the write. */
  readonly after: readonly KnownBelief[]
}

export interface WriteWorld {
  readonly owner: string
  readonly partition: string
  readonly now: number
  readonly bump: number
  readonly vector: ItemVector | undefined
}

export type BeliefStep =
  | { readonly do: 'create'; readonly statement: Statement }
  | { readonly do: 'supersede'; readonly belief: KnownBelief; readonly statement: Statement }
  | {
      readonly do: 'reinforce'
      readonly belief: KnownBelief
      readonly sources: readonly string[]
      readonly evidenceAt: number
    }
  /** Confirmed, but by no new witness. */
  | { readonly do: 'refresh'; readonly belief: KnownBelief; readonly evidenceAt: number }

/** How each step is named where people read what was learned. */
export const outcomeOfStep = {
  create: 'created',
  reinforce: 'reinforced',
  refresh: 'reinforced',
  supersede: 'superseded',
  nothing: 'nothing',
} as const

export function beliefWrite(step: BeliefStep, world: WriteWorld): BeliefWrite {
  if (step.do === 'reinforce' || step.do === 'refresh') return confirmed(step, world)
  const made = newBelief(step.statement, world, step.do === 'supersede' ? step.belief.id : undefined)
  const drafts = [made.draft]
  if (step.do === 'create') return { drafts, expects: { [made.belief.id]: 0 }, after: [made.belief] }
  const { belief } = step
  const over: Draft = {
    concept: semanticMemory.name,
    id: belief.id,
    payload: { status: 'pruned', prunedBy: 'superseded', supersededBy: made.belief.id },
    mutation: 'supersedeHarnessSemanticMemory',
    update: true,
  }
  return {
    drafts: [...drafts, over],
    expects: { [made.belief.id]: 0, [belief.id]: belief.version },
    after: [made.belief, { ...belief, version: belief.version + 1, status: 'pruned', supersededBy: made.belief.id }],
  }
}

export async function appendBelief(claim: Claim, { drafts, expects }: BeliefWrite, partition: string): Promise<void> {
  await claim.append(drafts, { partition, expects })
}

function newBelief(
  { kind, content, confidence, sources, evidenceAt, lesson }: Statement,
  { owner, partition, now, vector }: WriteWorld,
  supersedes: string | undefined,
): { readonly draft: Draft; readonly belief: KnownBelief } {
  const id = deriveId(semanticMemory.name, owner, partition, contentHash(content), ...sources)
  const time = new Date(now).toISOString()
  const draft: Draft = {
    concept: semanticMemory.name,
    id,
    mutation: 'createHarnessSemanticMemory',
    payload: {
      ownerUserId: owner,
      kind,
      content,
      sourceEpisodes: sources,
      confidence,
      baseConfidence: confidence,
      reinforceCount: 1,
      lastReinforced: time,
      formedAt: time,
      evidenceAt: new Date(evidenceAt).toISOString(),
      status: 'active',
      provenance: 'distilled',
      ...(supersedes === undefined ? {} : { supersedes }),
      ...(lesson === undefined ? {} : { origin: 'sessions', lesson: lesson.kind }),
      ...(lesson?.subject === undefined ? {} : { subject: lesson.subject }),
    },
    ...(vector === undefined ? {} : { vector }),
  }
  const belief: KnownBelief = {
    id,
    version: 1,
    partition,
    status: 'active',
    kind,
    content,
    sources,
    confidence,
    base: confidence,
    lastReinforced: time,
    reinforceCount: 1,
    evidenceAt,
    isOperators: false,
    isRemoved: false,
    isAccepted: false,
    isWaiting: lesson !== undefined,
    lesson: lesson?.kind,
    subject: lesson?.subject,
    supersededBy: undefined,
    editedFrom: [],
    stems: stemsOf(content),
    reading: readStatement(content),
  }
  return { draft, belief }
}

function confirmed(
  step: Extract<BeliefStep, { readonly do: 'reinforce' | 'refresh' }>,
  { now, bump }: WriteWorld,
): BeliefWrite {
  const { belief } = step
  const isSurer = step.do === 'reinforce'
  const confidence = isSurer ? reinforced(belief.confidence, bump) : (belief.base ?? belief.confidence)
  const evidenceAt = Math.max(belief.evidenceAt, step.evidenceAt)
  const lastReinforced = new Date(now).toISOString()
  const reinforceCount = belief.reinforceCount + (isSurer ? 1 : 0)
  const sources = isSurer ? step.sources : belief.sources
  const draft: Draft = {
    concept: semanticMemory.name,
    id: belief.id,
    mutation: isSurer ? 'reinforceHarnessSemanticMemory' : 'refreshHarnessSemanticMemory',
    update: true,
    payload: {
      confidence,
      baseConfidence: confidence,
      lastReinforced,
      evidenceAt: new Date(evidenceAt).toISOString(),
      ...(isSurer ? { sourceEpisodes: sources, reinforceCount } : {}),
    },
  }
  const version = belief.version + 1
  const after = {
    ...belief,
    version,
    sources,
    confidence,
    base: confidence,
    lastReinforced,
    reinforceCount,
    evidenceAt,
  }
  return { drafts: [draft], expects: { [belief.id]: belief.version }, after: [after] }
}
