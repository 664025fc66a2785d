import { contentHash } from '@agentm/storage-seam'
import type { MemoryContext } from '../memory-context.ts'
import type { IndexedNotes } from './indexed-notes.ts'
import type { IndexDrift } from './note-index.ts'
import type { LoadedNote } from './pure/index-items.ts'
import { type IndexedNote, indexedNote } from './pure/indexed-note.ts'

/** The index as it would be after an update. */
export async function indexedNow(context: MemoryContext, drift: IndexDrift): Promise<IndexedNotes> {
  const edited = editedIn(drift)
  if (edited.length + drift.removed.length === 0) return drift.indexed
  const changed = new Map<string, IndexedNote>()
  const { indexItems } = await import('./pure/index-items.ts')
  for (const loaded of edited) {
    const [head] = indexItems(context, loaded, { foreign: drift.foreign })
    const note = head === undefined ? undefined : indexedNote(head.source, head.partition, head.data ?? {})
    if (note !== undefined) changed.set(loaded.key, note)
  }
  return drift.indexed.with(changed, drift.removed)
}

/** Notes whose text differs from the index. */
export function editedIn(drift: IndexDrift): readonly LoadedNote[] {
  return [...drift.changed.values()].filter(({ key }) => isEdited(drift, key))
}

export function isEdited({ changed, indexed }: IndexDrift, key: string): boolean {
  const loaded = changed.get(key)
  return loaded !== undefined && indexed.get(key)?.hash !== contentHash(loaded.text)
}
