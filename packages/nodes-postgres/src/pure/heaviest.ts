/** The largest of each weight that may apply to anything in scope: bounds are drawn with it. */
import type { ConceptSet, RecallArguments, RecallQuery, RecallWeights } from '@agentm/nodes'

/** Stands for every concept that nobody says anything special about. */
export const anyConcept = ''

export function heaviest(asked: RecallArguments, names: readonly string[]): RecallWeights {
  const all = names.map((name) => asked.weightsOf(name))
  return {
    wSem: Math.max(...all.map(({ wSem }) => wSem)),
    wLex: Math.max(...all.map(({ wLex }) => wLex)),
    wRec: Math.max(...all.map(({ wRec }) => wRec)),
    halfLife: Math.max(...all.map(({ halfLife }) => halfLife)),
  }
}

/** The concepts that may be in scope and have weights of their own, and the one that stands for all others. */
export function weightedConcepts(
  { concepts: wanted }: RecallArguments,
  concepts: ConceptSet,
  weights: RecallQuery['weights'],
): readonly string[] {
  if (wanted !== undefined && wanted.length > 0) return [...new Set(wanted)]
  return [...new Set([anyConcept, ...[...concepts].map(({ name }) => name), ...Object.keys(weights ?? {})])]
}
