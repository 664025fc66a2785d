/** Finds the note that an id or a key names. Notes of other projects count as absent. */
import { isSeamError } from '@agentm/storage-seam'
import { readablePartitions } from '../bound-project.ts'
import type { MemoryContext } from '../memory-context.ts'
import { NoteAbsentError } from '../memory-errors.ts'
import type { NoteIndex } from '../index/note-index.ts'
import { isNoteId } from './pure/note-id.ts'
import { parsedNote } from './parsed-note.ts'
import { placeOf, projectOf } from './pure/note-place.ts'
import { readIfPresent } from './read-if-present.ts'
import { exclusionsAlong } from '../index/scan-notes.ts'

export async function findNote(context: MemoryContext, index: NoteIndex, wanted: string): Promise<string> {
  const key = isNoteId(wanted) ? index.noteOf(wanted)?.key : keyIn(context, wanted)
  if (key === undefined || !(await isReachable(context, index, key))) throw new NoteAbsentError(wanted)
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

/** Whether the key is a Markdown file of this project or of none, or waits in the inbox. Internal files and archives are not reachable. */
async function isReachable(context: MemoryContext, index: NoteIndex, key: string): Promise<boolean> {
  const partitions = readablePartitions(context.project)
  if (isOpen(key) && partitions.includes(placeOf(key).partition)) return true
  const group = projectOf(key)?.group
  if (group === undefined) return false
  // The key is among the projects, but its directory may be no agentm project.
  const { foreign } = await index.drift({ partitions, most: mostLoaded })
  const text = foreign.has(group) ? await readIfPresent(context.backend, context.places.at(key)) : undefined
  return (
    text !== undefined && isOpen(key, foreign) && partitions.includes((await parsedNote(text, key, foreign)).partition)
  )
}

const mostLoaded = 500

function isOpen(key: string, foreign?: ReadonlySet<string>): boolean {
  return /\.md$/i.test(key) && exclusionsAlong(key, foreign).every((why) => why === undefined || why === 'inbox')
}
