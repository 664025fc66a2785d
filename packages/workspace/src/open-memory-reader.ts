/**
 * Memory for programs that only read. It creates no directory, marker, log or row. `undefined` if there is no memory: none is
 * configured, it is unavailable, or nothing was ever stored.
 */
import { type MemoryReader, nodeReadings, openMemoryReader } from '@agentm/memory/reader'
import type { MemoryOptions } from '@agentm/memory'
import type { NodeStore } from '@agentm/nodes'
import type { ByteTables } from '@agentm/nodes/store-kit'
import type { InstallConfig, SelectionWorld } from '@agentm/selection/reader'
import { type ConfigValues, settings } from '@agentm/settings'
import type { FilePath } from '@agentm/vault-lock'
import { conflictCopy, findStoreId, type StorageBackend } from '@agentm/storage-seam'
import { boundProject, registeredProjects } from './bound-project.ts'
import { deviceState } from './device-state.ts'
import { englishRelatives } from './english-relatives.ts'
import { type NodesPlace, nodesPlace } from './nodes-place.ts'
import { openDeviceTables } from './open-device-tables.ts'
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
  const [project, { index, nodes, relatedWords }] = await Promise.all([base.project(), sources]).catch(
    async (error: unknown) => {
      await sources.then(closeSources, () => {})
      throw error
    },
  )
  const close = () => closeSources({ index, nodes })
  const backend = project.backend ?? (await selectedBackend(base))
  const storeId = backend === undefined ? undefined : await findStoreId(backend)
  if (backend === undefined || storeId === undefined) {
    await close()
    return undefined
  }
  const bound = boundProject(project)
  const reranking = await readOnlyReranking(config.values, base.world)
  const memory = openMemoryReader({
    backend,
    storeId,
    owner: ownerName(config),
    index,
    conflictCopy,
    state: deviceState(base.world),
    registeredProjects: registeredProjects(backend),
    relatedWords,
    ...(nodes === undefined ? {} : { log: nodes.log, recall: nodes.recall }),
    ...(bound === undefined ? {} : { project: bound }),
    ...(reranking === undefined ? {} : { reranking }),
  })
  const ranksAlike = reranking !== undefined || !isReranking(config.values)
  const isWhole = nodes !== undefined && place.url === undefined && isAtHand(config.values) && ranksAlike
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
  readonly index: ByteTables
  readonly nodes: Pick<NodeStore, 'log' | 'recall' | 'close'> | undefined
}

interface Words {
  readonly relatedWords: NonNullable<MemoryOptions['relatedWords']>
}

interface SourceOptions {
  readonly config: InstallConfig
  readonly world: SelectionWorld
  readonly serverMs: number
}

async function openSources(place: NodesPlace, { config, world, serverMs }: SourceOptions): Promise<Sources & Words> {
  const [relatedWords, index, nodes] = await Promise.all([
    englishRelatives(),
    openDeviceTables(place.notesFile, { readOnly: true }),
    place.file === undefined ? openServer(place, { config, world, serverMs }) : openLocalReader(place.file),
  ])
  return { index, nodes, relatedWords }
}

async function closeSources({ index, nodes }: Sources): Promise<void> {
  await Promise.all([index.close(), nodes?.close()])
}

async function openServer(place: NodesPlace, options: SourceOptions): Promise<Sources['nodes']> {
  const { openServerReader } = await import('./open-server-reader.ts')
  return openServerReader(place, { ...options, concepts: nodeReadings, patienceMs: options.serverMs })
}

/** Readers serve hooks of agent sessions, so they wait for a reranker only if the user wants it. */
async function readOnlyReranking(values: ConfigValues, world: SelectionWorld): Promise<MemoryOptions['reranking']> {
  return values['reranker.hooks'] === true ? rerankingOf(values, world).catch(() => undefined) : undefined
}

/** A reader asks no embedder, because an endpoint could delay a session. Without one, it answers alike. */
function isAtHand(values: ConfigValues): boolean {
  return ['static', 'none'].includes(values['embedder.provider'] ?? settings['embedder.provider'].default)
}

async function openLocalReader(path: FilePath): Promise<NodeStore | undefined> {
  const { openSqliteReader } = await import('@agentm/nodes-sqlite')
  return openSqliteReader({ path, concepts: nodeReadings })
}
