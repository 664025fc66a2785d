/** Compares one lesson with the beliefs of its project, and writes the result. What a person wrote, kept or removed stays as it is. */
import { isNodesError, type ItemVector } from '@agentm/nodes'
import { mergeProvenance } from '@agentm/nodes/store-kit'
import { type BeliefDecision, decideBelief, type Statement } from '../beliefs/pure/decide-belief.ts'
import type { KnownBelief } from '../beliefs/pure/known-belief.ts'
import type { KnownBeliefs } from '../beliefs/known-beliefs.ts'
import { appendBelief, type BeliefStep, beliefWrite, outcomeOfStep } from '../beliefs/write-belief.ts'
import type { Claim } from '../consolidation/claim-cursor.ts'
import type { ConsolidationContext } from '../consolidation/consolidation-context.ts'
import { embedTexts } from '../consolidation/embed-texts.ts'
import type { LessonExplained } from './lesson-report.ts'

export interface LessonWorld {
  readonly context: ConsolidationContext
  readonly owner: string
  readonly partition: string
  readonly beliefs: KnownBeliefs
  readonly claim: Claim
  readonly now: number
}

type Nothing = Extract<BeliefDecision, { readonly do: 'nothing' }>

const dayMs = 86_400_000

export async function settleLesson(
  given: Omit<Statement, 'contradicts'>,
  world: LessonWorld,
): Promise<LessonExplained> {
  const { context, beliefs, owner, claim, partition, now } = world
  for (;;) {
    const known = sameText(given.content, beliefs)
    // A vector is made only of what is not known word for word.
    const [vector] = known === undefined ? await embedTexts(context, [given.content]) : [undefined]
    const step = await stepOf(given, { known, vector }, world)
    if (step.do === 'nothing') return explained(step, given, world, step.belief)
    const bump = context.settings.reinforceBump
    const write = beliefWrite(step, { owner, partition, now, bump, vector })
    try {
      await appendBelief(claim, write, partition)
    } catch (error) {
      const moved = movedIn(error, Object.keys(write.expects))
      if (moved === undefined) throw error
      await beliefs.refresh(moved)
      if (write.expects[moved] === 0)
        return explained({ do: 'nothing', why: 'it was learned from these turns before' }, given, world, moved)
      continue
    }
    for (const belief of write.after) beliefs.set(belief, belief.version === 1 ? vector : undefined)
    return explained(step, given, world, write.after[0]?.id)
  }
}

function sameText(content: string, beliefs: KnownBeliefs): KnownBelief | undefined {
  return beliefs.active().find((belief) => belief.content === content)
}

async function stepOf(
  given: Omit<Statement, 'contradicts'>,
  { known, vector }: { readonly known: KnownBelief | undefined; readonly vector: ItemVector | undefined },
  { beliefs, partition, context }: LessonWorld,
): Promise<BeliefStep | Nothing> {
  if (known !== undefined) return confirmation(given, known)
  const about = sameSubject(given, beliefs)
  const near = await beliefs.near(given.content, partition, vector, about?.id)
  const statement: Statement = { ...given, contradicts: about?.id }
  const decision = decideBelief(statement, near, context.nearness)
  if (decision.do === 'nothing') return decision
  if (decision.do === 'reinforce') return confirmation(given, decision.belief)
  // Only what nobody has confirmed is replaced by what nobody has confirmed. Otherwise a person sees both.
  return decision.do === 'supersede' && decision.belief.isWaiting
    ? { do: 'supersede', belief: decision.belief, statement }
    : { do: 'create', statement }
}

function sameSubject({ lesson }: Pick<Statement, 'lesson'>, beliefs: KnownBeliefs): KnownBelief | undefined {
  if (lesson?.subject === undefined) return undefined
  return beliefs.active().find(({ subject, isWaiting }) => isWaiting && subject === lesson.subject)
}

/** The same was seen in other sessions, or again on another day. */
function confirmation(
  { sources, evidenceAt }: Omit<Statement, 'contradicts'>,
  belief: KnownBelief,
): BeliefStep | Nothing {
  const merged = mergeProvenance(belief.sources, sources)
  const isMore = merged.length > belief.sources.length && belief.sources.length < mostSources
  if (isMore && evidenceAt > belief.evidenceAt) return { do: 'reinforce', belief, sources: merged, evidenceAt }
  if (evidenceAt >= belief.evidenceAt + dayMs && !belief.isOperators) return { do: 'refresh', belief, evidenceAt }
  return { do: 'nothing', why: 'the belief has these turns already', belief: belief.id }
}

const mostSources = 8

function explained(
  step: BeliefStep | Nothing,
  { content, lesson }: Omit<Statement, 'contradicts'>,
  { partition }: LessonWorld,
  belief: string | undefined,
): LessonExplained {
  return {
    partition,
    kind: lesson?.kind ?? 'convention',
    statement: content,
    outcome: outcomeOfStep[step.do],
    ...(step.do === 'nothing' ? { why: step.why } : {}),
    ...(belief === undefined ? {} : { belief }),
  }
}

function movedIn(error: unknown, ids: readonly string[]): string | undefined {
  if (!isNodesError(error, 'VERSION_CONFLICT') || !('id' in error)) return undefined
  return ids.find((id) => id === error.id)
}
