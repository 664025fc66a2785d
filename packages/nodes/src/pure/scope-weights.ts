/**
 * The weights for rows of a scope in a query; `undefined` if the filters exclude these rows. For concepts whose status and time only the
 * head knows, all rows count, and the store then checks the heads of the candidates.
 */
import type { ConceptSet } from '../concept.ts'
import type { ScopeWeights, VectorScope } from '../vector-index.ts'
import { isKeptCurrent } from './fold-head.ts'
import type { RecallArguments } from './recall-arguments.ts'

/** The weights for rows of a scope in a query; `undefined` if the filters exclude them. */
export function scopeWeights(asked: RecallArguments, scope: VectorScope, concepts: ConceptSet): ScopeWeights {
  const { owner, concept, partition, status, active } = scope
  const inScope =
    owner === asked.owner &&
    (asked.concepts?.includes(concept) ?? true) &&
    (asked.partitions?.includes(partition) ?? true) &&
    (asked.status !== undefined || active)
  if (!inScope) return undefined
  const known = concepts.find(concept)
  if (known === undefined || !isKeptCurrent(known)) return counted(asked, concept, undefined)
  if (asked.status !== undefined && (status === undefined || !asked.status.includes(status))) return undefined
  return counted(asked, concept, asked.notBefore)
}

/**
 * Each object is written out in full with the same property order, because property reads in the scan loop are faster when all objects have
 * one shape.
 */
function counted(asked: RecallArguments, concept: string, notBefore: number | undefined): ScopeWeights {
  const { wSem, wRec, halfLife } = asked.weightsOf(concept)
  return { wSem, wRec, halfLife, notBefore }
}
