/**
 * Learning for the owners of this user's config: their episodes to beliefs in the log, and beliefs to notes in the store and
 * back. Where the store is away, the log still learns, and a notice says what was left out.
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
  type Memory,
  type MemoryEmbedder,
  openMemory as openMemoryOver,
} from '@agentm/memory'
import { isNodesError } from '@agentm/nodes'
import { type InstallConfig, readInstallConfig, type SelectionWorld } from '@agentm/selection'
import { conflictCopy } from '@agentm/storage-seam'
import { configuredEmbedder } from './configured-embedder.ts'
import { configuredModel } from './configured-model.ts'
import { consolidationSchedule, consolidationSettings } from './consolidation-config.ts'
import { deviceId, deviceState } from './device-state.ts'
import { harnessPolicy } from './harness-policy.ts'
import { logConcepts } from './log-concepts.ts'
import { nodesPlace } from './nodes-place.ts'
import { type OpenedNodes, openNodes } from './open-nodes.ts'
import { openStorage, type OpenedStorage, storageRequest } from './open-storage.ts'
import { ownerName } from './owner-name.ts'
import { workspaceWorld } from './workspace-world.ts'

export interface ConsolidationOutcome {
  readonly report: ConsolidationReport
  /** What people had done to published beliefs, and what was published; absent in a dry run, and where the store is away. */
  readonly notes?: BeliefSync
  readonly notices: readonly string[]
}

export interface OpenedConsolidation {
  /** The configured owner. */
  readonly owner: string
  /** Whose episodes the schedule consolidates: those a worker serves. */
  readonly owners: readonly string[]
  /** Nothing where it is switched off. */
  readonly schedule: DailySchedule | undefined
  run(request: ConsolidationRequest, signal?: AbortSignal): Promise<ConsolidationOutcome>
  beliefs(owner: string): BeliefShelf
  /** Published beliefs brought together with those of the log; nothing where the store is away. */
  sync(owner: string): Promise<{ readonly notes?: BeliefSync; readonly notices: readonly string[] }>
  /** Consolidates at its time until the signal ends it. */
  keepSchedule(options: KeepOptions): Promise<void>
  close(): Promise<void>
}

export interface KeepOptions {
  readonly signal: AbortSignal
  readonly onOutcome?: (outcome: ConsolidationOutcome) => void
  readonly onError?: (error: unknown, owner: string) => void
}

export interface OpenConsolidationOptions {
  readonly world?: SelectionWorld
  /** Words beliefs; the configured model where absent. Without a model they are what several episodes say in so many words. */
  readonly distiller?: Distiller
}

export async function openConsolidation(options: OpenConsolidationOptions = {}): Promise<OpenedConsolidation> {
  const world = options.world ?? (await workspaceWorld())
  const config = await readInstallConfig(world)
  const nodes = await openNodes(nodesPlace(config, world), logConcepts)
  try {
    const embedder = await configuredEmbedder(config, { world, cache: deviceState(world) })
    return new Consolidation({ world, config, nodes, embedder, distiller: options.distiller })
  } catch (error) {
    await nodes.close()
    throw error
  }
}

interface Parts {
  readonly world: SelectionWorld
  readonly config: InstallConfig
  readonly nodes: OpenedNodes
  readonly embedder: MemoryEmbedder | undefined
  readonly distiller: Distiller | undefined
}

class Consolidation implements OpenedConsolidation {
  readonly owner: string
  readonly owners: readonly string[]
  readonly schedule: DailySchedule | undefined
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
    this.owner = ownerName(parts.config)
    this.owners = harnessPolicy(parts.config, parts.world).owners
    this.schedule = consolidationSchedule(parts.config)
  }

  async run(request: ConsolidationRequest, signal?: AbortSignal): Promise<ConsolidationOutcome> {
    if (request.dryRun === true) return { report: await this.#consolidate(request, signal), notices: [] }
    // What people wrote comes first: it is not to be learned over.
    const before = await this.sync(request.owner)
    const report = await this.#consolidate(request, signal)
    if (before.notes === undefined || report.outcome !== 'done') return { report, ...before }
    const after = await this.sync(request.owner)
    return { report, notices: after.notices, notes: together(before.notes, after.notes) }
  }

  beliefs(owner: string): BeliefShelf {
    return beliefShelf({ log: this.#parts.nodes.nodes.log, owner, actor: 'agentm' })
  }

  async sync(owner: string): Promise<{ readonly notes?: BeliefSync; readonly notices: readonly string[] }> {
    try {
      const memory = await this.#memory(owner)
      const notes = await memory.syncBeliefs()
      await memory.embedPending({ limit: 512, budgetMs: 10_000 })
      return { notes, notices: notes.refused.map(({ key, why }) => `${key} was left as it is: ${why}`) }
    } catch (error) {
      // A log that cannot be asked is no matter of the store.
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

  async close(): Promise<void> {
    await this.#parts.nodes.close()
  }

  async #consolidate(request: ConsolidationRequest, signal: AbortSignal | undefined): Promise<ConsolidationReport> {
    const { config, world, nodes, embedder } = this.#parts
    const distiller = this.#parts.distiller ?? (await configuredDistiller(config, world))
    return consolidate(
      {
        store: nodes.nodes,
        settings: consolidationSettings(config),
        facts: { host: hostname(), pid: `${process.pid}` },
        ...(embedder === undefined ? {} : { embedder }),
        ...(distiller === undefined ? {} : { distiller }),
        ...(signal === undefined ? {} : { signal }),
      },
      request,
    )
  }

  async #memory(owner: string): Promise<Memory> {
    const { world, nodes, embedder } = this.#parts
    const storage: OpenedStorage = await openStorage(await storageRequest(world))
    return openMemoryOver({
      backend: storage.backend,
      storeId: storage.storeId,
      owner,
      recall: nodes.local.recall,
      log: nodes.nodes.log,
      nodeRecall: nodes.nodes.recall,
      conflictCopy,
      deviceId: await deviceId(world),
      state: deviceState(world),
      ...(embedder === undefined ? {} : { embedder }),
    })
  }
}

async function configuredDistiller(config: InstallConfig, world: SelectionWorld): Promise<Distiller | undefined> {
  const configured = await configuredModel(config, world)
  if (configured === undefined) return undefined
  const { modelDistiller } = await import('@agentm/harness/models')
  return modelDistiller(configured.model)
}

/** What both looks did; of what is there, the later one counts. */
function together(before: BeliefSync, after: BeliefSync | undefined): BeliefSync {
  if (after === undefined) return before
  return {
    ...after,
    edited: [...new Set([...before.edited, ...after.edited])],
    forgotten: [...new Set([...before.forgotten, ...after.forgotten])],
    withdrawn: [...new Set([...before.withdrawn, ...after.withdrawn])],
  }
}
