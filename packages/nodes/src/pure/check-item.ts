/** What no store takes as a note: something that passes for a node, or a vector that cannot be compared. */
import type { ConceptSet } from '../concept.ts'
import { InvalidPayloadError } from '../errors.ts'
import type { RecallItem } from '../recall-store.ts'
import { checkVector } from './vector.ts'

/** Refuses an item that no store may index. */
export function checkItem(concepts: ConceptSet, { id, concept, vector }: RecallItem): void {
  if (concepts.has(concept))
    throw new InvalidPayloadError(id, [`${concept} is a concept of the log; append it instead`])
  if (concepts.has(id.slice(0, Math.max(0, id.lastIndexOf(':')))))
    throw new InvalidPayloadError(id, ['this is the id of a node; name a note otherwise'])
  if (vector !== undefined) checkVector(vector.values)
}
