/**
 * The backend this machine is configured to use, or a refusal. Never a quiet second choice: a memory written to the wrong
 * place is worse than one not written.
 */
import type { StorageBackend } from '@agentm/storage-seam'
import { resolveStorage, type StorageRequest } from './resolve-storage.ts'

export async function selectBackend(request: StorageRequest = {}): Promise<StorageBackend> {
  const resolution = await resolveStorage(request)
  if (!resolution.ok) throw resolution.error
  return resolution.storage.backend
}
