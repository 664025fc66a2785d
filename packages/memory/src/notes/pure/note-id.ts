import { deriveId } from '@agentm/nodes'
import { contentHash } from '@agentm/storage-seam'

const noteConcept = 'v1:memory:note'

/** The id of the note at a place: the same on every device that has this store. */
export function noteId(storeId: string, key: string): string {
  return deriveId(noteConcept, storeId, key)
}

/** What a store's notes are in a recall store: each store has its own, so that one store's question finds its notes alone. */
export function noteConceptOf(storeId: string): string {
  return `${noteConcept}:${storeId}`
}

/** Stretches of long notes, whose meaning is compared piece by piece. */
export function stretchConceptOf(storeId: string): string {
  return `v1:memory:stretch:${storeId}`
}

/** What all items of one owner's note begin with; two owners may index one store side by side. */
export function itemPrefix(id: string, owner: string): string {
  return `${id}/${contentHash(owner).slice(0, 8)}/`
}

/** The note that an item is a piece of. */
export function noteOfItem(item: string): string {
  return item.split('/').slice(0, -2).join('/')
}

/** Whether an id is that of a note. */
export function isNoteId(id: string): boolean {
  return id.startsWith(`${noteConcept}:`)
}
