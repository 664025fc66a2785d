/**
 * Turns clusters into beliefs: decides which are worth a question, and what to do with the answer. A failure affects only its own
 * cluster.
 */
import { redactSecrets } from '@agentm/nodes'
import type { Near } from '../beliefs/pure/decide-belief.ts'
import type { Distilled, DistillRequest } from '../distillers/distiller.ts'
import { neighboursOf } from '../episodes/gather.ts'
import type { Episode } from '../episodes/pure/episode.ts'
import { isLearningError } from '../learning-errors.ts'
import { ungroundedIn } from '../statements/pure/grounded.ts'
import { readingDifference, readStatement } from '../statements/pure/statement-difference.ts'
import { stemsOf, wordLikeness } from '../statements/pure/word-likeness.ts'
import type { ClusterExplained } from './consolidation-report.ts'
import { embedTexts } from './embed-texts.ts'
import { type Learned, type LearningWorld, saidOnce } from './learning-world.ts'
import { settleStatement } from './settle-statement.ts'

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
  return settleStatement({ ...answer, content, contradicts: isHint ? answer.contradicts : undefined }, from, world)
}

const leastHeld = 0.5

/** A statement whose words only a tool used comes from the tool, whichever episode the answer names. */
function holdsEnough(said: ReadonlySet<string>, stems: ReadonlySet<string>): boolean {
  return [...stems].filter((stem) => said.has(stem)).length >= stems.size * leastHeld
}
