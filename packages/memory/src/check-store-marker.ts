/** A drive that is not mounted carries no marker, and then nothing may be concluded from what is missing. */
import { type StorageBackend, storeMarkerKey } from '@agentm/storage-seam'
import { StoreNotMarkedError } from './memory-errors.ts'
import { readIfPresent } from './read-if-present.ts'

export async function checkStoreMarker(backend: StorageBackend, storeId: string): Promise<void> {
  const found = markedId(await readIfPresent(backend, backend.resolve(storeMarkerKey)))
  if (found !== storeId) throw new StoreNotMarkedError(storeId, found)
}

function markedId(text: string | undefined): string | undefined {
  try {
    const marker: unknown = JSON.parse(text ?? 'null')
    const id = typeof marker === 'object' && marker !== null && 'id' in marker ? marker.id : undefined
    return typeof id === 'string' ? id : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
