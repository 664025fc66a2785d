import type { Locator } from '@agentm/storage-seam'
import type { MemoryContext } from '../memory-context.ts'
import type { NoteIndex } from './note-index.ts'

/**
 * Notes that may have changed after a time, in epoch seconds. In a replicated directory, file times prove nothing: a note counts
 * from the time when its present text was first seen on this device. Elsewhere its own time counts.
 */
export async function changedSince(context: MemoryContext, index: NoteIndex, mtime: number): Promise<Locator[]> {
  const { backend, places } = context
  const drift = await index.drift()
  const keys = [...drift.scan.found.keys()]
  const news = await Promise.all(
    keys.map(async (key) => {
      const known = index.factsOf(key)
      if (!backend.capabilities.sync) return (await backend.info(places.at(key))).mtime > mtime
      return known === undefined || drift.changed.has(key) || known.seenAt / 1000 > mtime
    }),
  )
  return keys.filter((_, i) => news[i]).map((key) => places.at(key))
}
