/**
 * Turns episodes into beliefs: reads one owner's new episodes batch by batch, makes at most one belief of each cluster, and lets
 * beliefs decay that nothing confirmed. Progress is stored after each batch, so a killed run continues from there. There is one run
 * at a time for each owner.
 */
import { checkOwner } from '@agentm/nodes/store-kit'
import { semanticMemory } from '@agentm/memory'
import { DistillerLine } from '../distillers/ask-distiller.ts'
import { type Claim, claimCursor, readCursor } from './claim-cursor.ts'
import { type ConsolidationContext, type ConsolidationOptions, consolidationContext } from './consolidation-context.ts'
import type { ClusterExplained, ConsolidationReport, ConsolidationRequest } from './consolidation-report.ts'
import { decayBeliefs, type Decayed } from '../beliefs/decay-beliefs.ts'
import { Evidence } from '../episodes/evidence.ts'
import { gatherEpisodes, gatherSentences, hear } from '../episodes/gather.ts'
import { HeardSentences } from '../episodes/heard-sentences.ts'
import { KnownBeliefs } from '../beliefs/known-beliefs.ts'
import { learnFrom } from './learn-from.ts'
import type { LearningWorld } from './learning-world.ts'
import { advanced, type Cursor, progressOf } from './pure/cursor.ts'
import { type Episode, episodeConcepts } from '../episodes/pure/episode.ts'
import { addSpent, type DistillUsage, nothingSpent, withUsage } from '../distillers/pure/spent.ts'
import { type Batch, readBatch, readBefore } from '../episodes/read-batch.ts'

/**
 * Reads the new episodes of one owner and distils beliefs from them. A run that was killed continues where it stopped.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { beliefShelf, consolidate, consolidationCursor } from '@agentm/learning'
 * import { observation, semanticMemory } from '@agentm/memory'
 *
 * const store = createInMemoryStore({ concepts: [observation, semanticMemory, consolidationCursor] })
 * for (const planId of ['p1', 'p2']) {
 *   const payload = { ownerUserId: 'ada', planId, kind: 'note', content: 'The staging database listens on port 5433.' }
 *   await store.log.append([{ concept: observation.name, payload, mutation: 'record' }], { owner: 'ada', actor: 'docs' })
 * }
 * const report = await consolidate({ store }, { owner: 'ada' })
 * console.log(report.outcome, report.episodes) // done 2
 * for (const { content } of await beliefShelf({ log: store.log, owner: 'ada' }).list()) console.log(content) // The staging database listens on port 5433.
 * ```
 */
export async function consolidate(
  options: ConsolidationOptions,
  request: ConsolidationRequest,
): Promise<ConsolidationReport> {
  checkOwner(request.owner)
  const context = consolidationContext(options)
  const run = new Run(context, request)
  if (!(await hasAnything(context, request))) return run.report('idle')
  if (request.dryRun === true) return run.perform(undefined, await readCursor(context, request.owner))
  const claimed = await claimCursor(context, request.owner, { scheduledFor: request.scheduledFor })
  if (!claimed.won) return claimed.why === 'busy' ? run.report('busy', claimed.until) : run.report('served')
  const { claim } = claimed
  try {
    return await run.perform(claim, claim.cursor)
  } finally {
    await claim.release()
  }
}

/** An owner without data gets no cursor. A scheduled time before its first data was not missed. */
async function hasAnything(
  { store }: ConsolidationContext,
  { owner, scheduledFor }: ConsolidationRequest,
): Promise<boolean> {
  const concepts = [...episodeConcepts, semanticMemory.name]
  const [first] = (await store.log.scan({ owner, concepts, limit: 1 })).nodes
  if (first === undefined || scheduledFor === undefined) return first !== undefined
  // Learning from agent sessions has the same cursor, and may have come first.
  const isFirstRun = (await readCursor({ store }, owner)).lastRunAt === undefined
  return !isFirstRun || first.createdAt <= scheduledFor
}

// The longest time that other work in this process has to wait.
const longestTurnMs = 40

class Run {
  readonly #context: ConsolidationContext
  readonly #request: ConsolidationRequest
  readonly #now: number
  readonly #line: DistillerLine
  readonly #evidence: Evidence
  readonly #heard = new HeardSentences()
  /** Without an explanation, only clusters that changed a belief or failed. */
  readonly #explained: ClusterExplained[] = []
  #claim: Claim | undefined
  #clusters = 0
  #decayed: readonly Decayed[] = []
  #episodes = 0
  #held = 0
  #more = false
  #spent = nothingSpent
  #booked = nothingSpent
  #spentBefore = nothingSpent
  #turnAt: number

