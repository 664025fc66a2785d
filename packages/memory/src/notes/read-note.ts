/** One note as its file holds it now, with the hash by which an edit knows that nobody changed it meanwhile. */
import { contentHash } from '@agentm/storage-seam'
import type { MemoryContext } from '../memory-context.ts'
import { NoteAbsentError } from '../memory-errors.ts'
import { noteId } from './pure/note-id.ts'
import { parsedNote } from './parsed-note.ts'
import type { Author } from './pure/shown.ts'
import { readIfPresent } from './read-if-present.ts'

export interface NoteFile {
  readonly id: string
  readonly key: string
  /** The whole file, with the fields at its start. */
  readonly file: string
  /** The hash of the whole file. */
  readonly hash: string
  /** The text without the fields. */
  readonly text: string
  readonly title: string
  readonly kind: string
  readonly status: string
  readonly tags: readonly string[]
  readonly project: string
  /** Epoch milliseconds; 0 if unknown. */
  readonly createdAt: number
  readonly alwaysLoad: boolean
  /** Whether it is an entry of agentm. Otherwise it is a note that a person keeps in the same store. */
  readonly isOwn: boolean
  /** Whether a device published a belief as this note. */
  readonly isBelief: boolean
  /** Absent if the note does not name its author. */
  readonly writtenBy?: Author
}

export async function readNote(context: MemoryContext, key: string): Promise<NoteFile> {
  const file = await readIfPresent(context.backend, context.places.at(key))
  if (file === undefined) throw new NoteAbsentError(key)
  const note = await parsedNote(file, key)
  const { title, kind, status, tags, partition, createdAt, alwaysLoad, isOwn, writtenBy, body, fields } = note
  return {
    id: noteId(context.storeId, key),
    key,
    file,
    hash: contentHash(file),
    text: body.replace(/^[\r\n]+|\s+$/g, ''),
    title,
    kind,
    status,
    tags,
    project: partition,
    createdAt,
    alwaysLoad,
    isOwn,
    isBelief: fields.has('belief'),
    ...(writtenBy === undefined ? {} : { writtenBy }),
  }
}
