import { isSeamError, type Locator, type StorageBackend } from '@agentm/storage-seam'

/** The text, or `undefined` if the file does not exist. An unreadable file throws. */
export async function readIfPresent(backend: StorageBackend, at: Locator): Promise<string | undefined> {
  try {
    return await backend.read(at)
  } catch (error) {
    if (isSeamError(error, 'NOT_FOUND')) return undefined
    throw error
  }
}
