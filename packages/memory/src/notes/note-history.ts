/** The versions of a note: the current one, then each superseded one, newest first. */
import { archivedVersions } from './archived-versions.ts'
import type { MemoryContext } from '../memory-context.ts'
import { NoteAbsentError } from '../memory-errors.ts'
import { textField } from './pure/note.ts'
import { parseNote } from './pure/parse-note.ts'
import type { Author } from './pure/shown.ts'
import { readIfPresent } from './read-if-present.ts'

/** One version of a note: the current one or a superseded one. */
export interface NoteVersion {
  readonly key: string
  readonly status: string
  readonly kind: string
  readonly title: string
  readonly tags: readonly string[]
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly supersededAt?: string
  readonly reason?: string
  readonly text: string
  /** Absent if the note does not name its author. */
  readonly writtenBy?: Author
}

export async function noteHistory(context: MemoryContext, key: string): Promise<readonly NoteVersion[]> {
  const current = await readIfPresent(context.backend, context.places.at(key))
  const archived = await archivedVersions(context, key)
  if (current === undefined && archived.length === 0) throw new NoteAbsentError(key)
  const all = [...(current === undefined ? [] : [{ key, text: current, note: parseNote(current, key) }]), ...archived]
  return all.map(({ key: place, note }) => {
    const supersededAt = textField(note.fields, 'superseded_at')
    const reason = textField(note.fields, 'superseded_reason') ?? textField(note.fields, 'delete_reason')
    return {
      key: place,
      status: note.status,
      kind: note.kind,
      title: note.title,
      tags: note.tags,
      createdAt: note.createdAt,
      ...(supersededAt === undefined ? {} : { supersededAt }),
      ...(reason === undefined ? {} : { reason }),
      text: note.body.trim(),
      ...(note.writtenBy === undefined ? {} : { writtenBy: note.writtenBy }),
    }
  })
}
