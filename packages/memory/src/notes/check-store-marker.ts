/** A drive that is not mounted has no marker. Files that are absent there must not be treated as deleted. */
import { findStoreId, type StorageBackend } from '@agentm/storage-seam'
import { StoreNotMarkedError } from '../memory-errors.ts'

/** Throws if the store is not the expected one, for example because the drive is not mounted. */
export async function checkStoreMarker(backend: StorageBackend, storeId: string): Promise<void> {
  const found = await findStoreId(backend)
  if (found !== storeId) throw new StoreNotMarkedError(storeId, found)
}
