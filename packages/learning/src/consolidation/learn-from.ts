/**
 * Turns clusters into beliefs: decides which are worth a question, and what to do with the answer. A failure affects only its own
 * cluster.
 */
import { isNodesError, redactSecrets } from '@agentm/nodes'
import { mergeProvenance } from '@agentm/nodes/store-kit'
import { isLearningError } from '../learning-errors.ts'
import type { DistillerLine } from '../distillers/ask-distiller.ts'
import type { Claim } from './claim-cursor.ts'
import type { ConsolidationContext } from './consolidation-context.ts'
import type { ClusterExplained } from './consolidation-report.ts'
import type { Distilled, DistillRequest } from '../distillers/distiller.ts'
import { embedTexts } from './embed-texts.ts'
import type { Evidence } from '../episodes/evidence.ts'
import { neighboursOf } from '../episodes/gather.ts'
import type { KnownBeliefs } from '../beliefs/known-beliefs.ts'
import { type BeliefDecision, decideBelief, type Near, type Statement } from '../beliefs/pure/decide-belief.ts'
import type { Episode } from '../episodes/pure/episode.ts'
import { ungroundedIn } from '../statements/pure/grounded.ts'
import type { KnownBelief } from '../beliefs/pure/known-belief.ts'
import type { DistillUsage } from '../distillers/pure/spent.ts'
import { readingDifference, readStatement } from '../statements/pure/statement-difference.ts'
import { stemsOf, wordLikeness } from '../statements/pure/word-likeness.ts'
import { appendBelief, type BeliefStep, beliefWrite, outcomeOfStep } from '../beliefs/write-belief.ts'

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

type Learned = Omit<ClusterExplained, 'partition' | 'episodes'>

interface Question {
  readonly cluster: readonly Episode[]
  readonly episodes: readonly Episode[]
  readonly hints: readonly Near[]
  readonly request: DistillRequest
}

/** The result for each cluster, in the same order. */
export async function learnFrom(
  clusters: readonly (readonly Episode[])[],
  world: LearningWorld,
): Promise<readonly ClusterExplained[]> {
  const looked: (Learned | Question)[] = []
  for (const cluster of clusters) looked.push(await guarded(world, async () => looking(cluster, world)))
  const questions = looked.filter((each) => 'request' in each)
  const answers = world.line.ask(questions.map(({ request }) => request))
  const learned = new Map<Question, Learned>()
  for (const question of questions) {
    const answer = await answers.next()
    // Each answer is written before the next question, so that a run that dies repeats no question.
    learned.set(question, await guarded(world, async () => learn(question, answer.value, world)))
  }
  return looked.map((each, i) => {
    const cluster = clusters[i] ?? []
    const what = 'request' in each ? learned.get(each) : each
    const said = { partition: cluster[0]?.partition ?? '', episodes: cluster.map(({ id }) => id) }
    return { ...said, ...(what ?? { outcome: 'failed', why: 'it was not asked about' }) }
  })
}

async function guarded<T>(world: LearningWorld, act: () => Promise<T>): Promise<T | Learned> {
  try {
    await world.breathe()
    return await act()
  } catch (error) {
    // The lease was lost. The run that took over reads these episodes again.
    if (world.claim?.signal.aborted === true || isLearningError(error, 'CONSOLIDATION_LOST')) throw error
    return { outcome: 'failed', why: error instanceof Error ? error.message : String(error) }
  }
}

const saidOnce = 'it was said only once, or only for one goal'

/** Whether a cluster is worth a question. */
async function looking(cluster: readonly Episode[], world: LearningWorld): Promise<Learned | Question> {
  const { context, beliefs, owner, end, evidence } = world
  const { distiller } = context
  const isSentences = distiller.gathers === 'sentences'
  const known = isSentences ? undefined : beliefs.restingOn(cluster.map(({ id }) => id))
  if (known !== undefined) return { outcome: 'nothing', why: 'the belief has these episodes already', belief: known.id }
  if (isSentences && world.isPhrase(cluster[0]?.content ?? ''))
    return { outcome: 'nothing', why: 'it is said of many things in the same words' }
  const isFew = !isSentences && cluster.length < distiller.leastEpisodes
  const episodes = isFew ? [...(await neighboursOf(context, { owner, cluster, end })), ...cluster] : cluster
  const own = episodes.filter(({ voice }) => voice === 'own')
  if (own.length === 0)
    return { outcome: 'nothing', why: 'only tools said it, and what they bring may come from anybody' }
  // One witness is enough to confirm a known belief; a new belief needs more.
  const confirms = isSentences && saysKnown(own[0], world)
  if (own.length < distiller.leastEpisodes && !confirms) return { outcome: 'nothing', why: saidOnce }
  const witnesses = (await evidence.witnesses(own)).size
  if (witnesses < distiller.leastEpisodes && !confirms) return { outcome: 'nothing', why: saidOnce }
  const hints = isSentences ? [] : await hintsFor(episodes, world)
  return { cluster, episodes, hints, request: requestOf(episodes, hints, witnesses, world) }
}

