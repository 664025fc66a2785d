/** Restores a forgotten note unchanged. A purged note cannot be restored. */
import { requireCapability } from '@agentm/storage-seam'
import { NotRestorableError, NoteAbsentError, PersonNeededError } from '../memory-errors.ts'
import type { MemoryContext } from '../memory-context.ts'
import { noteId } from './pure/note-id.ts'
import { restoredText } from './pure/forgotten-text.ts'
import { mayChange } from './pure/may-change.ts'
import { textField } from './pure/note.ts'
import { parseNote } from './pure/parse-note.ts'
import type { Author } from './pure/shown.ts'

export interface RestoreOptions {
  /** Who asks for it. Only a person can restore what a person forgot. */
  readonly by?: Author
}

export interface RestoreResult {
  readonly id: string
  /** Absent for a belief, which has no file. */
  readonly key?: string
  /** `false` if the note was not forgotten; then nothing was changed. */
  readonly restored: boolean
}

export async function restoreNote(
  context: MemoryContext,
  key: string,
  { by }: RestoreOptions = {},
): Promise<RestoreResult> {
  requireCapability(context.backend, 'conditionalWrite')
  let restored: string | Error | undefined
  const after = await context.backend.update(context.places.at(key), (current) => {
    restored = current === undefined ? undefined : restoring(current, key, by)
    return typeof restored === 'string' ? restored : undefined
  })
  if (after === undefined) throw new NoteAbsentError(key)
  if (restored instanceof Error) throw restored
  return { id: noteId(context.storeId, key), key, restored: restored !== undefined }
}

/** The restored text, or the error that says why it cannot be restored; `undefined` if the note was not forgotten. */
function restoring(current: string, key: string, by: Author | undefined): string | Error | undefined {
  const note = parseNote(current, key)
  if (note.status !== 'deleted') return undefined
  if (note.fields.has('purged')) return new NotRestorableError(key)
  const text = restoredText(current, note, key)
  const isPersons = textField(note.fields, 'deleted_by') === 'person' && by !== 'person'
  return isPersons || !mayChange(parseNote(text, key), { by }) ? new PersonNeededError(key, 'restore') : text
}
