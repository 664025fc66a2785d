/** The reading side of `openWorkspace`, for the same places. */
import type { NodeStore } from '@agentm/nodes'
import type { SelectionWorld } from '@agentm/selection/reader'
import { harnessPolicy } from './harness-policy.ts'
import { nodesPlace, placeName } from './nodes-place.ts'
import { once } from './once.ts'
import { memoryReaderOf, type OpenedMemoryReader } from './open-memory-reader.ts'
import { only } from './only.ts'
import { ownerName } from './owner-name.ts'
import { readState } from './read-state.ts'
import { treesRoot } from './trees-root.ts'
import { workspaceBase } from './workspace-base.ts'
import { surroundingsOf, type WorkspacePlace } from './workspace-place.ts'
import type { WorkspaceReader } from './workspace-reader.ts'

/** Options of `openWorkspaceReader`. */
export interface WorkspaceReaderOptions {
  /** Where the environment, the home directory and the plugins come from (default: this process). */
  readonly world?: SelectionWorld
  /** Whose notes and plans are read (default: `owner` of the config, else the user of the operating system). */
  readonly owner?: string
}

/**
 * Opens a workspace for reading. Nothing is created or changed.
 *
 * @example
 * ```ts
 * import { openWorkspaceReader } from '@agentm/workspace/reader'
 *
 * const reader = await openWorkspaceReader({ home: './data' })
 * console.log(await reader.owner())
 * ```
 */
export async function openWorkspaceReader(
  where: WorkspacePlace = '.',
  { world: given, owner: named }: WorkspaceReaderOptions = {},
): Promise<WorkspaceReader> {
  const base = workspaceBase(await surroundingsOf(where, given), named)
  const { config, world } = base
  const place = async () => nodesPlace(await config(), world)
  const log = once<NodeStore | undefined>(async () => {
    const [{ locateLog, openLogReader }, { logConcepts }] = await Promise.all([
      import('./open-nodes.ts'),
      import('./log-concepts.ts'),
    ])
    return openLogReader(await locateLog(await place(), { config: await config(), world }), logConcepts)
  })
  const memories: OpenedMemoryReader[] = []
  const plans = once(async () => {
    const store = await log()
    return store === undefined ? undefined : (await import('./open-plans-reader.ts')).openPlansReader(base, store)
  })
  return {
    directory: base.directory,
    routing: base.routing,
    settings: async () => (await config()).values,
    owner: async () => ownerName(await config()),
    project: base.project,
    selected: async () => (await base.selected()).storage,
    policy: async () => harnessPolicy(await config(), world),
    async memory(options) {
      const opened = await memoryReaderOf(base, options)
      if (opened !== undefined) memories.push(opened)
      return opened
    },
    async log() {
      const store = await log()
      return store && only(store.log, ['scan', 'latest', 'history', 'position', 'check', 'size', 'backup'])
    },
    plans,
    async beliefs(owner) {
      const store = await log()
      if (store === undefined) return undefined
      const { beliefShelf } = await import('@agentm/learning')
      return only(beliefShelf({ log: store.log, owner }), ['list', 'show'])
    },
    async learned(owner) {
      const store = await log()
      if (store === undefined) return undefined
      const { learnedShelf } = await import('@agentm/learning/lessons')
      return only(learnedShelf({ log: store.log, owner }), ['list', 'show', 'count'])
    },
    async storedSessions() {
      const [{ findSessions }, { sessionSearch }] = await Promise.all([
        import('@agentm/transcripts'),
        import('./session-surroundings.ts'),
      ])
      return findSessions(sessionSearch(world, (await config()).values))
    },
    async sessions(owner) {
      const store = await log()
      if (store === undefined) return undefined
      const { readSessions } = await import('@agentm/learning/sessions')
      return readSessions({ log: store.log, owner })
    },
    sessionEntries: async (turn, options) => (await import('./session-entries.ts')).sessionEntries(base, turn, options),
    async trace(planId) {
      return (await plans())?.trace(planId) ?? (await import('./empty-trace.ts')).emptyTrace(planId)
    },
    async conflicts() {
      const { backend } = (await base.selected()).storage
      return (await import('./conflict-pairs.ts')).conflictPairs(backend, backend.resolve())
    },
    state: async (question) => readState(await base.project(), question),
    probeModel: async (options) => (await import('./probe-model.ts')).probeModel(base, options),
    probeKinds: async () => (await import('./probe-kinds.ts')).probeKinds(base),
    probeSandbox: async () =>
      (await (await import('./sandbox-here.ts')).sandboxHere({ config: await base.config(), world: base.world })).state,
    treesRoot: () => treesRoot(base.world),
    probeTools: async (options) => (await import('./probe-tools.ts')).probeTools(base, options),
    logPlace: async () => placeName(await place()),
    logDamage: async () => (await import('./log-damage.ts')).logDamage(await place()),
    async close() {
      await Promise.all([(await log.opened())?.close(), ...memories.map((memory) => memory.close())])
    },
  }
}
