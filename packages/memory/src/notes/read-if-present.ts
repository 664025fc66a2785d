import { isSeamError, type Locator, type StorageBackend } from '@agentm/storage-seam'

/** The text there, or nothing where nothing is; unreadable stays an error. */
export async function readIfPresent(backend: StorageBackend, at: Locator): Promise<string | undefined> {
  try {
    return await backend.read(at)
  } catch (error) {
    if (isSeamError(error, 'NOT_FOUND')) return undefined
    throw error
  }
}
