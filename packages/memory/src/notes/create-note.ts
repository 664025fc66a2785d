/** Creates a note if the key is free, or returns the existing one. A conditional write makes sure that only one of two writers wins. */
import { isSeamError, type Locator, type StorageBackend } from '@agentm/storage-seam'
import { readIfPresent } from './read-if-present.ts'

export type Created = { readonly created: true } | { readonly created: false; readonly there: string }

export async function createNote(backend: StorageBackend, at: Locator, text: string): Promise<Created> {
  for (;;) {
    const there = await readIfPresent(backend, at)
    if (there !== undefined) return { created: false, there }
    try {
      await backend.write(at, text, { ifHash: null })
      return { created: true }
    } catch (error) {
      if (!isSeamError(error, 'CONCURRENT_MODIFICATION')) throw error
    }
  }
}
