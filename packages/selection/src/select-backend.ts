/**
 * The backend this machine is configured to use, or a refusal. It never silently uses another backend, because a note in the
 * wrong place is worse than a refused one.
 */
import type { StorageBackend } from '@agentm/storage-seam'
import { resolveStorage, type StorageRequest } from './resolve-storage.ts'

/**
 * The backend this machine is configured to use. Refuses with `STORAGE_SELECTION` instead of using another one.
 *
 * @example
 * ```ts
 * import { selectBackend } from '@agentm/selection'
 *
 * const world = { env: { MEMORY_VAULT_PATH: '/nowhere' }, home: '/home/ada', installations: [] }
 * await selectBackend({ world }).catch((error: { code: string }) => console.log(error.code)) // STORAGE_SELECTION
 * ```
 */
export async function selectBackend(request: StorageRequest = {}): Promise<StorageBackend> {
  const resolution = await resolveStorage(request)
  if (!resolution.ok) throw resolution.error
  return resolution.storage.backend
}
