/**
 * The registry of repositories in a store, at `_meta/repos.json`. Every change is one `update`, so that no writer's change is lost.
 * Entries that a program without such an update overwrites are restored from the journal.
 */
import type { StorageBackend } from '@agentm/storage-seam'
import { journaled, restored, unjournaled } from './pure/registry-journal.ts'
import { type Repo, reposOf, type RepoToRegister, withoutRepo, withRepo } from './pure/repos-document.ts'
import { slugObjection } from './pure/slug.ts'
import { journalLocator, readRegistry, registryLocator } from './read-repos.ts'
import { InvalidSlugError } from './routing-errors.ts'

/**
 * Returns the changed registry.
 *
 * @example
 * ```ts
 * import { InMemoryBackend } from '@agentm/conformance'
 * import { registerRepo } from '@agentm/routing'
 *
 * const repos = await registerRepo(new InMemoryBackend(), { slug: 'engine', rootPath: '/home/ada/engine' })
 * console.log(repos.length) // 1
 * ```
 */
export async function registerRepo(backend: StorageBackend, repo: RepoToRegister): Promise<Repo[]> {
  const why = slugObjection(repo.slug)
  if (why !== undefined) throw new InvalidSlugError(repo.slug, { from: 'the registration', why })
  const registered = await updateRegistry(backend, repo.slug, (text) => withRepo(text, repo))
  // A Python program reads before it takes the lock, so it may just have overwritten the registry with an older copy.
  if ((await readRegistry(backend)).isWhole) return reposOf(registered)
  return reposOf(await updateRegistry(backend, repo.slug, (text) => withRepo(text, repo)))
}

/** Makes one change of the registry for `slug`, and then updates the journal. Writes nothing if `change` returns `undefined`. */
export async function updateRegistry(
  backend: StorageBackend,
  slug: string,
  change: (text: string | undefined) => string | undefined,
): Promise<string | undefined> {
  const { journal } = await readRegistry(backend)
  let written: string | undefined
  const text = await backend.update(registryLocator(backend), (now) => {
    const whole = restored(now, journal)
    written = change(whole)
    return written ?? (whole === now ? undefined : whole)
  })
  if (written !== undefined) {
    const registry = written
    await backend.update(journalLocator(backend), (now) => journaled(now, registry, slug))
  }
  return text
}

/**
 * Removes every entry of that name. Returns whether there was one.
 *
 * @example
 * ```ts
 * import { InMemoryBackend } from '@agentm/conformance'
 * import { unregisterRepo } from '@agentm/routing'
 *
 * console.log(await unregisterRepo(new InMemoryBackend(), 'engine')) // false
 * ```
 */
export async function unregisterRepo(backend: StorageBackend, slug: string): Promise<boolean> {
  const { text: known } = await readRegistry(backend)
  if (!reposOf(known).some((repo) => repo.slug === slug)) return false
  // The journal is written first, because an entry that is still in it would be restored.
  await backend.update(journalLocator(backend), (journal) => unjournaled(journal, slug))
  await backend.update(registryLocator(backend), (text) => withoutRepo(text, slug))
  return true
}
