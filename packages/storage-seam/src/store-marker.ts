/**
 * The file in every store that contains its id. It distinguishes a store from an empty directory, and one store from another. Every reader
 * uses this function, so that a broken marker causes the same error everywhere.
 */
import { CorruptStoreMarkerError, isSeamError } from './errors.ts'
import type { StorageBackend } from './storage-backend.ts'

/** The key of the file that contains a store's id. It is the same in every store. */
export const storeMarkerKey = '_meta/agentm-store.json'

/**
 * The id in a marker's text. Throws `CorruptStoreMarkerError` if the text contains no id.
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
 * The id of a store; `undefined` if it has no marker yet.
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
