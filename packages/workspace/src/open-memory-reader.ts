/**
 * Memory for programs that only ask. Nothing is made: no directory, no marker, no log, no row. `undefined` where there is no
 * memory to ask, because none was chosen, it cannot be had, or nothing was ever kept in it.
 */
import { type MemoryReader, openMemoryReader as openReaderOver } from '@agentm/memory/reader'
import type { MemoryEmbedder } from '@agentm/memory'
import type { NodeStore } from '@agentm/nodes'
import type { Project } from '@agentm/routing/reader'
import { type InstallConfig, readInstallConfig, type SelectionWorld } from '@agentm/selection/reader'
import { conflictCopy, isSeamError, type StorageBackend, storeMarkerKey } from '@agentm/storage-seam'
import { boundProject } from './bound-project.ts'
import { emptyRecall } from './empty-recall.ts'
import { findProject } from './find-project.ts'
import { nodesPlace } from './nodes-place.ts'
import { ownerName } from './owner-name.ts'
import { routingWorld } from './routing-world.ts'
import { workspaceWorld } from './workspace-world.ts'

export interface OpenedMemoryReader {
  readonly memory: MemoryReader
  readonly project: Project
  close(): Promise<void>
}

export async function openMemoryReader(
  directory: string,
  given?: SelectionWorld,
): Promise<OpenedMemoryReader | undefined> {
  const world = given ?? (await workspaceWorld())
  const project = await findProject(directory, await routingWorld(world))
  const { backend } = project.backend === undefined ? await selected(world) : project
  const storeId = backend === undefined ? undefined : await readStoreId(backend)
  if (backend === undefined || storeId === undefined) return undefined
  const config = await readInstallConfig(world)
  const bound = boundProject(project)
  const local = await openLocalIndex(nodesPlace(config, world).localFile)
  const embedder = await readOnlyEmbedder(config)
  const memory = openReaderOver({
    backend,
    storeId,
    owner: ownerName(config),
    recall: local?.recall ?? emptyRecall,
    conflictCopy,
    ...(local === undefined ? {} : { log: local.log }),
    ...(bound === undefined ? {} : { project: bound }),
    ...(embedder === undefined ? {} : { embedder }),
  })
  return { memory, project, close: async () => local?.close() }
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
async function readOnlyEmbedder({ values }: InstallConfig): Promise<MemoryEmbedder | undefined> {
  if ((values['embedder.provider'] ?? 'static') !== 'static') return undefined
  return (await import('@agentm/embedder-static')).openStaticEmbedder()
}

/** Beliefs and episodes on a server are left to those who may wait for one; this one answers at once. */
async function openLocalIndex(path: ReturnType<typeof nodesPlace>['localFile']): Promise<NodeStore | undefined> {
  const { openSqliteReader } = await import('@agentm/nodes-sqlite')
  return openSqliteReader({ path, concepts: [] })
}
