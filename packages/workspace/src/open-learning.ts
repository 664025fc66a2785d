/**
 * Learning for the owners in the user's config: episodes become beliefs in the log, and beliefs are synchronised with notes in the
 * store. If the store is unavailable, only the log is used, and a notice says so.
 */
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type BeliefShelf,
  beliefShelf,
  type BeliefSync,
  consolidate,
  type ConsolidationReport,
  type ConsolidationRequest,
  type DailySchedule,
  type Distiller,
  keepSchedule,
  modelDistiller,
  syncBeliefs,
} from '@agentm/learning'
import { acceptLesson, type LearnedShelf, learnedShelf, type LessonReport } from '@agentm/learning/lessons'
import type { MemoryEmbedder } from '@agentm/memory'
import { isNodesError, type NodeStore } from '@agentm/nodes'
import type { InstallConfig, SelectionWorld } from '@agentm/selection'
import { beliefPublication } from './belief-publication.ts'
import { configuredModel } from './configured-model.ts'
import { consolidationSchedule, consolidationSettings } from './consolidation-config.ts'
import { harnessPolicy } from './harness-policy.ts'
import { learnLessons, type LessonBudget } from './learn-lessons.ts'
import { openMemoryOf } from './open-memory.ts'
import { ownerName } from './owner-name.ts'
import type { WorkspaceParts } from './workspace-parts.ts'

type SyncOptions = NonNullable<Parameters<typeof syncBeliefs>[1]>

/** What learning did: the report, and what became of the notes. */
export interface ConsolidationOutcome {
  readonly report: ConsolidationReport
  /** What was learned from agent sessions; absent in a dry run. */
  readonly lessons?: LessonReport
  /** What people had done to published beliefs, and what was published; absent in a dry run, and where the store is away. */
  readonly notes?: BeliefSync
  readonly notices: readonly string[]
}

/** Learning for the owners of this configuration. */
export interface Learning {
  /** The configured owner. */
  readonly owner: string
  /** The owners whose episodes the schedule consolidates: those that a worker serves. */
  readonly owners: readonly string[]
  /** Nothing where it is switched off. */
  readonly schedule: DailySchedule | undefined
  /** With `forgetAbsent`, beliefs whose files an earlier run found gone are forgotten, however short ago that was. */
  run(request: ConsolidationRequest, signal?: AbortSignal, options?: SyncOptions): Promise<ConsolidationOutcome>
  beliefs(owner: string): BeliefShelf
  /** Learns from the new turns of agent sessions. `run` does so, too. */
  learnFromSessions(request?: LessonBudget & { readonly owner?: string }): Promise<LessonReport>
  /** What was learned from agent sessions, for a person to decide about. */
  learned(owner: string): LearnedShelf
  /** Saves what was learned from agent sessions as a note of its project, by the id of the lesson. */
  acceptLesson(id: string): Promise<{ readonly id: string; readonly note: string }>
  /** Published beliefs brought together with those of the log; nothing where the store is away. */
  sync(
    owner: string,
    options?: SyncOptions,
  ): Promise<{ readonly notes?: BeliefSync; readonly notices: readonly string[] }>
  /** Consolidates at its time until the signal ends it. */
  keepSchedule(options: KeepOptions): Promise<void>
}

export interface KeepOptions {
  readonly signal: AbortSignal
  readonly onOutcome?: (outcome: ConsolidationOutcome) => void
  readonly onError?: (error: unknown, owner: string) => void
}

export interface LearningOptions {
  /** Words beliefs (default: the configured model; without one, beliefs are what several episodes say in the same words). */
  readonly distiller?: Distiller
}

export async function openLearning(parts: WorkspaceParts, { distiller }: LearningOptions = {}): Promise<Learning> {
  return new Consolidation({
    parts,
    distiller,
    config: await parts.config(),
    store: await parts.log(),
    embedder: await parts.embedder(),
  })
}

interface Opened {
  readonly parts: WorkspaceParts
  readonly config: InstallConfig
  readonly store: NodeStore
  readonly embedder: MemoryEmbedder | undefined
  readonly distiller: Distiller | undefined
}

class Consolidation implements Learning {
  readonly owner: string
  readonly owners: readonly string[]
  readonly schedule: DailySchedule | undefined
  readonly #opened: Opened

  constructor(opened: Opened) {
    const { config, parts } = opened
    this.#opened = opened
    this.owner = ownerName(config)
    this.owners = harnessPolicy(config, parts.world).owners
    this.schedule = consolidationSchedule(config)
  }

