/** A drive that is not mounted carries no marker, and then nothing may be concluded from what is missing. */
import { findStoreId, type StorageBackend } from '@agentm/storage-seam'
import { StoreNotMarkedError } from '../memory-errors.ts'

/** Refuses when the store is not the one that was expected, such as a drive that is not mounted. */
export async function checkStoreMarker(backend: StorageBackend, storeId: string): Promise<void> {
  const found = await findStoreId(backend)
  if (found !== storeId) throw new StoreNotMarkedError(storeId, found)
}
