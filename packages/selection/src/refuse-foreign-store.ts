/**
 * Whether the store that was opened is the one the config names. An empty directory where a drive should be mounted, and
 * another store in its place, both look like a store; only the id inside tells.
 */
import { isSeamError, type StorageBackend, storeMarkerKey, StoreUnavailableError } from '@agentm/storage-seam'

export async function refuseForeignStore(backend: StorageBackend, storeId: string): Promise<void> {
  const found = idIn(await markerText(backend))
  if (found === storeId) return
  throw new StoreUnavailableError(
    `the config names the store ${storeId}, and the one that is there ${found === undefined ? `holds no ${storeMarkerKey}` : `is ${found}`}. ` +
      'Mount the right one, or remove its store_id from the config to use this one.',
  )
}

async function markerText(backend: StorageBackend): Promise<string | undefined> {
  try {
    return await backend.read(backend.resolve(storeMarkerKey))
  } catch (error) {
    if (isSeamError(error, 'NOT_FOUND')) return undefined
    throw error
  }
}

function idIn(marker: string | undefined): string | undefined {
  try {
    const value: unknown = JSON.parse(marker ?? '')
    return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
      ? value.id
      : undefined
  } catch {
    return undefined
  }
}
