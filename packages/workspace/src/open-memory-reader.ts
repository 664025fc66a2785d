/**
 * Memory for programs that only read. It creates no directory, marker, log or row. `undefined` if there is no memory: none is
 * configured, it is unavailable, or nothing was ever stored.
 */
import { type MemoryReader, nodeReadings, openMemoryReader } from '@agentm/memory/reader'
import type { MemoryEmbedder, MemoryOptions } from '@agentm/memory'
import type { NodeStore } from '@agentm/nodes'
import type { InstallConfig, SelectionWorld } from '@agentm/selection/reader'
import { type ConfigValues, settings } from '@agentm/settings'
import { conflictCopy, findStoreId, type StorageBackend } from '@agentm/storage-seam'
import { boundProject, registeredProjects } from './bound-project.ts'
import { deviceState } from './device-state.ts'
import { emptyRecall } from './empty-recall.ts'
import { type NodesPlace, nodesPlace } from './nodes-place.ts'
import { ownerName } from './owner-name.ts'
import { isReranking, rerankingOf } from './reranking-of.ts'
import type { WorkspaceBase } from './workspace-base.ts'

/** Memory that was opened for reading. Close it when you are done. */
export interface OpenedMemoryReader {
  readonly memory: MemoryReader
  /** Whether the answer is complete, so that no source was left out to answer sooner. */
  readonly isWhole: boolean
  close(): Promise<void>
}

/** Options for opening memory for reading. */
export interface MemoryReaderOptions {
  /** How long a log on a server may take, in milliseconds from now on, until it is left out (default: 1 s). */
  readonly serverMs?: number
}

const defaultServerMs = 1000

export async function memoryReaderOf(
  base: WorkspaceBase,
  { serverMs = defaultServerMs }: MemoryReaderOptions = {},
): Promise<OpenedMemoryReader | undefined> {
  const config = await base.config()
  const place = nodesPlace(config, base.world)
  // The sources that do not depend on the project are opened while the project is determined.
  const sources = openSources(place, { config, world: base.world, serverMs })
  const [project, { local, server, embedder }] = await Promise.all([base.project(), sources]).catch(
    async (error: unknown) => {
      await sources.then(closeSources, () => {})
      throw error
    },
  )
  const close = () => closeSources({ local, server })
  const backend = project.backend ?? (await selectedBackend(base))
  const storeId = backend === undefined ? undefined : await findStoreId(backend)
  if (backend === undefined || storeId === undefined) {
    await close()
    return undefined
  }
  const bound = boundProject(project)
  const nodes = place.url === undefined ? local : server
  const reranking = await readOnlyReranking(config.values, base.world)
  const memory = openMemoryReader({
    backend,
    storeId,
    owner: ownerName(config),
    recall: local?.recall ?? emptyRecall,
    conflictCopy,
    state: deviceState(base.world),
    registeredProjects: registeredProjects(backend),
    ...(nodes === undefined ? {} : { log: nodes.log, nodeRecall: nodes.recall }),
    ...(bound === undefined ? {} : { project: bound }),
    ...(embedder === undefined ? {} : { embedder }),
    ...(reranking === undefined ? {} : { reranking }),
  })
  const ranksAlike = reranking !== undefined || !isReranking(config.values)
  const isWhole = local !== undefined && place.url === undefined && isAtHand(config.values) && ranksAlike
  return { memory, isWhole, close }
}

/** If no project names a backend, notes without a project are still read from the selected one. */
async function selectedBackend({ selected }: WorkspaceBase): Promise<StorageBackend | undefined> {
  return selected().then(
    ({ storage }) => storage.backend,
    () => undefined,
  )
}

interface Sources {
  readonly local: NodeStore | undefined
  readonly server: Pick<NodeStore, 'log' | 'recall' | 'close'> | undefined
}

interface SourceOptions {
  readonly config: InstallConfig
  readonly world: SelectionWorld
  readonly serverMs: number
}

async function openSources(
  place: NodesPlace,
  { config, world, serverMs }: SourceOptions,
): Promise<Sources & { readonly embedder: MemoryEmbedder | undefined }> {
  const [embedder, local, server] = await Promise.all([
    readOnlyEmbedder(config.values),
    openLocalIndex(place.localFile),
    place.url === undefined ? undefined : openServer(place, { config, world, serverMs }),
  ])
  return { local, server, embedder }
}

async function closeSources({ local, server }: Sources): Promise<void> {
  await Promise.all([local?.close(), server?.close()])
}

async function openServer(place: NodesPlace, options: SourceOptions): Promise<Sources['server']> {
  const { openServerReader } = await import('./open-server-reader.ts')
  return openServerReader(place, { ...options, concepts: nodeReadings, patienceMs: options.serverMs })
}

/** Only the local word table is used, because an endpoint could delay a session. Otherwise words alone decide. */
async function readOnlyEmbedder(values: ConfigValues): Promise<MemoryEmbedder | undefined> {
  if (embedderProvider(values) !== 'static') return undefined
  return (await import('@agentm/embedder-static')).openStaticEmbedder()
}

/** Readers serve hooks of agent sessions, so they wait for a reranker only if the user wants it. */
async function readOnlyReranking(values: ConfigValues, world: SelectionWorld): Promise<MemoryOptions['reranking']> {
  return values['reranker.hooks'] === true ? rerankingOf(values, world).catch(() => undefined) : undefined
}

function isAtHand(values: ConfigValues): boolean {
  return ['static', 'none'].includes(embedderProvider(values))
}

function embedderProvider(values: ConfigValues): string {
  return values['embedder.provider'] ?? settings['embedder.provider'].default
}

/** The index of notes is this device's own, wherever the log is. */
async function openLocalIndex(path: NodesPlace['localFile']): Promise<NodeStore | undefined> {
  const { openSqliteReader } = await import('@agentm/nodes-sqlite')
  return openSqliteReader({ path, concepts: nodeReadings })
}
