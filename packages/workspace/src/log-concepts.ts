import { harnessConcepts } from '@agentm/harness'
import type { Concept } from '@agentm/nodes'
import { memoryConcepts } from './open-memory.ts'

/** Everything that is kept in one log, so that plans and memory share it. */
export const logConcepts: readonly Concept[] = [...new Set([...memoryConcepts, ...harnessConcepts])]
