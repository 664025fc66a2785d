/** The projects as memory knows them: whose notes may be read, why not where another repository owns the name, and which are ours. */
import type { BoundProject } from '@agentm/memory/reader'
import { type Project, readRepos } from '@agentm/routing/reader'
import type { StorageBackend } from '@agentm/storage-seam'

export function boundProject({ slug, projectLocator, bindingError }: Project): BoundProject | undefined {
  if (slug === undefined) return undefined
  return {
    slug,
    ...(projectLocator === undefined ? {} : { home: projectLocator.key }),
    ...(bindingError === undefined ? {} : { refusal: bindingError }),
  }
}

/** Read again at each look, so that a long-running process learns about newly registered projects. */
export function registeredProjects(backend: StorageBackend): () => Promise<ReadonlySet<string>> {
  return async () => new Set((await readRepos(backend)).map(({ slug }) => slug))
}
