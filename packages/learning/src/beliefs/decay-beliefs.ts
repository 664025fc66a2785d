/** Lowers the confidence of beliefs that nothing has confirmed. A belief that a person wrote stays until a person removes it. */
import { type Draft, isNodesError } from '@agentm/nodes'
import { isRoutineStatement } from '@agentm/memory/ranking'
import { semanticMemory } from '@agentm/memory'
import type { Claim } from '../consolidation/claim-cursor.ts'
import type { ConsolidationContext } from '../consolidation/consolidation-context.ts'
import type { KnownBeliefs } from './known-beliefs.ts'
import { decayed, isSame, shouldPrune } from './pure/confidence.ts'
import type { KnownBelief } from './pure/known-belief.ts'

export interface Decayed {
  readonly id: string
  readonly from: number
  readonly to: number
  readonly pruned: boolean
}

// The most drafts in one append.
const together = 100

/** Without a claim it only returns what it would do. */
export async function decayBeliefs(
  context: ConsolidationContext,
  { owner, beliefs, claim, breathe, now }: DecayWorld,
): Promise<readonly Decayed[]> {
  const changes: Change[] = []
  for (const belief of beliefs.active()) {
    if (belief.isOperators) continue
    await breathe()
    const change = await changeOf(context, { owner, belief, now })
    if (change !== undefined) changes.push({ belief, change })
  }
  if (claim === undefined) return changes.map(({ change }) => change)
  const done: Decayed[] = []
  for (let i = 0; i < changes.length; i += together) {
    const written = await write(claim, changes.slice(i, i + together))
    for (const { belief } of written) await beliefs.refresh(belief.id)
    done.push(...written.map(({ change }) => change))
    await breathe()
  }
  return done
}

export interface DecayWorld {
  readonly owner: string
  readonly beliefs: KnownBeliefs
  readonly claim: Claim | undefined
  readonly breathe: () => Promise<void>
  readonly now: number
}

interface Change {
  readonly belief: KnownBelief
  readonly change: Decayed
}

async function changeOf(
  context: ConsolidationContext,
  { owner, belief, now }: { readonly owner: string; readonly belief: KnownBelief; readonly now: number },
): Promise<Decayed | undefined> {
  const { settings } = context
  const since = Date.parse(belief.lastReinforced)
  const isPast = decayed(1, { since, now }, settings) < 1
  const base = belief.base ?? (isPast ? await baseInHistory(context, owner, belief) : belief.confidence)
  const to = decayed(base, { since, now }, settings)
  // Older versions stored how a step had ended. Nobody needs such beliefs.
  const pruned = shouldPrune(to, settings.pruneConfidence) || isRoutineStatement(belief.content)
  if (!pruned && isSame(to, belief.confidence)) return undefined
  return { id: belief.id, from: belief.confidence, to, pruned }
}

/** Beliefs of older versions have no base confidence, so it is read from the version of their last confirmation. */
async function baseInHistory({ store }: ConsolidationContext, owner: string, belief: KnownBelief): Promise<number> {
  const versions = await store.log.history(belief.id, { owner })
  const confirmed = versions.find(({ payload }) => payload['lastReinforced'] === belief.lastReinforced)
  const confidence = confirmed?.payload['confidence']
  return typeof confidence === 'number' ? confidence : belief.confidence
}

/** Returns the changes that were written. If another process changed a belief meanwhile, the next run handles it. */
async function write(claim: Claim, changes: readonly Change[]): Promise<readonly Change[]> {
  if (changes.length === 0) return []
  const drafts = changes.map(({ belief, change }) => draftOf(belief, change))
  const expects = Object.fromEntries(changes.map(({ belief }) => [belief.id, belief.version]))
  try {
    await claim.append(drafts, { expects })
    return changes
  } catch (error) {
    const moved = isNodesError(error, 'VERSION_CONFLICT') && 'id' in error ? error.id : undefined
    const others = changes.filter(({ belief }) => belief.id !== moved)
    if (others.length === changes.length) throw error
    return write(claim, others)
  }
}

function draftOf(belief: KnownBelief, { to, pruned }: Decayed): Draft {
  return {
    concept: semanticMemory.name,
    id: belief.id,
    update: true,
    payload: { confidence: to, ...(pruned ? { status: 'pruned', prunedBy: 'decay' } : {}) },
    mutation: pruned ? 'pruneHarnessSemanticMemory' : 'decayHarnessSemanticMemory',
  }
}
