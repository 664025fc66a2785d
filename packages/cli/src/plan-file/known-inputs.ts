/** The input of each kind of step that is there without a plugin. */
import { codingAgentInput, codingAgentNames } from '@agentm/coding-agents'
import { stepInputs } from '@agentm/harness'
import type { z } from 'zod'

export const knownInputs: Readonly<Record<string, z.ZodType>> = {
  ...stepInputs,
  ...Object.fromEntries(codingAgentNames.map((name) => [name, codingAgentInput.strict()])),
}
