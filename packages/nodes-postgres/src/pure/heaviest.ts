/** The largest of each weight that may apply to an item in scope. Bounds are computed with it. */
import type { RecallQuery, RecallWeights } from '@agentm/nodes'
import type { ConceptSet, RecallArguments } from '@agentm/nodes/store-kit'

/** Stands for every concept without weights of its own. */
export const anyConcept = ''

export function heaviest(asked: RecallArguments, names: readonly string[]): RecallWeights {
  const all = names.map((name) => asked.weightsOf(name))
  return {
    wSem: Math.max(0, ...all.map(({ wSem }) => wSem)),
    wLex: Math.max(0, ...all.map(({ wLex }) => wLex)),
    wRec: Math.max(0, ...all.map(({ wRec }) => wRec)),
    halfLife: Math.max(1, ...all.map(({ halfLife }) => halfLife)),
  }
}

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
