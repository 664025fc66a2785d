/** Reads the registry of repositories. A store without one has no repositories, and reading creates no file. */
import { isSeamError, type Locator, type StorageBackend } from '@agentm/storage-seam'
import { journalKey, restored } from './pure/registry-journal.ts'
import { type Repo, reposOf } from './pure/repos-document.ts'

/**
 * All registered repositories. A store without a registry has none, and asking creates no file.
 *
 * @example
 * ```ts
 * import { InMemoryBackend } from '@agentm/conformance'
 * import { findRepo, readRepos, registerRepo, unregisterRepo } from '@agentm/routing'
 *
 * const backend = new InMemoryBackend()
 * await registerRepo(backend, { slug: 'engine', rootPath: '/home/ada/engine' })
 * console.log((await readRepos(backend)).length, (await findRepo(backend, 'engine'))?.slug) // 1 engine
 * console.log(await unregisterRepo(backend, 'engine')) // true
 * ```
 */
export async function readRepos(backend: StorageBackend): Promise<Repo[]> {
  return reposOf((await readRegistry(backend)).text)
}

/**
 * The registered repository of this name, or `undefined`.
 *
 * @example
 * ```ts
 * import { InMemoryBackend } from '@agentm/conformance'
 * import { findRepo } from '@agentm/routing'
 *
 * console.log(await findRepo(new InMemoryBackend(), 'engine')) // undefined
 * ```
 */
export async function findRepo(backend: StorageBackend, slug: string): Promise<Repo | undefined> {
  return (await readRepos(backend)).find((repo) => repo.slug === slug)
}

export interface FoundRegistry {
  /** The text, with entries restored that an older copy had lost. */
  readonly text: string | undefined
  /** `false` if an entry had to be restored. */
  readonly isWhole: boolean
  readonly journal: string | undefined
}

export async function readRegistry(backend: StorageBackend): Promise<FoundRegistry> {
  const [written, journal] = await Promise.all([
    readIfThere(backend, registryLocator(backend)),
    readIfThere(backend, journalLocator(backend)),
  ])
  const text = restored(written, journal)
  return { text, isWhole: text === written, journal }
}

export function registryLocator(backend: StorageBackend): Locator {
  return backend.resolve('_meta', 'repos.json')
}

export function journalLocator(backend: StorageBackend): Locator {
  return backend.resolve(journalKey)
}

async function readIfThere(backend: StorageBackend, at: Locator): Promise<string | undefined> {
  try {
    return await backend.read(at)
  } catch (error) {
    if (isSeamError(error, 'NOT_FOUND')) return undefined
    throw error
  }
}
