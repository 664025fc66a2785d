/**
 * From what happened to what is known: reads one owner's new episodes, makes at most one belief of each cluster, and lets go
 * of beliefs that nothing confirmed. One run at a time for an owner; a run that dies leaves nothing half done and loses no
 * episode.
 */
import { checkOwner } from '@agentm/nodes'
import { semanticMemory } from '../semantic-memory.ts'
import { type Claim, claimCursor, readCursor } from './claim-cursor.ts'
import { type ConsolidationContext, type ConsolidationOptions, consolidationContext } from './consolidation-context.ts'
import type { ClusterExplained, ConsolidationReport, ConsolidationRequest } from './consolidation-report.ts'
import { decayBeliefs, type Decayed } from './decay-beliefs.ts'
import { gatherClusters } from './gather-clusters.ts'
import { KnownBeliefs } from './known-beliefs.ts'
import { advanced, type Cursor, progressOf } from './pure/cursor.ts'
import { type Episode, episodeConcepts } from './pure/episode.ts'
import { addSpent, type DistillUsage, nothingSpent, withUsage } from './pure/spent.ts'
import { type Batch, readBatch } from './read-batch.ts'
import { learnFrom } from './learn-from.ts'

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

/** An owner without a row gets no cursor either, and a run from before the first one was not missed. */
async function hasAnything(
  { store }: ConsolidationContext,
  { owner, scheduledFor }: ConsolidationRequest,
): Promise<boolean> {
  const concepts = [...episodeConcepts, semanticMemory.name]
  const [first] = (await store.log.scan({ owner, concepts, limit: 1 })).nodes
  if (first === undefined || scheduledFor === undefined) return first !== undefined
  const isFirstRun = (await readCursor({ store }, owner)).version === 0
  return !isFirstRun || first.createdAt <= scheduledFor
}

class Run {
  readonly #context: ConsolidationContext
  readonly #request: ConsolidationRequest
  readonly #now: number
  readonly #explained: ClusterExplained[] = []
  #decayed: readonly Decayed[] = []
  #episodes = 0
  #held = 0
  #more = false
  #spent = nothingSpent
  #booked = nothingSpent
  #spentBefore = nothingSpent

  constructor(context: ConsolidationContext, request: ConsolidationRequest) {
    this.#context = context
    this.#request = request
    this.#now = context.runtime.now()
  }

  async perform(claim: Claim | undefined, cursor: Cursor): Promise<ConsolidationReport> {
    const { owner } = this.#request
    this.#spentBefore = cursor.spent
    const beliefs = new KnownBeliefs(this.#context, owner)
    await beliefs.read()
    const after = await this.#batches(claim, cursor, beliefs)
    this.#held = after.held.length
    this.#decayed = await decayBeliefs(this.#context, { owner, beliefs, claim, now: this.#now })
    await this.#end(claim, after)
    return this.report('done')
  }

  async #batches(claim: Claim | undefined, from: Cursor, beliefs: KnownBeliefs): Promise<Cursor> {
    let cursor = from
    for (let turn = 0; turn < this.#context.settings.batchesPerRun; turn++) {
      const batch = await readBatch(this.#context, { owner: this.#request.owner, cursor })
      this.#more = batch.more
      const before = this.#explained.length
      const failed = await this.#batch(claim, batch, beliefs)
      this.#episodes += batch.episodes.length - failed.size
      const said = this.#explained.slice(before)
      // Where nothing succeeds, the distiller is at fault and not an episode: nothing moves, and the next run tries again.
      if (said.length > 0 && said.every(({ outcome }) => outcome === 'failed')) break
      cursor = advanced(cursor, { ...batch, failed })
      await claim?.append([], { progress: progressOf(cursor) })
      if (!batch.more) break
    }
    return cursor
  }

  /** Answers the ids of episodes that wait for another turn. */
  async #batch(claim: Claim | undefined, batch: Batch, beliefs: KnownBeliefs): Promise<ReadonlySet<string>> {
    const failed = new Set<string>()
    const { owner } = this.#request
    const gathered = await this.#gather(batch.episodes)
    const onUsage = (usage: DistillUsage) => {
      this.#spent = withUsage(this.#spent, usage)
    }
    for (const { id, partition } of gathered.leftOut)
      this.#explained.push({ partition, episodes: [id], outcome: 'nothing', why: 'it speaks to whoever reads it' })
    for (const cluster of gathered.clusters) {
      this.#context.signal?.throwIfAborted()
      const world = { context: this.#context, owner, beliefs, claim, now: this.#now, end: batch.readTo, onUsage }
      const said = gathered.failure ?? (await learnFrom(cluster, world))
      await this.#book(claim)
      this.#explained.push(typeof said === 'string' ? failure(cluster, said) : said)
      if (typeof said === 'string' || said.outcome === 'failed') for (const { id } of cluster) failed.add(id)
    }
    return failed
  }

  /** After each question: a run that dies has booked all but the last. */
  async #book(claim: Claim | undefined): Promise<void> {
    if (claim === undefined || this.#spent === this.#booked) return
    this.#booked = this.#spent
    await claim.append([], { progress: { spent: addSpent(this.#spentBefore, this.#spent) } })
  }

  /** An embedder that fails leaves nothing to compare: all of it waits. */
  async #gather(episodes: readonly Episode[]) {
    try {
      return { ...(await gatherClusters(this.#context, episodes)), failure: undefined }
    } catch (error) {
      return { clusters: episodes.map((episode) => [episode]), leftOut: [], failure: messageOf(error) }
    }
  }

  async #end(claim: Claim | undefined, cursor: Cursor): Promise<void> {
    const { scheduledFor, schedule } = this.#request
    await claim?.append([], {
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
      clusters: this.#explained.length,
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

function failure(cluster: readonly Episode[], why: string): ClusterExplained {
  return { partition: cluster[0]?.partition ?? '', episodes: cluster.map(({ id }) => id), outcome: 'failed', why }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
