/** One cluster: asked, compared, written. What goes wrong here is this cluster's alone. */
import { isNodesError, mergeProvenance, redactSecrets } from '@agentm/nodes'
import { isMemoryError } from '../memory-errors.ts'
import type { Claim } from './claim-cursor.ts'
import type { ConsolidationContext } from './consolidation-context.ts'
import type { ClusterExplained } from './consolidation-report.ts'
import type { Distilled } from './distiller.ts'
import { embedTexts, neighboursOf } from './gather-clusters.ts'
import type { KnownBeliefs } from './known-beliefs.ts'
import { type BeliefDecision, decideBelief, type Near, type Statement } from './pure/decide-belief.ts'
import type { Episode } from './pure/episode.ts'
import type { DistillUsage } from './pure/spent.ts'
import { ungroundedIn } from './pure/grounded.ts'
import { stemsOf, wordLikeness } from './pure/word-likeness.ts'
import { appendBelief, beliefWrite } from './write-belief.ts'

export interface LearningWorld {
  readonly context: ConsolidationContext
  readonly owner: string
  readonly beliefs: KnownBeliefs
  readonly claim: Claim | undefined
  readonly now: number
  /** Of the log as this batch saw it. */
  readonly end: number
  readonly onUsage: (usage: DistillUsage) => void
}

export async function learnFrom(cluster: readonly Episode[], world: LearningWorld): Promise<ClusterExplained> {
  const partition = cluster[0]?.partition ?? ''
  const said = { partition, episodes: cluster.map(({ id }) => id) }
  try {
    return { ...said, ...(await learn(cluster, partition, world)) }
  } catch (error) {
    // The right to go on was lost: whoever has it now reads these episodes again.
    if (world.claim?.signal.aborted === true || isMemoryError(error, 'CONSOLIDATION_LOST')) throw error
    return { ...said, outcome: 'failed', why: error instanceof Error ? error.message : String(error) }
  }
}

type Learned = Omit<ClusterExplained, 'partition' | 'episodes'>

async function learn(cluster: readonly Episode[], partition: string, world: LearningWorld): Promise<Learned> {
  const { context, beliefs, owner, end } = world
  const ids = cluster.map(({ id }) => id)
  const known = beliefs.active().find(({ sources }) => ids.every((id) => sources.includes(id)))
  if (known !== undefined) return { outcome: 'nothing', why: 'the belief has these episodes already', belief: known.id }
  const isFew = cluster.length < context.distiller.leastEpisodes
  const all = isFew ? [...(await neighboursOf(context, { owner, cluster, end })), ...cluster] : cluster
  if (all.length < context.distiller.leastEpisodes) return { outcome: 'nothing', why: 'it was said only once' }
  if (all.every(({ voice }) => voice === 'hearsay'))
    return { outcome: 'nothing', why: 'only tools said it, and what they bring may come from anybody' }
  const hints = await hintsFor(all, partition, world)
  const distilled = await ask(all, hints, world)
  if (!distilled.distilled) return { outcome: 'nothing', why: distilled.why }
  const texts = [...all.map(({ content }) => content), ...hints.map(({ belief }) => belief.content)]
  const madeUp = ungroundedIn(distilled.content, texts)
  if (madeUp !== undefined)
    return {
      outcome: 'nothing',
      why: `it says ${JSON.stringify(madeUp)}, and no episode does`,
      content: distilled.content,
    }
  return settle(statementOf(distilled, all, hints), partition, world)
}

async function ask(
  episodes: readonly Episode[],
  hints: readonly Near[],
  { context, claim, onUsage }: LearningWorld,
): Promise<Distilled> {
  const { distiller, ownerContext, signal } = context
  return distiller.distill({
    episodes: episodes.map(({ id, kind, content, createdAt, voice }) => ({ id, kind, content, createdAt, voice })),
    existingHints: hints.map(({ belief: { id, kind, content } }) => ({ id, kind, content })),
    ...(ownerContext === undefined ? {} : { ownerContext }),
    signal: claim?.signal ?? signal ?? new AbortController().signal,
    onUsage,
  })
}

const mostHints = 5