/** Whether an active belief says the same in similar words. */
function saysKnown(episode: Episode | undefined, { beliefs, context }: LearningWorld): boolean {
  if (episode === undefined) return false
  const [stems, reading] = [stemsOf(episode.content), readStatement(episode.content)]
  return beliefs
    .alike(episode.content, episode.partition)
    .some(
      ({ belief }) =>
        belief.status === 'active' &&
        wordLikeness(stems, belief.stems) >= context.nearness.wordDedup &&
        readingDifference(reading, belief.reading) === undefined,
    )
}

function requestOf(
  episodes: readonly Episode[],
  hints: readonly Near[],
  witnesses: number,
  { context, claim, onUsage }: LearningWorld,
): DistillRequest {
  const { ownerContext, signal } = context
  return {
    episodes: episodes.map(({ id, kind, content, createdAt, voice }) => ({ id, kind, content, createdAt, voice })),
    existingHints: hints.map(({ belief: { id, kind, content } }) => ({ id, kind, content })),
    witnesses,
    ...(ownerContext === undefined ? {} : { ownerContext }),
    signal: claim?.signal ?? signal ?? new AbortController().signal,
    onUsage,
  }
}

const mostHints = 5

/** The active beliefs nearest to the newest text of an agent. */
async function hintsFor(episodes: readonly Episode[], { context, beliefs }: LearningWorld): Promise<readonly Near[]> {
  const { content: text = '', partition = '' } = episodes.findLast(({ voice }) => voice === 'own') ?? {}
  const [vector] = await embedTexts(context, [text])
  const near = (await beliefs.near(text, partition, vector)).filter(({ belief }) => belief.status === 'active')
  const stems = stemsOf(text)
  const { nearness } = context
  return near
    .map((each) => {
      const byWords = wordLikeness(stems, each.belief.stems) - nearness.wordCluster
      return { each, by: Math.max(byWords, (each.similarity ?? -1) - nearness.cluster) }
    })
    .filter(({ by }) => by >= 0)
    .toSorted((a, b) => b.by - a.by || (a.each.belief.id < b.each.belief.id ? -1 : 1))
    .slice(0, mostHints)
    .map(({ each }) => each)
}

/** Checks an answer against the episodes, compares it with known beliefs, and writes the result. */
async function learn(
  { episodes, hints }: Question,
  answer: Distilled | Error | void,
  world: LearningWorld,
): Promise<Learned> {
  if (answer instanceof Error) throw answer
  if (answer === undefined) throw new TypeError('a question without an answer')
  if (!answer.distilled) return { outcome: 'nothing', why: answer.why }
  const content = redactSecrets(answer.content.trim())
  const named = episodes.filter(({ id }) => answer.from?.includes(id) ?? true)
  const own = named.filter(({ voice }) => voice === 'own').map((each) => each.content)
  const madeUp = ungroundedIn(content, [...own, ...hints.map(({ belief }) => belief.content)])
  if (madeUp !== undefined)
    return { outcome: 'nothing', why: `it says ${JSON.stringify(madeUp)}, and no agent's episode does`, content }
  const stems = stemsOf(content)
  const from = named.filter((each) => each.voice === 'hearsay' || holdsEnough(stemsOf(each.content), stems))
  if (from.every(({ voice }) => voice === 'hearsay'))
    return { outcome: 'nothing', why: 'no agent says it in about these words', content }
  const isHint = hints.some(({ belief }) => belief.id === answer.contradicts)
  return settle({ ...answer, content, contradicts: isHint ? answer.contradicts : undefined }, from, world)
}

const leastHeld = 0.5

/** A statement whose words only a tool used comes from the tool, whichever episode the answer names. */
function holdsEnough(said: ReadonlySet<string>, stems: ReadonlySet<string>): boolean {
  return [...stems].filter((stem) => said.has(stem)).length >= stems.size * leastHeld
}

/** The confidence of a model is capped, because a model can be sure and wrong. */
const mostConfidence = 0.9

interface Proposal {
  readonly kind: Statement['kind']
  readonly content: string
  readonly confidence: number
  readonly contradicts: string | undefined
}

async function settle(proposal: Proposal, from: readonly Episode[], world: LearningWorld): Promise<Learned> {
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
