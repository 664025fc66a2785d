/** What recall needs to know of plans and steps: their text, and the time that their age counts from. The full concepts are built on it. */
import type { Concept, Recallable } from '@agentm/nodes'
import { readingConcept } from '@agentm/nodes/store-kit'
import { planName, stepName } from './pure/concept-names.ts'

// The age counts from the first version, because observations record the later changes with their own times.
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
