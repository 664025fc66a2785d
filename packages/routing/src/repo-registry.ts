/**
 * The registry of repositories in a store, at `_meta/repos.json`. Every change is one `update`, so that none of several
 * writers is lost.
 */
import type { StorageBackend } from '@agentm/storage-seam'
import { type Repo, reposOf, type RepoToRegister, withoutRepo, withRepo } from './pure/repos-document.ts'
import { slugObjection } from './pure/slug.ts'
import { registryLocator } from './read-repos.ts'
import { InvalidSlugError } from './routing-errors.ts'

/** Answers the registry as it is afterwards. */
export async function registerRepo(backend: StorageBackend, repo: RepoToRegister): Promise<Repo[]> {
  const why = slugObjection(repo.slug)
  if (why !== undefined) throw new InvalidSlugError(repo.slug, { from: 'the registration', why })
  const at = registryLocator(backend)
  const register = () => backend.update(at, (text) => withRepo(text, repo))
  const registered = reposOf(await register())
  // A Python program compares before it takes the lock, and may just have written its older copy over ours.
  const now = reposOf(await backend.read(at))
  if (now.some(({ slug }) => slug === repo.slug)) return registered
  return reposOf(await register())
}

/** Removes every entry of that name; answers whether there was one. */
export async function unregisterRepo(backend: StorageBackend, slug: string): Promise<boolean> {
  let removed = false
  await backend.update(registryLocator(backend), (text) => {
    const next = withoutRepo(text, slug)
    removed = next !== undefined
    return next
  })
  return removed
}
