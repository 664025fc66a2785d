/** What steps of each kind are given, for whoever reads plans from outside and would rather refuse them than see them fail. */
import { z } from 'zod'
import { approvalInput } from './approval-kind.ts'
import { commandInput } from './command-kind.ts'
import { httpInput } from './http-kind.ts'
import { moduleInput } from './module-kind.ts'

/** An agent is told all of its input; these two also decide who gets the step and what it is for. */
const agentInput = z.looseObject({ goal: z.string().optional(), roleHint: z.string().optional() })

/**
 * By kind. A field that a schema does not know is a mistake of the writer, so it is refused here; a worker, which cannot ask,
 * passes over it.
 */
export const stepInputs: Readonly<Record<string, z.ZodType>> = {
  agent: agentInput,
  approval: approvalInput.strict(),
  command: commandInput.strict(),
  http: httpInput.strict(),
  module: moduleInput.strict(),
}
