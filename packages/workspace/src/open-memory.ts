/**
 * Memory for one directory: the configured store, the project it belongs to, the log beside it. A repository that calls
 * itself by the name of another one gets what belongs to no project, and nothing of that name.
 */
import {
  consolidationCursor,
  type Memory,
  observation,
  openMemory as openMemoryOver,
  semanticMemory,
} from '@agentm/memory'
import type { Concept } from '@agentm/nodes'
import { bindProject, type Project } from '@agentm/routing'
import { type InstallConfig, readInstallConfig, type SelectionWorld } from '@agentm/selection'
import { conflictCopy } from '@agentm/storage-seam'
import { boundProject, registeredProjects } from './bound-project.ts'
import { configuredEmbedder } from './configured-embedder.ts'
import { deviceId, deviceState } from './device-state.ts'
import { findProject } from './find-project.ts'
import { nodesPlace } from './nodes-place.ts'
import { type OpenedNodes, openNodes } from './open-nodes.ts'
import { openStorage, type OpenedStorage, storageRequest } from './open-storage.ts'
import { ownerName } from './owner-name.ts'
import { routingWorld } from './routing-world.ts'

export interface OpenedMemory {
  readonly memory: Memory
  readonly project: Project
  readonly storage: OpenedStorage
  readonly owner: string
  /** Drops what is open; waits for what was acknowledged. */
  close(): Promise<void>
}

/** The concepts memory itself keeps in the log. */
export const memoryConcepts = [observation, semanticMemory, consolidationCursor]

/** With the concepts of all that shares the log, `embedPending` makes the vectors of all of it. */
export async function openMemory(
  directory: string,
  world?: SelectionWorld,
  concepts: readonly Concept[] = memoryConcepts,
): Promise<OpenedMemory> {
  const request = await storageRequest(world)
  const storage = await openStorage(request)
  const config = await readInstallConfig(request.world)
  const project = await findProject(directory, await routingWorld(request.world))
  const nodes = await openNodes(nodesPlace(config, request.world), concepts)
  try {
    const owner = ownerName(config)
    const memory = await memoryOver({ storage, project, nodes, owner, config, world: request.world })
    return { memory: binding(memory, project), project, storage, owner, close: () => nodes.close() }
  } catch (error) {
    await nodes.close()
    throw error
  }
}

interface Opened {
  readonly storage: OpenedStorage
  readonly project: Project
  readonly nodes: OpenedNodes
  readonly owner: string
  readonly config: InstallConfig
  readonly world: SelectionWorld
}

async function memoryOver({ storage, project, nodes, owner, config, world }: Opened): Promise<Memory> {
  const state = deviceState(world)
  const embedder = await configuredEmbedder(config, { world, cache: state })
  const bound = boundProject(project)
  return openMemoryOver({
    backend: storage.backend,
    storeId: storage.storeId,
    owner,
    recall: nodes.local.recall,
    log: nodes.nodes.log,
    nodeRecall: nodes.nodes.recall,
    conflictCopy,
    registeredProjects: registeredProjects(storage.backend),
    deviceId: await deviceId(world),
    state,
    ...(bound === undefined ? {} : { project: bound }),
    ...(embedder === undefined ? {} : { embedder }),
  })
}

/** A project's name belongs to the repository that first wrote under it, so the first save says which one that is. */
function binding(memory: Memory, project: Project): Memory {
  const isBound = async () => {
    if (project.slug !== undefined && project.bindingError === undefined) await bindProject(project)
  }
  return {
    ...memory,
    async save(request) {
      if (request.scope !== 'personal') await isBound()
      return memory.save(request)
    },
    async offerSave(candidate, options) {
      if (candidate.scope !== 'personal') await isBound()
      return memory.offerSave(candidate, options)
    },
    inbox: {
      ...memory.inbox,
      async accept(candidate, options) {
        const { partition } = await memory.inbox.find(candidate)
        const isProjects = options.scope === undefined ? partition === project.slug : options.scope === 'project'
        if (isProjects) await isBound()
        return memory.inbox.accept(candidate, options)
      },
    },
    async supersede(note, request) {
      await isBound()
      return memory.supersede(note, request)
    },
  }
}
