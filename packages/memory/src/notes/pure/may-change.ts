/**
 * Who may change an existing note. Tools and programs may change notes that agents wrote. Only a person may change notes that a
 * person wrote, accepted or keeps in the vault, and notes that are loaded in every session.
 */
import { type Note, textField } from './note.ts'
import type { Author } from './shown.ts'

export interface Change {
  /** Who asks for the change; absent if the caller does not know. */
  readonly by: Author | undefined
  /** Whether the change is permanent. */
  readonly forGood?: boolean
}

export function mayChange(note: Note, { by, forGood = false }: Change): boolean {
  if (by === 'person') return true
  // A person may have edited the note of an agent by hand, and no field of the note says so.
  if (forGood) return false
  const isPersons = !note.isOwn || note.alwaysLoad || note.writtenBy === 'person'
  if (isPersons || textField(note.fields, 'accepted_by') !== undefined || note.fields.has('belief')) return false
  // The author of an unsigned entry is unknown. A caller that does not name itself may change it, because the change can be undone.
  return note.writtenBy === 'agent' || by === undefined
}
