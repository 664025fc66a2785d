/** What recall needs to know of plans and steps: how they read, and from when they age. Their full concepts build on it. */
import type { Concept, Recallable } from '@agentm/nodes'
import { readingConcept } from '@agentm/nodes/store-kit'
import { planName, stepName } from './pure/concept-names.ts'

// From when it was planned: what becomes of it is told by its observations, each of which has a time of its own.
const agesFrom: Recallable['agesFrom'] = (_, { firstCreatedAt }) => firstCreatedAt

/** How a plan is recalled. */
export const planReading = {
  name: planName,
  recallable: { text: ({ goal }) => String(goal), agesFrom },
} satisfies Pick<Concept, 'name' | 'recallable'>

/** How a step is recalled. */
export const stepReading = {
  name: stepName,
  recallable: {
    text: ({ title, errorMessage }) =>
      typeof errorMessage === 'string' ? `${String(title)}: ${errorMessage}` : String(title),
    agesFrom,
  },
} satisfies Pick<Concept, 'name' | 'recallable'>

/** For a store that is opened without the schemas of plans. */
export const planReadings: readonly Concept[] = [readingConcept(planReading), readingConcept(stepReading)]
