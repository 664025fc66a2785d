/**
 * The one opener: `openWorkspace('.')` for a directory whose user has configured agentm, or `openWorkspace({ home: './data' })`
 * for a program that keeps everything in a directory of its own.
 */
import type { SelectionWorld } from '@agentm/selection'
import { deviceState } from './device-state.ts'
import { configuredEmbedder } from './configured-embedder.ts'
import { rerankingOf } from './reranking-of.ts'
import { isThere } from './is-there.ts'
import { nodesPlace } from './nodes-place.ts'
import { once } from './once.ts'
import { locateLog, openLocalLog, openLog } from './open-nodes.ts'
import { openDeviceTables } from './open-device-tables.ts'
import { openMemoryOf } from './open-memory.ts'
import { markStorage } from './open-storage.ts'
import { ownerName } from './owner-name.ts'
import type { Workspace } from './workspace.ts'
import { vectorCache } from './vector-cache.ts'
import { workspaceBase } from './workspace-base.ts'
import { surroundingsOf, type WorkspacePlace } from './workspace-place.ts'
import type { WorkspaceObserver } from './workspace-observer.ts'
import type { WorkspaceParts } from './workspace-parts.ts'

export interface WorkspaceOptions {
  /** Which program this is: kept as `createdBy` of what it writes by hand (default: `agentm`). */
  readonly actor?: string
  /** Where the environment, the home directory and the plugins come from (default: this process). */
  readonly world?: SelectionWorld
  /** Whose notes and plans these are (default: `owner` of the config, else the user of the operating system). */
  readonly owner?: string
  /** Looks at plans, models, tools and memory. Asked when the first of them is opened. */
  readonly observer?: () => Promise<WorkspaceObserver | undefined>
}

/**
 * Opens agentm for a directory: `openWorkspace('.')` uses the configuration of this user, `openWorkspace({ home:
 * './data' })` keeps everything in one directory of your program.
 *
 * @example
 * ```ts
 * import { openWorkspace } from '@agentm/workspace'
 * import { mkdtemp } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import path from 'node:path'
 *
 * const workspace = await openWorkspace({ home: await mkdtemp(path.join(tmpdir(), 'data-')) })
 * const memory = await workspace.memory()
 * await memory.save({ kind: 'fact', text: 'The staging database restarts at 04:00 UTC.' })
 * const { results } = await memory.recall({ text: 'when does staging restart' })
 * console.log(results[0]?.text.trim()) // The staging database restarts at 04:00 UTC.
 * await workspace.close()
 * ```
 */
export async function openWorkspace(
  where: WorkspacePlace = '.',
  { actor = 'agentm', world, owner: named, observer = async () => undefined }: WorkspaceOptions = {},
): Promise<Workspace> {
  const base = workspaceBase(await surroundingsOf(where, world), named)
  const owner = async () => ownerName(await base.config())
  const place = async () => nodesPlace(await base.config(), base.world)
  const logAt = once(async () => locateLog(await place(), { config: await base.config(), world: base.world }))
  const notesIndex = once(async () => openDeviceTables((await place()).notesFile))
  const vectors = once(async () => openDeviceTables((await place()).vectorsFile))
  const cache = vectorCache(vectors)
  const local = once(async () => {
    const { file } = await place()
    return file === undefined ? undefined : openLocalLog(file)
  })
  const log = once(async () => {
    const [at, { logConcepts }] = await Promise.all([logAt(), import('./log-concepts.ts')])
    return (await local())?.withConcepts(logConcepts) ?? openLog(at, logConcepts)
  })
  const readingLog = async () => (await local()) ?? log()
  const storage = once(async () => markStorage((await base.selected()).storage, base.world))
  const state = deviceState(base.world)
  const embedder = once(async () => configuredEmbedder(await base.config(), { world: base.world, cache }))
  const reranking = once(async () => rerankingOf((await base.config()).values, base.world))
  const parts: WorkspaceParts = {
    ...base,
    actor,
    owner,
    place,
    logAt,
    log,
    notesIndex,
    readingLog,
    storage,
    state,
    embedder,
    reranking,
    memory: once(async () => {
      const memory = await openMemoryOf(parts, { owner: await owner(), project: await base.project() })
      return (await observer())?.memory(memory) ?? memory
    }),
    observer,
  }
  const plans = once(async () => (await import('./open-plans.ts')).openPlans(parts))
  const learning = once(async () => (await import('./open-learning.ts')).openLearning(parts))
  const capture = once(async () => (await import('./open-capture.ts')).openCapture(parts))
  const trials = once(async () => (await import('./open-trial.ts')).trialsOf(base))
  return {
    directory: base.directory,
    routing: base.routing,
    settings: async () => (await base.config()).values,
    owner,
    project: base.project,
    storage,
    selected: async () => (await base.selected()).storage,
    log,
    memory: parts.memory,
    plans,
    learning,
    capture,
    trial: async (wanted) => (await trials())(wanted),
    embedders: async () => (await import('./open-embedders.ts')).openEmbedders(base, { state, cache }),
    async stepKindNames(wanted) {
      const { knownKinds } = await import('./known-kinds.ts')
      return knownKinds(wanted, base)
    },
    logUpkeep: async () => (await import('./log-upkeep.ts')).logUpkeep(parts),
    async hasLog() {
      const { file } = await place()
      return file === undefined || (await isThere(file))
    },
    async isUntouched() {
      const { file } = await place()
      if (file === undefined || (await isThere(file))) return false
      const selected = await base.selected().catch(() => undefined)
      if (selected === undefined) return false
      const { root, settings } = selected.place
      const isNamed = settings['store_id'] !== undefined
      return !isNamed && !selected.storage.backend.capabilities.sync && root !== undefined && !(await isThere(root))
    },
    async close() {
      await (await plans.opened())?.close()
      await Promise.all([
        (await log.opened())?.close(),
        (await local.opened())?.close(),
        (await notesIndex.opened())?.close(),
        (await vectors.opened())?.close(),
      ])
    },
  }
}
