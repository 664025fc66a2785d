/**
 * How rows of a scope count for a question, by what a scan holds of them; nothing where the filters leave them out. Where
 * only the head knows the status and the time, all rows count, and the store's statement asks the heads of those that matter.
 */
import type { ConceptSet } from '../concept.ts'
import type { ScopeWeights, VectorScope } from '../vector-index.ts'
import { isKeptCurrent } from './fold-head.ts'
import type { RecallArguments } from './recall-arguments.ts'

/** How the rows of a scope count for a question. */
export function scopeWeights(asked: RecallArguments, scope: VectorScope, concepts: ConceptSet): ScopeWeights {
  const { owner, concept, partition, status, active, isPut } = scope
  const inScope =
    owner === asked.owner &&
    (asked.concepts?.includes(concept) ?? true) &&
    (asked.partitions?.includes(partition) ?? true) &&
    (asked.status !== undefined || active)
  if (!inScope) return undefined
  const known = concepts.find(concept)
  if (!isPut && (known === undefined || !isKeptCurrent(known))) return counted(asked, concept, undefined)
  if (asked.status !== undefined && (status === undefined || !asked.status.includes(status))) return undefined
  return counted(asked, concept, asked.notBefore)
}

/** Spelled out: what is read for every row is read faster from objects that were made alike. */
function counted(asked: RecallArguments, concept: string, notBefore: number | undefined): ScopeWeights {
  const { wSem, wRec, halfLife } = asked.weightsOf(concept)
  return { wSem, wRec, halfLife, notBefore }
}
