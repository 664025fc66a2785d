import { deriveId } from '@agentm/nodes'
import { contentHash } from '@agentm/storage-seam'

const noteConcept = 'v1:memory:note'

/** The id of the note with this key. It is the same on every device that has this store. */
export function noteId(storeId: string, key: string): string {
  return deriveId(noteConcept, storeId, key)
}

/** The concept of a store's notes in a recall store. Each store has its own, so that a search in one store finds only its notes. */
export function noteConceptOf(storeId: string): string {
  return `${noteConcept}:${storeId}`
}

/** The concept of the parts of long notes, whose meaning is compared part by part. */
export function stretchConceptOf(storeId: string): string {
  return `v1:memory:stretch:${storeId}`
}

/** The prefix of all items of one owner's note, because two owners may index the same store. */
export function itemPrefix(id: string, owner: string): string {
  return `${id}/${contentHash(owner).slice(0, 8)}/`
}

/** The note that an item belongs to. */
export function noteOfItem(item: string): string {
  return item.split('/').slice(0, -2).join('/')
}

/** Whether an id is that of a note. */
export function isNoteId(id: string): boolean {
  return id.startsWith(`${noteConcept}:`)
}