  constructor(context: ConsolidationContext, request: ConsolidationRequest) {
    this.#context = context
    this.#request = request
    this.#now = context.runtime.now()
    this.#turnAt = this.#now
    this.#evidence = new Evidence(context, request.owner)
    this.#line = new DistillerLine({
      distiller: context.distiller,
      between: async () => {
        await this.#book()
        await this.#breathe()
      },
    })
  }

  async perform(claim: Claim | undefined, cursor: Cursor): Promise<ConsolidationReport> {
    const { owner } = this.#request
    this.#claim = claim
    this.#spentBefore = cursor.spent
    const beliefs = new KnownBeliefs(this.#context, owner)
    await beliefs.read()
    const after = await this.#batches(cursor, beliefs)
    this.#held = after.held.length
    const breathe = async () => this.#breathe()
    this.#decayed = await decayBeliefs(this.#context, { owner, beliefs, claim, breathe, now: this.#now })
    await this.#end(after)
    return this.report('done')
  }

  async #batches(from: Cursor, beliefs: KnownBeliefs): Promise<Cursor> {
    const { owner } = this.#request
    const { batchesPerRun, questionsPerRun } = this.#context.settings
    let cursor = from
    let isHistoryHeard = from.readTo === 0
    for (let turn = 0; turn < batchesPerRun; turn++) {
      const batch = await readBatch(this.#context, { owner, cursor, again: turn === 0 })
      this.#more = batch.more
      if (!isHistoryHeard && batch.episodes.length > 0) await this.#hearHistory(from.readTo)
      isHistoryHeard ||= batch.episodes.length > 0
      const learned = await this.#batch(batch, cursor, beliefs)
      const unlearned = new Set(learned.flatMap(({ outcome, episodes }) => (outcome === 'failed' ? episodes : [])))
      const waiting = batch.episodes.filter(({ id }) => unlearned.has(id)).length
      this.#episodes += batch.episodes.length - waiting
      // If every cluster failed, the distiller is at fault. The cursor does not move, and the next run tries again.
      if (learned.length > 0 && learned.every(({ outcome }) => outcome === 'failed')) break
      cursor = advanced(cursor, { ...batch, failed: unlearned })
      await this.#claim?.append([], { progress: progressOf(cursor) })
      this.#request.onProgress?.(this.#episodes)
      if (!batch.more || this.#line.isAway || this.#spent.questions >= questionsPerRun) break
    }
    return cursor
  }

  /** Returns what happened to each cluster. */
  async #batch(batch: Batch, cursor: Cursor, beliefs: KnownBeliefs): Promise<readonly ClusterExplained[]> {
    await this.#breathe()
    const gathered = await this.#gather(batch.episodes)
    const leftOut = gathered.leftOut.map(({ id, partition }): ClusterExplained => ({
      partition,
      episodes: [id],
      outcome: 'nothing',
      why: 'the text addresses its reader',
    }))
    const world = this.#world(batch, beliefs)
    const { failure } = gathered
    const learned =
      failure === undefined
        ? await this.#learn(gathered.clusters, cursor, world)
        : gathered.clusters.map((cluster) => failed(cluster, failure))
    await this.#book()
    this.#note([...leftOut, ...learned])
    return [...leftOut, ...learned]
  }

  /** New clusters come first and together. Clusters from earlier runs come last, and each is asked about alone. */
  async #learn(
    clusters: readonly (readonly Episode[])[],
    { held, version }: Cursor,
    world: LearningWorld,
  ): Promise<readonly ClusterExplained[]> {
    const waited = new Set(held)
    const isHeld = (cluster: readonly Episode[]) => cluster.some(({ id }) => waited.has(id))
    const learned = [
      ...(await learnFrom(
        clusters.filter((cluster) => !isHeld(cluster)),
        world,
      )),
    ]
    const again = clusters.filter(isHeld)
    // Starts at another place each time, so that a few clusters without an answer do not block the others.
    const start = again.length === 0 ? 0 : version % again.length
    for (const cluster of [...again.slice(start), ...again.slice(0, start)])
      learned.push(...(await learnFrom([cluster], world)))
    return learned
  }

  #world({ readTo }: Batch, beliefs: KnownBeliefs): LearningWorld {
    return {
      context: this.#context,
      owner: this.#request.owner,
      beliefs,
      evidence: this.#evidence,
      line: this.#line,
      claim: this.#claim,
      breathe: async () => this.#breathe(),
      now: this.#now,
      end: readTo,
      isPhrase: (text) => this.#heard.isPhrase({ text }),
      onUsage: (usage: DistillUsage) => {
        this.#spent = withUsage(this.#spent, usage)
      },
    }
  }

  /** Remembers earlier sentences, so that a sentence said once in each of two nights counts as said twice. */
  async #hearHistory(readTo: number): Promise<void> {
    if (this.#context.distiller.gathers !== 'sentences') return
    for await (const episode of readBefore(this.#context, { owner: this.#request.owner, readTo })) {
      hear([episode], this.#heard)
      await this.#breathe()
    }
  }

  /** Yields to other work and renews the lease. Work that never yields would keep the renewal timer from running. */
  async #breathe(): Promise<void> {
    const { runtime, signal } = this.#context
    signal?.throwIfAborted()
    const now = runtime.now()
    if (now - this.#turnAt >= longestTurnMs) {
      await runtime.sleep(0)
      this.#turnAt = runtime.now()
    }
    await this.#claim?.keep()
  }

  /** Called after each question, so that a run that dies has recorded the cost of all but the last one. */
  async #book(): Promise<void> {
    if (this.#claim === undefined || this.#spent === this.#booked) return
    this.#booked = this.#spent
    await this.#claim.append([], { progress: { spent: addSpent(this.#spentBefore, this.#spent) } })
  }

  /** If the embedder fails, episodes cannot be compared, so all of them wait for the next run. */
  async #gather(episodes: readonly Episode[]) {
    if (this.#context.distiller.gathers === 'sentences') {
      const breathe = async () => this.#breathe()
      return { ...(await gatherSentences(episodes, { heard: this.#heard, breathe })), failure: undefined }
    }
    try {
      return { ...(await gatherEpisodes(this.#context, episodes)), failure: undefined }
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error)
      const clusters = episodes.filter(({ isRoutine }) => !isRoutine).map((episode) => [episode])
      return { clusters, leftOut: [], failure }
    }
  }

  #note(learned: readonly ClusterExplained[]): void {
    this.#clusters += learned.length
    const isKept = ({ outcome }: ClusterExplained) => this.#request.explain === true || outcome !== 'nothing'
    this.#explained.push(...learned.filter(isKept))
  }

  async #end(cursor: Cursor): Promise<void> {
    const { scheduledFor, schedule } = this.#request
    await this.#claim?.append([], {
      progress: {
        ...progressOf(cursor),
        lastRunAt: new Date(this.#now).toISOString(),
        ...(scheduledFor === undefined ? {} : { scheduledFor }),
        ...(schedule === undefined ? {} : { schedule }),
      },
    })
  }

  report(outcome: ConsolidationReport['outcome'], until?: number): ConsolidationReport {
    const { owner, dryRun = false, explain = false } = this.#request
    const of = (what: ClusterExplained['outcome']) => this.#explained.filter((each) => each.outcome === what)
    const beliefsOf = (what: ClusterExplained['outcome']) => of(what).flatMap(({ belief }) => belief ?? [])
    return {
      owner,
      outcome,
      ...(until === undefined ? {} : { until }),
      dryRun,
      episodes: this.#episodes,
      clusters: this.#clusters,
      created: [...beliefsOf('created'), ...beliefsOf('superseded')],
      reinforced: beliefsOf('reinforced'),
      superseded: of('superseded').flatMap(({ instead }) => instead ?? []),
      decayed: this.#decayed,
      pruned: this.#decayed.filter(({ pruned }) => pruned).map(({ id }) => id),
      failed: of('failed').map(({ episodes, why = '' }) => ({ episodes, why })),
      held: this.#held,
      more: this.#more,
      ...(this.#spent === nothingSpent
        ? {}
        : { spent: this.#spent, spentInAll: addSpent(this.#spentBefore, this.#spent) }),
      ...(explain ? { explained: this.#explained } : {}),
    }
  }
}

function failed(cluster: readonly Episode[], why: string): ClusterExplained {
  return { partition: cluster[0]?.partition ?? '', episodes: cluster.map(({ id }) => id), outcome: 'failed', why }
}
