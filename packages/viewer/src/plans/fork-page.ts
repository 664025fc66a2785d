import { AbsentNodeError, redactValue } from '@agentm/nodes'
import type { PlansReader } from '@agentm/workspace/reader'
import type { ForkInput, ForkPage } from '../contract/compare.ts'
import { fieldsOf, textIn } from '../pure/fields.ts'

/** The inputs of the plan of a step, and of the step, as a person may change them. Secrets are masked; what is not changed is not sent. */
export async function forkPage({ harness }: PlansReader, stepId: string): Promise<ForkPage> {
  const step = await harness.step(stepId)
  const plan = await harness.plan(step.payload.planId)
  if (step.redacted || plan.redacted) throw new AbsentNodeError(stepId)
  return {
    inputs: inputsOf(plan.payload.input, fieldsOf(plan.payload.inputs)),
    stepInputs: isFunctionKind(step.payload.kind) ? [] : inputsOf(step.payload.input, {}),
  }
}

/** The same for a plan that is run again from the beginning. */
export async function wholeForkPage({ harness }: PlansReader, planId: string): Promise<ForkPage> {
  const plan = await harness.plan(planId)
  if (plan.redacted) throw new AbsentNodeError(planId)
  return { inputs: inputsOf(plan.payload.input, fieldsOf(plan.payload.inputs)), stepInputs: [] }
}

/** What a step that controls others keeps as input is written by the plan file. */
function isFunctionKind(kind: string | undefined): boolean {
  return kind === 'function:control'
}

function inputsOf(values: unknown, declared: Readonly<Record<string, unknown>>): readonly ForkInput[] {
  const known = fieldsOf(redactValue(fieldsOf(values)))
  const names = new Set([...Object.keys(declared), ...Object.keys(known)])
  return [...names].map((name) => {
    const value = known[name]
    const schema = fieldsOf(declared[name])
    const [type, description] = [textIn(schema, 'type'), textIn(schema, 'description')]
    const isJson = value === undefined ? type !== undefined && type !== 'string' : typeof value !== 'string'
    return {
      name,
      value: typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value),
      isJson,
      ...(type !== undefined && { type }),
      ...(description !== undefined && { description }),
    }
  })
}
