/**
 * Memory of a workspace: the configured store, its project and the log. A repository that uses the name of another one gets only
 * notes without a project.
 */
import { type Memory, type MemoryOptions, openMemory } from '@agentm/memory'
import { bindProject, type Project } from '@agentm/routing'
import { conflictCopy } from '@agentm/storage-seam'
import { publishAgain } from './belief-publication.ts'
import { boundProject, registeredProjects } from './bound-project.ts'
import { deviceId } from './device-state.ts'
import { englishRelatives } from './english-relatives.ts'
import type { WorkspaceParts } from './workspace-parts.ts'

/** Without a project, it is the memory of what belongs to none. */
export async function openMemoryOf(
  parts: WorkspaceParts,
  { owner, project }: { readonly owner: string; readonly project?: Project },
): Promise<Memory> {
  const storage = await parts.storage()
  const [index, embedder, reranking] = [await parts.notesIndex(), await parts.embedder(), await parts.reranking()]
  const bound = project === undefined ? undefined : boundProject(project)
  const memory = openMemory({
    backend: storage.backend,
    storeId: storage.storeId,
    owner,
    index,
    ...(await logOf(parts)),
    conflictCopy,
    registeredProjects: registeredProjects(storage.backend),
    deviceId: await deviceId(parts.world),
    relatedWords: await englishRelatives(),
    state: parts.state,
    publishBeliefs: async () => publishAgain(parts, owner),
    ...(bound === undefined ? {} : { project: bound }),
    ...(embedder === undefined ? {} : { embedder }),
    ...(reranking === undefined ? {} : { reranking }),
  })
  return project === undefined ? memory : binding(memory, project)
}

/** The schemas for appends are loaded with the first append, which is rare here. */
async function logOf(parts: WorkspaceParts): Promise<Pick<MemoryOptions, 'log' | 'recall'>> {
  const { log, recall } = await parts.readingLog()
  return {
    recall,
    log: {
      ...log,
      append: async (...given) => (await parts.log()).log.append(...given),
      redact: async (...given) => (await parts.log()).log.redact(...given),
    },
  }
}

/** A project name belongs to the repository that first wrote under it, so the first save records the repository. */
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
    async openImport(options) {
      if (options.write && options.scope !== 'personal') await isBound()
      return memory.openImport(options)
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
