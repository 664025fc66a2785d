/**
 * Turns agent sessions into lessons: beliefs that wait for a person. It reads only projects with new turns, and learns the same again
 * from the same turns, so a run that is killed is continued by the next one. It holds the claim of consolidation, so that one process
 * at a time writes beliefs.
 */
import { type Draft, isNodesError, scanHeads } from '@agentm/nodes'
import { checkOwner } from '@agentm/nodes/store-kit'
import { semanticMemory } from '@agentm/memory'
import { KnownBeliefs } from '../beliefs/known-beliefs.ts'
import { type Claim, claimCursor, readCursor } from '../consolidation/claim-cursor.ts'
import {
  type ConsolidationContext,
  consolidationContext,
  type ConsolidationOptions,
} from '../consolidation/consolidation-context.ts'
import { progressOf } from '../consolidation/pure/cursor.ts'
import type { AskModel } from '../distillers/ask-model.ts'
import { nothingSpent } from '../distillers/pure/spent.ts'
import { sessionTurn } from '../sessions/session-turn.ts'
import { askAboutSession, type ModelBudget } from './ask-about-session.ts'
import type { LessonExplained, LessonReport, LessonRequest } from './lesson-report.ts'
import { isTakenBack } from './pure/decisions.ts'
import type { Lesson, LessonTurn } from './pure/lesson.ts'
import { statementsOf } from './pure/lesson-statement.ts'
import { lessonTurnOf } from './pure/lesson-turn.ts'
import { isFit, lessonsIn, sessionsOf } from './pure/lessons-in.ts'
import { withoutRepeats } from './pure/without-repeats.ts'
import { settleLesson } from './settle-lesson.ts'

/** The options of learning from agent sessions. */
export interface LessonOptions extends Pick<
  ConsolidationOptions,
  'store' | 'embedder' | 'settings' | 'runtime' | 'facts' | 'signal'
> {
  /** A model that is asked, too (default: none). */
  readonly ask?: AskModel
  /** The most tokens that questions to the model may cost in a day (default: 0, so it is not asked). */
  readonly tokensPerDay?: number
}

/**
 * Learns from the new turns of agent sessions. Without a model, by rules. Nothing that it learns is confirmed.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { consolidationCursor } from '@agentm/learning'
 * import { learnFromSessions } from '@agentm/learning/lessons'
 * import { semanticMemory } from '@agentm/memory'
 *
 * const store = createInMemoryStore({ concepts: [semanticMemory, consolidationCursor] })
 * const { outcome } = await learnFromSessions({ store }, { owner: 'ada' })
 * console.log(outcome) // idle
 * ```
 */
export async function learnFromSessions(options: LessonOptions, request: LessonRequest): Promise<LessonReport> {
  checkOwner(request.owner)
  const context = consolidationContext(options)
  const { owner } = request
  const waiting = await newTurns(context, owner, (await readCursor(context, owner)).turnsReadTo)
  if (waiting.partitions.size === 0) return new Lessons(context, options, request).report('idle')
  const claimed = await claimCursor(context, owner, {})
  const run = new Lessons(context, options, request)
  if (!claimed.won) return run.report('busy')
  try {
    return await run.perform(claimed.claim)
  } finally {
    await claimed.claim.release()
  }
}

interface NewTurns {
  /** The projects with new turns, in the order of their first one. */
  readonly partitions: ReadonlyMap<string, { readonly ids: ReadonlySet<string>; readonly first: number }>
  readonly end: number
}

async function newTurns({ store }: ConsolidationContext, owner: string, after: number): Promise<NewTurns> {
  const end = await store.log.position()
  const partitions = new Map<string, { readonly ids: Set<string>; readonly first: number }>()
  const query = { owner, concepts: [sessionTurn.name], after, limit: 1000 }
  for await (const { seq, id, partition } of scanHeads(store.log, query)) {
    if (seq > end) break
    const known = partitions.get(partition) ?? { ids: new Set(), first: seq }
    partitions.set(partition, known)
    known.ids.add(id)
  }
  return { partitions, end }
}

/** The turns of a project that are read again when it has new ones. */
const mostTurns = 2000

class Lessons {
  readonly #context: ConsolidationContext
  readonly #options: LessonOptions
  readonly #request: LessonRequest
  readonly #began: number
  readonly #explained: LessonExplained[] = []
  readonly #withdrawn: string[] = []
  readonly #budget: ModelBudget
  #turns = 0
  #more = false

  constructor(context: ConsolidationContext, options: LessonOptions, request: LessonRequest) {
    this.#context = context
    this.#options = options
    this.#request = request
    this.#began = context.runtime.now()
    const { tokensPerDay = 0 } = options
    this.#budget = { tokensPerDay, spent: nothingSpent, used: { day: '', tokens: 0 } }
  }

