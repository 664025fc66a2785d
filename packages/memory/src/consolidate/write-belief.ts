/** A decision about a belief as one append, fenced by the cursor and by the version of every belief it touches. */
import { deriveId, type Draft, type ItemVector } from '@agentm/nodes'
import { contentHash } from '@agentm/storage-seam'
import { semanticMemory } from '../semantic-memory.ts'
import type { Claim } from './claim-cursor.ts'
import { reinforced } from './pure/confidence.ts'
import type { BeliefDecision, Statement } from './pure/decide-belief.ts'
import type { KnownBelief } from './pure/known-belief.ts'
import { readStatement } from './pure/statement-difference.ts'
import { stemsOf } from './pure/word-likeness.ts'

export interface BeliefWrite {
  readonly drafts: readonly Draft[]
  readonly expects: Readonly<Record<string, number>>
  /** The beliefs as they are afterwards. */
  readonly after: readonly KnownBelief[]
}

export interface WriteWorld {
  readonly owner: string
  readonly partition: string
  readonly now: number
  readonly bump: number
  readonly vector: ItemVector | undefined
}

export function beliefWrite(
  statement: Statement,
  decision: Exclude<BeliefDecision, { readonly do: 'nothing' }>,
  world: WriteWorld,
): BeliefWrite {
  if (decision.do === 'reinforce') return reinforcement(statement, decision, world)
  const made = newBelief(statement, world, decision.do === 'supersede' ? decision.belief.id : undefined)
  const drafts = [made.draft]
  if (decision.do === 'create') return { drafts, expects: { [made.belief.id]: 0 }, after: [made.belief] }
  const { belief } = decision
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
    after: [made.belief, { ...belief, version: belief.version + 1, status: 'pruned' }],
  }
}

export async function appendBelief(claim: Claim, { drafts, expects }: BeliefWrite, partition: string): Promise<void> {
  await claim.append(drafts, { partition, expects })
}

function newBelief(
  { kind, content, confidence, sources, evidenceAt }: Statement,
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
    editedFrom: [],
    stems: stemsOf(content),
    reading: readStatement(content),
  }
  return { draft, belief }
}

function reinforcement(
  { evidenceAt }: Statement,
  { belief, sources }: { readonly belief: KnownBelief; readonly sources: readonly string[] },
  { now, bump }: WriteWorld,
): BeliefWrite {
  const confidence = reinforced(belief.confidence, bump)
  const newest = Math.max(belief.evidenceAt, evidenceAt)
  const time = new Date(now).toISOString()
  const draft: Draft = {
    concept: semanticMemory.name,
    id: belief.id,
    mutation: 'reinforceHarnessSemanticMemory',
    update: true,
    payload: {
      sourceEpisodes: sources,
      confidence,
      baseConfidence: confidence,
      reinforceCount: belief.reinforceCount + 1,
      lastReinforced: time,
      evidenceAt: new Date(newest).toISOString(),
    },
  }
  const after: KnownBelief = {
    ...belief,
    version: belief.version + 1,
    sources,
    confidence,
    base: confidence,
    reinforceCount: belief.reinforceCount + 1,
    lastReinforced: time,
    evidenceAt: newest,
  }
  return { drafts: [draft], expects: { [belief.id]: belief.version }, after: [after] }
}
