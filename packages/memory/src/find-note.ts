/** The place of the note somebody names, by id or by key. Notes of other projects are absent here, whatever they are called. */
import { isSeamError } from '@agentm/storage-seam'
import { readablePartitions } from './bound-project.ts'
import type { MemoryContext } from './memory-context.ts'
import { NoteAbsentError } from './memory-errors.ts'
import type { NoteIndex } from './note-index.ts'
import { isNoteId } from './pure/note-id.ts'
import { exclusionOf, placeOf } from './pure/note-place.ts'

export async function findNote(context: MemoryContext, index: NoteIndex, wanted: string): Promise<string> {
  const key = isNoteId(wanted) ? await index.keyOf(wanted) : keyIn(context, wanted)
  if (key === undefined || !isReachable(context, key)) throw new NoteAbsentError(wanted)
  return key
}

function keyIn({ places }: MemoryContext, wanted: string): string | undefined {
  try {
    return places.at(wanted).key
  } catch (error) {
    if (isSeamError(error, 'INVALID_LOCATOR')) return undefined
    throw error
  }
}

/** A Markdown file of this project or of none; also one that waits in the inbox, never machinery or an archive. */
function isReachable({ project }: MemoryContext, key: string): boolean {
  const parts = key.split('/')
  const walled = parts.map((name, i) => exclusionOf(name, { isDirectory: i < parts.length - 1 }))
  const isOpen = walled.every((why) => why === undefined || why === 'inbox')
  return isOpen && /\.md$/i.test(key) && readablePartitions(project).includes(placeOf(key).partition)
}