  async perform(claim: Claim): Promise<LessonReport> {
    const { owner } = this.#request
    this.#budget.used = claim.cursor.sessionTokens
    this.#budget.spentBefore = claim.cursor.spent
    const { partitions, end } = await newTurns(this.#context, owner, claim.cursor.turnsReadTo)
    let turnsReadTo = end
    for (const [partition, { ids, first }] of partitions) {
      this.#more = this.#isOver()
      if (this.#more) turnsReadTo = first - 1
      if (this.#more) break
      await this.#project(claim, partition, ids)
    }
    await claim.append([], { progress: { ...progressOf(claim.cursor), turnsReadTo } })
    return this.report('done')
  }

  /** At least one project is learned from in each call, so that a small budget makes progress. */
  #isOver(): boolean {
    const { budgetMs } = this.#request
    return budgetMs !== undefined && this.#turns > 0 && this.#context.runtime.now() - this.#began >= budgetMs
  }

  async #project(claim: Claim, partition: string, ids: ReadonlySet<string>): Promise<void> {
    const { owner } = this.#request
    const turns = await this.#turnsOf(partition)
    const beliefs = new KnownBeliefs(this.#context, owner)
    await beliefs.read(partition)
    const byRules = lessonsIn(turns, { now: this.#began })
    const world = { context: this.#context, owner, partition, beliefs, claim, now: this.#began }
    await this.#withdraw(claim, beliefs, turns)
    const byModel = (await this.#byModel(claim, turns, ids)).filter(isFit)
    for (const statement of statementsOf([...byRules, ...withoutRepeats(byModel, byRules)])) {
      await claim.keep()
      this.#explained.push(await settleLesson(statement, world))
    }
    this.#turns += ids.size
  }

  async #turnsOf(partition: string): Promise<readonly LessonTurn[]> {
    const { store } = this.#context
    const query = { owner: this.#request.owner, concepts: [sessionTurn.name], partition, limit: mostTurns }
    const { nodes } = await store.log.scan({ ...query, order: 'newest' })
    return nodes.flatMap((head) => lessonTurnOf(head) ?? []).toSorted((a, b) => a.at - b.at || a.turn - b.turn)
  }

  /** Asks about sessions with new turns, once each. */
  async #byModel(claim: Claim, turns: readonly LessonTurn[], ids: ReadonlySet<string>): Promise<readonly Lesson[]> {
    const { ask } = this.#options
    if (ask === undefined || this.#budget.tokensPerDay <= 0) return []
    const found: Lesson[] = []
    for (const session of sessionsOf(turns)) {
      if (!session.some(({ id, isOpen }) => ids.has(id) && isOpen !== true)) continue
      found.push(...(await askAboutSession(session, { ask, claim, budget: this.#budget, now: this.#began, ids })))
    }
    return found
  }

  /** A decision that was learned, and that the person took back in a later turn of the session. */
  async #withdraw(claim: Claim, beliefs: KnownBeliefs, turns: readonly LessonTurn[]): Promise<void> {
    const sessions = sessionsOf(turns)
    for (const belief of beliefs.active()) {
      if (!belief.isWaiting || belief.isOperators || belief.lesson !== 'decision') continue
      const session = sessions.find((each) => each.some(({ id }) => belief.sources.includes(id))) ?? []
      const at = session.findIndex(({ id }) => belief.sources.includes(id))
      if (belief.sources.length > 1 || !isTakenBack(belief.content, session.slice(at + 1))) continue
      const draft: Draft = {
        concept: semanticMemory.name,
        id: belief.id,
        payload: { status: 'pruned', prunedBy: 'agent' },
        mutation: 'withdrawLesson',
        update: true,
      }
      try {
        await claim.append([draft], { expects: { [belief.id]: belief.version } })
        this.#withdrawn.push(belief.id)
      } catch (error) {
        // A person has decided about it meanwhile.
        if (!isNodesError(error, 'VERSION_CONFLICT') || !('id' in error) || error.id !== belief.id) throw error
      }
      await beliefs.refresh(belief.id)
    }
  }

  report(outcome: LessonReport['outcome']): LessonReport {
    const { spent, unasked } = this.#budget
    return {
      owner: this.#request.owner,
      outcome,
      turns: this.#turns,
      lessons: this.#explained,
      withdrawn: this.#withdrawn,
      more: this.#more,
      ...(spent === nothingSpent ? {} : { spent }),
      ...(unasked === undefined ? {} : { unasked }),
    }
  }
}
