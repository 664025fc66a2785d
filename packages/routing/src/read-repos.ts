/** Reads the registry of repositories. A store without one has no repositories yet, and gets no file by being asked. */
import { isSeamError, type Locator, type StorageBackend } from '@agentm/storage-seam'
import { type Repo, reposOf } from './pure/repos-document.ts'

export async function readRepos(backend: StorageBackend): Promise<Repo[]> {
  try {
    return reposOf(await backend.read(registryLocator(backend)))
  } catch (error) {
    if (isSeamError(error, 'NOT_FOUND')) return []
    throw error
  }
}

export async function findRepo(backend: StorageBackend, slug: string): Promise<Repo | undefined> {
  return (await readRepos(backend)).find((repo) => repo.slug === slug)
}

export function registryLocator(backend: StorageBackend): Locator {
  return backend.resolve('_meta', 'repos.json')
}
