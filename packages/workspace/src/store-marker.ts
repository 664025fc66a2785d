/**
 * The store's own id, kept in it and beside its settings, so that a drive that is not mounted, or another store in its
 * place, is noticed. Written once; a marker that is missing where the configuration names an id is never made again.
 */
import { randomUUID } from 'node:crypto'
import { adoptStoreId, type SelectedStorage, type SelectionWorld } from '@agentm/selection'
import {
  CorruptTextError,
  isSeamError,
  type StorageBackend,
  storeMarkerKey,
  StoreUnavailableError,
} from '@agentm/storage-seam'

export interface StoreMarker {
  readonly id: string
}

/** Makes or adopts the id; refuses where the configuration and the store name different ones. */
export async function ensureStoreMarker(
  { backend, storeId, storeIdKey }: Pick<SelectedStorage, 'backend' | 'storeId' | 'storeIdKey'>,
  world: SelectionWorld,
): Promise<StoreMarker> {
  const found = await findMarker(backend)
  if (storeId !== undefined) return agreeing(found, storeId)
  const marker = found ?? (await makeMarker(backend))
  if (storeIdKey === undefined) return marker
  return agreeing(marker, await adoptStoreId(storeIdKey, marker.id, world))
}

function agreeing(found: StoreMarker | undefined, id: string): StoreMarker {
  if (found?.id === id) return found
  throw new StoreUnavailableError(
    `the configuration names the store ${id}, and the one that is there ${found === undefined ? `holds no ${storeMarkerKey}` : `is ${found.id}`}. ` +
      'Mount the right one, or remove its store_id from the configuration to adopt this one.',
  )
}

async function findMarker(backend: StorageBackend): Promise<StoreMarker | undefined> {
  const at = backend.resolve(storeMarkerKey)
  try {
    return parseMarker(await backend.read(at))
  } catch (error) {
    if (isSeamError(error, 'NOT_FOUND')) return undefined
    if (error instanceof SyntaxError) throw new CorruptTextError(at, { cause: error })
    throw error
  }
}

async function makeMarker(backend: StorageBackend): Promise<StoreMarker> {
  const at = backend.resolve(storeMarkerKey)
  const text = `${JSON.stringify({ id: randomUUID() }, undefined, 2)}\n`
  try {
    await backend.write(at, text, backend.capabilities.conditionalWrite ? { ifHash: null } : {})
  } catch (error) {
    // Another process was faster; its id is the store's.
    if (!isSeamError(error, 'CONCURRENT_MODIFICATION')) throw error
  }
  return parseMarker(await backend.read(at))
}

function parseMarker(text: string): StoreMarker {
  const value: unknown = JSON.parse(text)
  if (typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string')
    return { id: value.id }
  throw new SyntaxError(`${storeMarkerKey} holds no "id"`)
}
