/** Makes a belief of what a distiller said: decides what to do with the statement beside the known beliefs, and writes it. */
import { isNodesError } from '@agentm/nodes'
import { mergeProvenance } from '@agentm/nodes/store-kit'
import { type BeliefDecision, decideBelief, type Near, type Statement } from '../beliefs/pure/decide-belief.ts'
import type { KnownBeliefs } from '../beliefs/known-beliefs.ts'
import type { KnownBelief } from '../beliefs/pure/known-belief.ts'
import { appendBelief, type BeliefStep, beliefWrite, outcomeOfStep } from '../beliefs/write-belief.ts'
import type { Episode } from '../episodes/pure/episode.ts'
import { isLearningError } from '../learning-errors.ts'
import { readingDifference, readStatement } from '../statements/pure/statement-difference.ts'
import { stemsOf, wordLikeness } from '../statements/pure/word-likeness.ts'
import { embedTexts } from './embed-texts.ts'
import { type Learned, type LearningWorld, saidOnce } from './learning-world.ts'

/** The confidence of a model is capped, because a model can be sure and wrong. */
const mostConfidence = 0.9

export interface Proposal {
  readonly kind: Statement['kind']
  readonly content: string
  readonly confidence: number
  readonly contradicts: string | undefined
}

export async function settleStatement(
  proposal: Proposal,
  from: readonly Episode[],
  world: LearningWorld,
): Promise<Learned> {
  const { context, beliefs, owner, claim, now } = world
  const { content } = proposal
  const partition = from[0]?.partition ?? ''
  const [vector] = await embedTexts(context, [content])
  for (;;) {
    const near = await beliefs.near(content, partition, vector, proposal.contradicts)
    const step = await stepOf(proposal, sinceSuperseded(content, near, from, beliefs), near, world)
    if (step.do === 'nothing') return explained(step, content, step.belief)
    const bump = context.settings.reinforceBump
    const write = beliefWrite(step, { owner, partition, now, bump, vector })
    try {
      if (claim !== undefined) await appendBelief(claim, write, partition)
    } catch (error) {
      const moved = movedBelief(error, Object.keys(write.expects))
      // The write may have succeeded all the same. The belief is read again, so that this run does not learn it twice.
      if (moved === undefined && !isLearningError(error, 'CONSOLIDATION_LOST')) await beliefs.read()
      if (moved === undefined) throw error
      await beliefs.refresh(moved)
      if (write.expects[moved] === 0)
        return { outcome: 'nothing', why: 'it was learned from these episodes before', belief: moved }
      continue
    }
    for (const belief of write.after) beliefs.set(belief, belief.version === 1 ? vector : undefined)
    return explained(step, content, write.after[0]?.id)
  }
}

type Nothing = Extract<BeliefDecision, { readonly do: 'nothing' }>

async function stepOf(
  proposal: Proposal,
  from: readonly Episode[],
  near: readonly Near[],
  world: LearningWorld,
): Promise<BeliefStep | Nothing> {
  const { context, evidence } = world
  const own = from.filter(({ voice }) => voice === 'own')
  if (own.length === 0) return { do: 'nothing', why: 'a newer belief took its place' }
  const decision = decideBelief(statementOf(proposal, from, own), near, context.nearness)
  if (decision.do === 'nothing') return decision
  if (decision.do === 'reinforce') return confirmation(proposal, from, decision.belief, world)
  const firstHand = await evidence.firstHand(proposal.content, own)
  if (firstHand.length === 0) return { do: 'nothing', why: 'a tool printed it before anybody said it' }
  if ((await evidence.witnesses(firstHand)).size < context.distiller.leastEpisodes)
    return { do: 'nothing', why: saidOnce }
  const statement = statementOf(proposal, from, firstHand)
  if (statement.confidence <= context.settings.pruneConfidence)
    return { do: 'nothing', why: 'too little is sure about it' }
  // Without episodes that only repeat a tool, it may be older than the belief it contradicts.
  const settled = decideBelief(statement, near, context.nearness)
  if (settled.do === 'nothing') return settled
  return settled.do === 'reinforce' ? confirmation(proposal, from, settled.belief, world) : { ...settled, statement }
}

