/** What recall needs to know about beliefs and episodes: their text and their weights. The full concepts are built on it. */
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
    // A decay makes a new version, but no new evidence, so age counts from the last confirmation.
    agesFrom: ({ lastReinforced }, { firstCreatedAt }) => Date.parse(String(lastReinforced)) || firstCreatedAt,
    weights: { wSem: 0.6, wLex: 0.35, wRec: 0.05, halfLife: 90 * day },
  },
} as const satisfies NodeReading

/** A turn of an agent session: what was asked, and what was done. Learning keeps them. */
export const turnReading = {
  name: 'v1:sessions:turn',
  recallable: {
    text: ({ content }) => String(content),
    // A session may be captured long after it took place.
    agesFrom: ({ startedAt }, { firstCreatedAt }) => Date.parse(String(startedAt)) || firstCreatedAt,
    weights: { wSem: 0.6, wLex: 0.35, wRec: 0.05, halfLife: 90 * day },
  },
} as const satisfies NodeReading

/** For a store that is opened only for reading. */
export const nodeReadings: readonly Concept[] = [episodeReading, beliefReading, turnReading].map(readingConcept)
