/** The log to keep small: its store, the owner whose nodes may leave, and the concepts of everything in it. */
import type { Concept, NodeStore, OwnerOption } from '@agentm/nodes'
import { planName, stepName } from '../pure/concept-names.ts'

/** The log to keep small, and the owner whose nodes may leave. */
export interface RetentionContext extends OwnerOption {
  readonly store: Pick<NodeStore, 'log'>
  /** The concepts that the store was opened with. Their relations say which nodes refer to others. */
  readonly concepts: readonly Concept[]
}

export const turnName = 'v1:sessions:turn'

/** The concepts whose nodes leave together with a plan: the plan, its steps, and what has one of those as its parent. */
export function ownedConcepts(concepts: readonly Concept[]): ReadonlySet<string> {
  const owned = new Set([planName, stepName])
  for (let found = 0; found !== owned.size;) {
    found = owned.size
    for (const concept of concepts) if (parentOf(concept).some((name) => owned.has(name))) owned.add(concept.name)
  }
  return owned
}

function parentOf({ relations }: Concept): readonly string[] {
  return [relations.find(({ kind }) => kind === 'parent')?.to ?? []].flat()
}

/** Those of them that can have children. */
export function parentConcepts(concepts: readonly Concept[]): ReadonlySet<string> {
  const owned = ownedConcepts(concepts)
  return new Set(concepts.flatMap(parentOf).filter((name) => owned.has(name)))
}
