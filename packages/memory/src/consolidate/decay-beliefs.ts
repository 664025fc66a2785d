/** Lets go, a little, of what nothing confirmed. What a person wrote stays until a person removes it. */
import { type Draft, isNodesError } from '@agentm/nodes'
import { semanticMemory } from '../semantic-memory.ts'
import type { Claim } from './claim-cursor.ts'
import type { ConsolidationContext } from './consolidation-context.ts'
import type { KnownBeliefs } from './known-beliefs.ts'
import { decayed, isSame, shouldPrune } from './pure/confidence.ts'
import type { KnownBelief } from './pure/known-belief.ts'

export interface Decayed {
  readonly id: string
  readonly from: number
  readonly to: number
  readonly pruned: boolean
}

/** Without a claim it only says what it would do. */
export async function decayBeliefs(
  context: ConsolidationContext,
  {
    owner,
    beliefs,
    claim,
    now,
  }: {
    readonly owner: string
    readonly beliefs: KnownBeliefs
    readonly claim: Claim | undefined
    readonly now: number
  },
): Promise<readonly Decayed[]> {
  const done: Decayed[] = []
  for (const belief of beliefs.active()) {
    if (belief.isOperators) continue
    const change = await changeOf(context, { owner, belief, now })
    if (change !== undefined && (await write(claim, belief, change))) {
      if (claim !== undefined) await beliefs.refresh(belief.id)
      done.push(change)
    }
  }
  return done
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
  const pruned = shouldPrune(to, settings.pruneConfidence)
  if (!pruned && isSame(to, belief.confidence)) return undefined
  return { id: belief.id, from: belief.confidence, to, pruned }
}

/** Beliefs of older versions do not carry it: it is what they had when they were last confirmed. */
async function baseInHistory({ store }: ConsolidationContext, owner: string, belief: KnownBelief): Promise<number> {
  const versions = await store.log.history(belief.id, { owner })
  const confirmed = versions.find(({ payload }) => payload['lastReinforced'] === belief.lastReinforced)
  const confidence = confirmed?.payload['confidence']
  return typeof confidence === 'number' ? confidence : belief.confidence
}

/** False where somebody wrote it meanwhile; the next run looks again. */
async function write(claim: Claim | undefined, belief: KnownBelief, { to, pruned }: Decayed): Promise<boolean> {
  if (claim === undefined) return true
  const draft: Draft = {
    concept: semanticMemory.name,
    id: belief.id,
    update: true,
    payload: { confidence: to, ...(pruned ? { status: 'pruned', prunedBy: 'decay' } : {}) },
    mutation: pruned ? 'pruneHarnessSemanticMemory' : 'decayHarnessSemanticMemory',
  }
  try {
    await claim.append([draft], { expects: { [belief.id]: belief.version } })
    return true
  } catch (error) {
    if (!isNodesError(error, 'VERSION_CONFLICT') || !('id' in error) || error.id !== belief.id) throw error
    return false
  }
}
