import { harnessConcepts } from '@agentm/harness/concepts'
import { consolidationCursor, sessionConcepts } from '@agentm/learning/concepts'
import { observation, semanticMemory } from '@agentm/memory'
import type { Concept } from '@agentm/nodes'

/** Everything that is kept in one log, so that plans and memory share it. */
export const logConcepts: readonly Concept[] = [
  ...new Set([observation, semanticMemory, consolidationCursor, ...sessionConcepts, ...harnessConcepts]),
]
