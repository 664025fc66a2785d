/** Checks an item before it is indexed. An item must not have the concept of a node, and its vector must be valid. */
import type { ConceptSet } from '../concept.ts'
import { InvalidPayloadError } from '../errors.ts'
import type { RecallItem } from '../recall-store.ts'
import { checkVector } from './vector.ts'

/** Throws if an item cannot be indexed. */
export function checkItem(concepts: ConceptSet, { id, concept, vector }: RecallItem): void {
  if (concepts.has(concept))
    throw new InvalidPayloadError(id, [`${concept} is a concept of the log; append it instead`])
  if (concepts.has(id.slice(0, Math.max(0, id.lastIndexOf(':')))))
    throw new InvalidPayloadError(id, ['this is the id of a node; name a note otherwise'])
  if (vector !== undefined) checkVector(vector.values)
}