/** The active beliefs nearest to the newest episode. */
async function hintsFor(
  episodes: readonly Episode[],
  partition: string,
  { context, beliefs }: LearningWorld,
): Promise<readonly Near[]> {
  const text = episodes.at(-1)?.content ?? ''
  const [vector] = await embedTexts(context, [text])
  const near = (await beliefs.near(text, partition, vector)).filter(({ belief }) => belief.status === 'active')
  const stems = stemsOf(text)
  const { nearness } = context
  return near
    .map((each) => ({
      each,
      by:
        each.similarity === undefined
          ? wordLikeness(stems, each.belief.stems) - nearness.wordCluster
          : each.similarity - nearness.cluster,
    }))
    .filter(({ by }) => by >= 0)
    .toSorted((a, b) => b.by - a.by || (a.each.belief.id < b.each.belief.id ? -1 : 1))
    .slice(0, mostHints)
    .map(({ each }) => each)
}

// A model that is quite sure of what it read last night is not yet right.
const mostConfidence = 0.9

function statementOf(
  distilled: Extract<Distilled, { readonly distilled: true }>,
  episodes: readonly Episode[],
  hints: readonly Near[],
): Statement {
  const from = episodes.filter(({ id }) => distilled.from?.includes(id) ?? true)
  const isHint = hints.some(({ belief }) => belief.id === distilled.contradicts)
  return {
    kind: distilled.kind,
    content: redactSecrets(distilled.content.trim()),
    confidence: Math.min(mostConfidence, Math.max(0, distilled.confidence)),
    sources: mergeProvenance(
      [],
      from.map(({ id }) => id),
    ),
    evidenceAt: Math.max(0, ...from.map(({ createdAt }) => createdAt)),
    contradicts: isHint ? distilled.contradicts : undefined,
  }
}

async function settle(statement: Statement, partition: string, world: LearningWorld): Promise<Learned> {
  const { context, beliefs, owner, claim, now } = world
  const [vector] = await embedTexts(context, [statement.content])
  for (;;) {
    const near = await beliefs.near(statement.content, partition, vector)
    const decision = decideBelief(statement, near, context.nearness)
    if (decision.do === 'nothing') return explained(decision, statement, undefined)
    if (decision.do !== 'reinforce' && statement.confidence <= context.settings.pruneConfidence)
      return { outcome: 'nothing', why: 'too little is sure about it', content: statement.content }
    const bump = context.settings.reinforceBump
    const write = beliefWrite(statement, decision, { owner, partition, now, bump, vector })
    try {
      if (claim !== undefined) await appendBelief(claim, write, partition)
    } catch (error) {
      const moved = movedBelief(error, Object.keys(write.expects))
      // It may be written all the same: what comes next in this run must not learn it a second time.
      if (moved === undefined && !isMemoryError(error, 'CONSOLIDATION_LOST')) await beliefs.read()
      if (moved === undefined) throw error
      await beliefs.refresh(moved)
      if (write.expects[moved] === 0)
        return { outcome: 'nothing', why: 'it was learned from these episodes before', belief: moved }
      continue
    }
    for (const belief of write.after) beliefs.set(belief, belief.version === 1 ? vector : undefined)
    return explained(decision, statement, write.after[0]?.id)
  }
}

const outcomes = { create: 'created', reinforce: 'reinforced', supersede: 'superseded', nothing: 'nothing' } as const

function explained(decision: BeliefDecision, { content }: Statement, belief: string | undefined): Learned {
  const instead = decision.do === 'supersede' ? decision.belief.id : undefined
  const known = decision.do === 'nothing' ? decision.belief : belief
  return {
    outcome: outcomes[decision.do],
    content,
    ...(decision.do === 'nothing' ? { why: decision.why } : {}),
    ...(known === undefined ? {} : { belief: known }),
    ...(instead === undefined ? {} : { instead }),
  }
}

function movedBelief(error: unknown, ids: readonly string[]): string | undefined {
  if (!isNodesError(error, 'VERSION_CONFLICT') || !('id' in error)) return undefined
  return ids.find((id) => id === error.id)
}
