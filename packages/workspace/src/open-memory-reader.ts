/**
 * Memory for programs that only ask. Nothing is made: no directory, no marker, no log, no row. `undefined` where there is no
 * memory to ask, because none was chosen, it cannot be had, or nothing was ever kept in it.
 */
import { type MemoryReader, nodeReadings, openMemoryReader as openReaderOver } from '@agentm/memory/reader'
import type { MemoryEmbedder } from '@agentm/memory'
import type { NodeStore } from '@agentm/nodes'
import type { Project } from '@agentm/routing/reader'
import { type InstallConfig, readInstallConfig, type SelectionWorld } from '@agentm/selection/reader'
import { conflictCopy, isSeamError, type StorageBackend, storeMarkerKey } from '@agentm/storage-seam'
import { settings } from '@agentm/settings'
import { boundProject, registeredProjects } from './bound-project.ts'
import { emptyRecall } from './empty-recall.ts'
import { findProject } from './find-project.ts'
import { type NodesPlace, nodesPlace } from './nodes-place.ts'
import { ownerName } from './owner-name.ts'
import { routingWorld } from './routing-world.ts'
import { workspaceWorld } from './workspace-world.ts'

export interface OpenedMemoryReader {
  readonly memory: MemoryReader
  readonly project: Project
  /** Whether it knows all that somebody who opens memory to write would be told: nothing was left out to answer sooner. */
  readonly isWhole: boolean
  close(): Promise<void>
}

export interface MemoryReaderOptions {
  readonly world?: SelectionWorld
  /** How long a log on a server may take, from now on, until it is left out. */
  readonly serverMs?: number
}

const defaultServerMs = 1000

export async function openMemoryReader(
  directory: string,
  { world: given, serverMs = defaultServerMs }: MemoryReaderOptions = {},
): Promise<OpenedMemoryReader | undefined> {
  const world = given ?? (await workspaceWorld())
  const config = await readInstallConfig(world)
  const place = nodesPlace(config, world)
  // What does not depend on the project is made ready while the project is looked for.
  const sources = openSources(place, config, serverMs)
  const [project, { local, server, embedder }] = await Promise.all([
    routingWorld(world).then((routing) => findProject(directory, routing)),
    sources,
  ]).catch(async (error: unknown) => {
    await sources.then(closeSources, () => {})
    throw error
  })
  const close = () => closeSources({ local, server })
  const { backend } = project.backend === undefined ? await selected(world) : project
  const storeId = backend === undefined ? undefined : await readStoreId(backend)
  if (backend === undefined || storeId === undefined) {
    await close()
    return undefined
  }
  const bound = boundProject(project)
  const nodes = place.url === undefined ? local : server
  const memory = openReaderOver({
    backend,
    storeId,
    owner: ownerName(config),
    recall: local?.recall ?? emptyRecall,
    conflictCopy,
    registeredProjects: registeredProjects(backend),
    ...(nodes === undefined ? {} : { log: nodes.log, nodeRecall: nodes.recall }),
    ...(bound === undefined ? {} : { project: bound }),
    ...(embedder === undefined ? {} : { embedder }),
  })
  const isWhole = local !== undefined && place.url === undefined && isAtHand(config)
  return { memory, project, isWhole, close }
}

interface Sources {
  readonly local: NodeStore | undefined
  readonly server: Pick<NodeStore, 'log' | 'recall' | 'close'> | undefined
}

async function openSources(
  { localFile, url }: NodesPlace,
  config: InstallConfig,
  serverMs: number,
): Promise<Sources & { readonly embedder: MemoryEmbedder | undefined }> {
  const [embedder, local, server] = await Promise.all([
    readOnlyEmbedder(config),
    openLocalIndex(localFile),
    url === undefined ? undefined : openServer(url, serverMs),
  ])
  return { local, server, embedder }
}

async function closeSources({ local, server }: Sources): Promise<void> {
  await Promise.all([local?.close(), server?.close()])
}

async function openServer(url: string, patienceMs: number): Promise<Sources['server']> {
  const { openServerReader } = await import('./open-server-reader.ts')
  return openServerReader(url, { concepts: nodeReadings, patienceMs })
}

/** Where no project names a backend, notes that belong to no project are still somewhere. */
async function selected(world: SelectionWorld): Promise<{ readonly backend: StorageBackend | undefined }> {
  const { selectBackend } = await import('@agentm/selection/reader')
  const { registry } = await routingWorld(world)
  try {
    return { backend: await selectBackend({ world, ...(registry === undefined ? {} : { registry }) }) }
  } catch {
    return { backend: undefined }
  }
}

async function readStoreId(backend: StorageBackend): Promise<string | undefined> {
  try {
    const marker: unknown = JSON.parse(await backend.read(backend.resolve(storeMarkerKey)))
    return typeof marker === 'object' && marker !== null && 'id' in marker ? String(marker.id) : undefined
  } catch (error) {
    if (isSeamError(error, 'NOT_FOUND')) return undefined
    throw error
  }
}

/** The word table is at hand; an endpoint could keep a session waiting, so without it words alone decide. */
async function readOnlyEmbedder(config: InstallConfig): Promise<MemoryEmbedder | undefined> {
  if (embedderProvider(config) !== 'static') return undefined
  return (await import('@agentm/embedder-static')).openStaticEmbedder()
}

function isAtHand(config: InstallConfig): boolean {
  return ['static', 'none'].includes(embedderProvider(config))
}

function embedderProvider({ values }: InstallConfig): string {
  return values['embedder.provider'] ?? settings['embedder.provider'].default
}

/** The index of notes is this device's own, wherever the log is. */
async function openLocalIndex(path: NodesPlace['localFile']): Promise<NodeStore | undefined> {
  const { openSqliteReader } = await import('@agentm/nodes-sqlite')
  return openSqliteReader({ path, concepts: nodeReadings })
}
