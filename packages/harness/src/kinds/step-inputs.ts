/** The input schemas of the step kinds, for programs that accept plans from outside and want to refuse a wrong input early. */
import { z } from 'zod'
import { approvalInput } from './approval-kind.ts'
import { commandInput } from './command-kind.ts'
import { httpInput } from './http-kind.ts'
import { moduleInput } from './module-kind.ts'

/** An agent sees all of its input. These two fields also decide which agent gets the step, and its goal. */
const agentInput = z.looseObject({
  goal: z.string().optional().describe("What the agent is to do (default: the step's title)."),
  roleHint: z.string().optional().describe('What kind of agent suits the step, such as builder or reviewer.'),
})

/**
 * By kind. A field that the schema does not know is refused here, because the writer can still correct it. A worker ignores such a
 * field, because it cannot ask anybody.
 */
export const stepInputs: Readonly<Record<string, z.ZodType>> = {
  agent: agentInput,
  approval: approvalInput.strict(),
  command: commandInput.strict(),
  http: httpInput.strict(),
  module: moduleInput.strict(),
}
