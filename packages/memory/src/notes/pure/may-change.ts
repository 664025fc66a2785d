/**
 * Who may change a note that is there. Tools and programs change what agents wrote; what a person wrote, accepted, or keeps in the
 * vault for other reasons is a person's to change, and so is what every session begins with.
 */
import { type Note, textField } from './note.ts'
import type { Author } from './shown.ts'

export interface Change {
  /** Who wants it; absent where the caller does not know. */
  readonly by: Author | undefined
  /** It cannot be taken back. */
  readonly forGood?: boolean
}

export function mayChange(note: Note, { by, forGood = false }: Change): boolean {
  if (by === 'person') return true
  const isPersons = !note.isOwn || note.alwaysLoad || note.writtenBy === 'person'
  if (isPersons || textField(note.fields, 'accepted_by') !== undefined || note.fields.has('belief')) return false
  // Who wrote an unsigned entry nobody knows: a program that knows as little may change it, as long as that can be undone.
  return note.writtenBy === 'agent' || (by === undefined && !forGood)
}
