/** What references to a step read, as far as the file says it. */
import { stepInputs } from '@agentm/harness'
import { anything, either, absent, stepResults, typeOfSchema, type ValueType } from '@agentm/harness/control'
import { z } from 'zod'
import type { CheckedPlanFile } from './parse-plan-file.ts'
import type { PlanFileStep } from './plan-file-schema.ts'

const truth: ValueType = { is: 'truth' }

export interface StepSurroundings {
  readonly isControlled: boolean
  /** The plan that the step runs. */
  readonly subPlan: CheckedPlanFile | undefined
}

/** The type of `steps.KEY`. */
export function stepType(step: PlanFileStep, around: StepSurroundings): ValueType {
  const { foreach, when } = step
  const once = outputOfOne(step, around)
  const maybe = when === undefined ? once : either(once, absent)
  const output: ValueType = foreach === undefined ? maybe : { is: 'list', of: maybe }
  const result = around.isControlled
    ? objectOf({ output, skipped: truth })
    : (resultTypes()[step.kind ?? 'agent'] ?? anything)
  return objectOf({ output, skipped: truth, result })
}

/** The type of the output of one item or one try. */
export function outputOfOne(step: PlanFileStep, around: StepSurroundings): ValueType {
  const { key, kind = 'agent', output, ask, options, signal, sleep, timeout } = step
  const inTime = (type: ValueType) => (timeout === undefined ? type : either(type, absent))
  if (around.subPlan !== undefined) return objectOf(around.subPlan.types.outputs)
  if (ask !== undefined) return inTime(textsOf(options))
  if (signal !== undefined) return inTime(output === undefined ? anything : typeOfSchema(output))
  if (sleep !== undefined) return absent
  if (output !== undefined) return typeOfSchema(output)
  if (kind === 'approval') return textsOf(step.input?.['allowed'])
  return kind === 'command' ? { is: 'anything', elsewhere: ofCommands(key, around) } : anything
}

/** What people expect in `output`, and where it is. */
function ofCommands(key: string, { isControlled }: StepSurroundings): Readonly<Record<string, string>> {
  const say = (field: string) =>
    isControlled
      ? 'It is what the command printed, and a step with foreach, when, until, output or references keeps nothing else. If the command prints JSON with this field, declare output'
      : `It is what the command printed. Write steps.${key}.result.${field}; or, if it prints JSON with this field, declare output`
  return Object.fromEntries(['exitCode', 'stdout', 'stderr'].map((field) => [field, say(field)]))
}

function textsOf(allowed: unknown): ValueType {
  const isListed = Array.isArray(allowed) && allowed.every((each) => typeof each === 'string' && !each.includes('${{'))
  return isListed ? { is: 'text', oneOf: allowed as readonly string[] } : { is: 'text' }
}

function objectOf(fields: Readonly<Record<string, ValueType>>): ValueType {
  return { is: 'object', fields, required: Object.keys(fields) }
}

function resultTypes(): Readonly<Record<string, ValueType>> {
  return typesOf(stepResults, 'output')
}

/** The types of the inputs of the built-in kinds. */
export function inputTypes(): Readonly<Record<string, ValueType>> {
  return typesOf(stepInputs, 'input')
}

function typesOf(schemas: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output'): Record<string, ValueType> {
  const types = Object.entries(schemas).map(([kind, schema]) => [kind, typeOfSchema(z.toJSONSchema(schema, { io }))])
  return Object.fromEntries(types) as Record<string, ValueType>
}
