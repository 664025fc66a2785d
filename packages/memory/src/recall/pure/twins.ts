/** If the same text is a note of a project and a note of none, only the better ranked one is shown. */
import type { IndexedNote } from '../../index/pure/indexed-note.ts'

export function withoutTwins<T>(
  items: readonly T[],
  noteOf: (item: T) => Pick<IndexedNote, 'isOwn' | 'print' | 'partition'> | undefined,
): readonly T[] {
  const partitions = new Map<string, string>()
  return items.filter((item) => {
    const note = noteOf(item)
    // A person may keep two files with the same text on purpose.
    if (note === undefined || !note.isOwn || note.print === '') return true
    const shown = partitions.get(note.print)
    if (shown === undefined) partitions.set(note.print, note.partition)
    return shown === undefined || shown === note.partition
  })
}
