/** The concepts whose weights a recall needs. */
import type { RecallQuery } from '@agentm/nodes'
import type { ConceptSet, RecallArguments } from '@agentm/nodes/store-kit'

/** Stands for every concept without weights of its own. */
export const anyConcept = ''

/** The concepts that may be in scope and have weights of their own, followed by `anyConcept`. */
export function weightedConcepts(
  { concepts: wanted }: RecallArguments,
  concepts: ConceptSet,
  weights: RecallQuery['weights'],
): readonly string[] {
  if (wanted !== undefined && wanted.length > 0) return [...new Set(wanted)]
  return [...new Set([anyConcept, ...[...concepts].map(({ name }) => name), ...Object.keys(weights ?? {})])]
}

/** The concepts that an item in scope may have, because weights of absent concepts must not widen the search. */
export function presentConcepts(
  names: readonly string[],
  concepts: ConceptSet,
  present: readonly string[] | null,
): readonly string[] {
  return names.filter((name) => !concepts.has(name) || present?.includes(name))
}