const dayMs = 86_400_000

/** A confirmation for a new goal raises the confidence. A confirmation for a known goal only renews the time. */
async function confirmation(
  { content }: Proposal,
  from: readonly Episode[],
  belief: KnownBelief,
  { evidence }: LearningWorld,
): Promise<BeliefStep | Nothing> {
  const before = await evidence.witnessesOf(belief.sources)
  const added: Episode[] = []
  for (const episode of from.filter(({ id, voice }) => voice === 'own' && !belief.sources.includes(id)))
    if (!before.has(await evidence.witness(episode)) && !(await evidence.isEcho(content, episode))) added.push(episode)
  const last = from.findLast(({ voice }) => voice === 'own')
  if (added.length > 0) {
    const beside = from.filter(({ voice }) => voice === 'hearsay')
    const sources = mergeProvenance(
      belief.sources,
      [...beside, ...added].toSorted((a, b) => a.seq - b.seq).map(({ id }) => id),
    )
    return { do: 'reinforce', belief, sources, evidenceAt: Math.max(...added.map(({ createdAt }) => createdAt)) }
  }
  const isNews = last !== undefined && last.createdAt >= belief.evidenceAt + dayMs && !belief.isOperators
  if (isNews && !(await evidence.isEcho(content, last))) return { do: 'refresh', belief, evidenceAt: last.createdAt }
  const why = 'the belief has these episodes already, or others for the same goal'
  return { do: 'nothing', why, belief: belief.id }
}

/** After a statement was replaced, only newer episodes count for it. A late repetition of the old statement is ignored. */
function sinceSuperseded(
  content: string,
  near: readonly Near[],
  episodes: readonly Episode[],
  beliefs: KnownBeliefs,
): readonly Episode[] {
  const [reading, stems] = [readStatement(content), stemsOf(content)]
  const successors = near.flatMap(({ belief }) => {
    const over = belief.supersededBy
    const isSame = over !== undefined && readingDifference(reading, belief.reading) === undefined
    const successor = isSame ? beliefs.get(over) : undefined
    const isLike = isSame && wordLikeness(stems, belief.stems) >= sameStatement
    return isLike && successor?.status === 'active' ? [successor.evidenceAt] : []
  })
  const since = Math.max(-Infinity, ...successors)
  return since === -Infinity ? episodes : episodes.filter(({ createdAt }) => createdAt > since)
}

const sameStatement = 0.75

function statementOf(
  { kind, content, confidence, contradicts }: Proposal,
  from: readonly Episode[],
  witnesses: readonly Episode[],
): Statement {
  const times = witnesses.map(({ createdAt }) => createdAt)
  const oldest = Math.min(...times)
  return {
    kind,
    content,
    confidence: Math.min(mostConfidence, Math.max(0, confidence)),
    // The output of tools at that time supports it, too.
    sources: mergeProvenance(
      [],
      from.filter((each) => each.voice === 'hearsay' || witnesses.some(({ id }) => id === each.id)).map(({ id }) => id),
    ),
    evidenceFrom: oldest,
    evidenceAt: Math.max(0, ...times),
    contradicts,
  }
}

function explained(step: BeliefStep | Nothing, content: string, belief: string | undefined): Learned {
  const instead = step.do === 'supersede' ? step.belief.id : undefined
  return {
    outcome: outcomeOfStep[step.do],
    content,
    ...(step.do === 'nothing' ? { why: step.why } : {}),
    ...(step.do === 'refresh' ? { why: 'a goal that said so before says it again: kept fresh, and no surer' } : {}),
    ...(belief === undefined ? {} : { belief }),
    ...(instead === undefined ? {} : { instead }),
  }
}

function movedBelief(error: unknown, ids: readonly string[]): string | undefined {
  if (!isNodesError(error, 'VERSION_CONFLICT') || !('id' in error)) return undefined
  return ids.find((id) => id === error.id)
}
