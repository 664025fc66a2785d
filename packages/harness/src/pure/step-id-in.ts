import { deriveId } from '@agentm/nodes'
import { stepName } from './concept-names.ts'

/** The id of the step with this key in a plan. */
export function stepIdIn(planId: string, key: string): string {
  return deriveId(stepName, planId, key)
}