  async run(
    request: ConsolidationRequest,
    signal?: AbortSignal,
    options: SyncOptions = {},
  ): Promise<ConsolidationOutcome> {
    if (request.dryRun === true) return { report: await this.#consolidate(request, signal), notices: [] }
    // Changes by people are read first, so that learning does not overwrite them.
    const before = await this.sync(request.owner, options)
    const report = await this.#consolidate(request, signal)
    const lessons = await this.learnFromSessions({ owner: request.owner, ...(signal === undefined ? {} : { signal }) })
    if (before.notes === undefined || report.outcome !== 'done') return { report, lessons, ...before }
    // The second look has to be another run: a file that is gone for a moment is not deleted.
    const after = await this.sync(request.owner)
    return { report, lessons, notices: after.notices, notes: together(before.notes, after.notes) }
  }

  async learnFromSessions({
    owner = this.owner,
    ...budget
  }: LessonBudget & { readonly owner?: string } = {}): Promise<LessonReport> {
    return learnLessons(this.#opened.parts, { owner, ...budget })
  }

  learned(owner: string): LearnedShelf {
    return learnedShelf({ log: this.#opened.store.log, owner, actor: this.#opened.parts.actor })
  }

  async acceptLesson(id: string): Promise<{ readonly id: string; readonly note: string }> {
    const { parts } = this.#opened
    const shelf = this.learned(this.owner)
    const [memory, { slug }] = [await parts.memory(), await parts.project()]
    return acceptLesson(await shelf.show(id), { shelf, memory, project: slug })
  }

  beliefs(owner: string): BeliefShelf {
    return beliefShelf({ log: this.#opened.store.log, owner, actor: this.#opened.parts.actor })
  }

  async sync(
    owner: string,
    options: SyncOptions = {},
  ): Promise<{ readonly notes?: BeliefSync; readonly notices: readonly string[] }> {
    try {
      const { parts } = this.#opened
      const notes = await syncBeliefs(await beliefPublication(parts, owner), options)
      const memory = await openMemoryOf(parts, { owner })
      await memory.embedPending({ limit: 512, budgetMs: 10_000 })
      return { notes, notices: notes.refused.map(({ key, why }) => `${key} was left as it is: ${why}`) }
    } catch (error) {
      // An error of the log is passed on; only errors of the store are skipped.
      if (!(error instanceof Error) || !('code' in error) || isNodesError(error)) throw error
      return { notices: [`beliefs were not published: ${error.message}`] }
    }
  }

  async keepSchedule({ signal, onOutcome, onError }: KeepOptions): Promise<void> {
    const { schedule, owners } = this
    if (schedule === undefined) return
    await keepSchedule({
      schedule,
      owners,
      signal,
      runtime: {
        now: Date.now,
        sleep: async (ms, until) =>
          sleep(ms, undefined, { ref: false, ...(until === undefined ? {} : { signal: until }) }),
      },
      run: async (request) => {
        const outcome = await this.run(request, signal)
        onOutcome?.(outcome)
        return outcome.report
      },
      ...(onError === undefined ? {} : { onError }),
    })
  }

  async #consolidate(request: ConsolidationRequest, signal: AbortSignal | undefined): Promise<ConsolidationReport> {
    const { config, parts, store, embedder } = this.#opened
    const distiller = this.#opened.distiller ?? (await configuredDistiller(config, parts.world))
    return consolidate(
      {
        store,
        settings: consolidationSettings(config),
        facts: { host: hostname(), pid: `${process.pid}` },
        ...(embedder === undefined ? {} : { embedder }),
        ...(distiller === undefined ? {} : { distiller }),
        ...(signal === undefined ? {} : { signal }),
      },
      request,
    )
  }
}

async function configuredDistiller(config: InstallConfig, world: SelectionWorld): Promise<Distiller | undefined> {
  const configured = await configuredModel(config, world, 'learning')
  if (configured === undefined) return undefined
  const { askStructured } = await import('@agentm/agent-loop/models')
  return modelDistiller(async (question) => askStructured(configured.model, question))
}

/** The results of both syncs. For the current state, the later one counts. */
function together(before: BeliefSync, after: BeliefSync | undefined): BeliefSync {
  if (after === undefined) return before
  return {
    ...after,
    edited: [...new Set([...before.edited, ...after.edited])],
    forgotten: [...new Set([...before.forgotten, ...after.forgotten])],
    withdrawn: [...new Set([...before.withdrawn, ...after.withdrawn])],
  }
}
