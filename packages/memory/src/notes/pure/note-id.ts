import { deriveId } from '@agentm/nodes'

const noteConcept = 'v1:memory:note'

/** The id of the note with this key. It is the same on every device that has this store. */
export function noteId(storeId: string, key: string): string {
  return deriveId(noteConcept, storeId, key)
}

/** Whether an id is that of a note. */
export function isNoteId(id: string): boolean {
  return id.startsWith(`${noteConcept}:`)
}
