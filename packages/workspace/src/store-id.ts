/**
 * The store's own id, kept in it and beside its settings, so that a drive that is not mounted, or another store in its
 * place, is noticed. Written once. If the config names an id and the marker is absent, it is never created again.
 */
import { randomUUID } from 'node:crypto'
import { adoptStoreId, refuseForeignStore, type SelectedStorage, type SelectionWorld } from '@agentm/selection'
import { findStoreId, isSeamError, parseStoreMarker, type StorageBackend, storeMarkerKey } from '@agentm/storage-seam'

/** Creates or adopts the id. Throws if the config and the store name different ids. */
export async function ensureStoreId(
  { backend, storeId, storeIdKey }: Pick<SelectedStorage, 'backend' | 'storeId' | 'storeIdKey'>,
  world: SelectionWorld,
): Promise<string> {
  const found = await findStoreId(backend)
  if (storeId !== undefined) {
    refuseForeignStore(found, storeId)
    return storeId
  }
  const id = found ?? (await makeMarker(backend))
  if (storeIdKey !== undefined) refuseForeignStore(id, await adoptStoreId(storeIdKey, id, world))
  return id
}

async function makeMarker(backend: StorageBackend): Promise<string> {
  const at = backend.resolve(storeMarkerKey)
  const text = `${JSON.stringify({ id: randomUUID() }, undefined, 2)}\n`
  try {
    await backend.write(at, text, backend.capabilities.conditionalWrite ? { ifHash: null } : {})
  } catch (error) {
    // Another process was faster, and its id is used.
    if (!isSeamError(error, 'CONCURRENT_MODIFICATION')) throw error
  }
  return parseStoreMarker(await backend.read(at))
}
