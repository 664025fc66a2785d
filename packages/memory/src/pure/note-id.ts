import { deriveId } from '@agentm/nodes'

const noteConcept = 'v1:memory:note'

/** The id of the note at a place: the same on every device that has this store. */
export function noteId(storeId: string, key: string): string {
  return deriveId(noteConcept, storeId, key)
}

/** What a store's notes are in a recall store: each store has its own, so that one store's question finds its notes alone. */
export function noteConceptOf(storeId: string): string {
  return `${noteConcept}:${storeId}`
}

export function isNoteId(id: string): boolean {
  return id.startsWith(`${noteConcept}:`)
}
