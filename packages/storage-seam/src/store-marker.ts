/**
 * The file in every store that holds its id: what tells a store from an empty directory, and one store from another. Every reader
 * uses this function, so that a broken marker causes the same error everywhere.
 */
import { CorruptStoreMarkerError, isSeamError } from './errors.ts'
import type { StorageBackend } from './storage-backend.ts'

/** The key of the file that holds a store's id, in every store. */
export const storeMarkerKey = '_meta/agentm-store.json'

/**
 * The id in a marker's text. Throws `CorruptStoreMarkerError` for anything that holds none.
 *
 * @example
 * ```ts
 * import { parseStoreMarker } from '@agentm/storage-seam'
 *
 * console.log(parseStoreMarker('{ "id": "s1" }')) // s1
 * ```
 */
export function parseStoreMarker(text: string): string {
  try {
    const marker: unknown = JSON.parse(text)
    if (typeof marker === 'object' && marker !== null && 'id' in marker && isId(marker.id)) return marker.id
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new CorruptStoreMarkerError(storeMarkerKey)
}

/**
 * The id of a store; `undefined` where it has no marker yet.
 *
 * @example
 * ```ts
 * import { InMemoryBackend } from '@agentm/conformance'
 * import { findStoreId } from '@agentm/storage-seam'
 *
 * console.log(await findStoreId(new InMemoryBackend())) // undefined
 * ```
 */
export async function findStoreId(backend: StorageBackend): Promise<string | undefined> {
  try {
    return parseStoreMarker(await backend.read(backend.resolve(storeMarkerKey)))
  } catch (error) {
    if (isSeamError(error, 'NOT_FOUND')) return undefined
    if (isSeamError(error, 'CORRUPT_TEXT') || isSeamError(error, 'NOT_A_FILE'))
      throw new CorruptStoreMarkerError(storeMarkerKey, { cause: error })
    throw error
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
