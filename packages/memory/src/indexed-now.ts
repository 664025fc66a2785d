import { contentHash } from '@agentm/storage-seam'
import type { MemoryContext } from './memory-context.ts'
import type { IndexDrift } from './note-index.ts'
import { type IndexedNote, indexedNote, indexItems, type LoadedNote } from './pure/index-items.ts'

/** The index as it would be if it were up to date. */
export function indexedNow(context: MemoryContext, drift: IndexDrift): readonly IndexedNote[] {
  const now = new Map(drift.indexed)
  for (const key of drift.removed) now.delete(key)
  for (const loaded of editedIn(drift)) {
    const [head] = indexItems(context, loaded)
    const note = head === undefined ? undefined : indexedNote(head.source, head.partition, head.data ?? {})
    if (note !== undefined) now.set(loaded.key, note)
  }
  return [...now.values()]
}

/** Notes that say something else than the index knows. */
export function editedIn({ changed, indexed }: IndexDrift): readonly LoadedNote[] {
  return [...changed.values()].filter(({ key, text }) => indexed.get(key)?.hash !== contentHash(text))
}
