/** What recall needs to know of beliefs and episodes: how they read, and how they count. Their full concepts build on it. */
import type { Concept, Recallable } from '@agentm/nodes'
import { readingConcept } from '@agentm/nodes/store-kit'

export interface NodeReading {
  readonly name: string
  readonly recallable: Recallable
}

const day = 86_400

export const episodeReading = {
  name: 'v1:harness:observation',
  recallable: {
    text: ({ content }) => String(content),
    weights: { wSem: 0.7, wLex: 0, wRec: 0.3, halfLife: 3600 },
  },
} as const satisfies NodeReading

export const beliefReading = {
  name: 'v1:harness:semanticMemory',
  recallable: {
    text: ({ content }) => String(content),
    active: ['active'],
    // A decay is a new version, but no news: age counts from the last confirmation.
    agesFrom: ({ lastReinforced }, { firstCreatedAt }) => Date.parse(String(lastReinforced)) || firstCreatedAt,
    weights: { wSem: 0.6, wLex: 0.35, wRec: 0.05, halfLife: 90 * day },
  },
} as const satisfies NodeReading

/** For a store that is opened to be read. */
export const nodeReadings: readonly Concept[] = [readingConcept(episodeReading), readingConcept(beliefReading)]
