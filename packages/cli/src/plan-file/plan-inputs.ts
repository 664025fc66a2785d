/** The inputs that a plan file declares, and their values when the plan is created. */
import {
  absent,
  dataProblems,
  type DataSchema,
  type DeclaredInputs,
  either,
  type InputProblem,
  typeOfSchema,
  type ValueType,
} from '@agentm/harness/control'
import type { z } from 'zod'
import type { planFileSchema } from './plan-file-schema.ts'

type WrittenInputs = NonNullable<z.output<typeof planFileSchema>['inputs']>

/** A value alone is a default, and its type is the type of the input. */
export function declaredInputs(written: WrittenInputs = {}): DeclaredInputs {
  return Object.fromEntries(Object.entries(written).map(([name, input]) => [name, declared(input)]))
}

function declared(input: WrittenInputs[string]): DataSchema {
  if (Array.isArray(input)) return { type: 'array', default: input }
  if (typeof input === 'object') return input
  return { type: typeof input as 'string' | 'number' | 'boolean', default: input }
}

/** A schedule adds the time that a start is for. */
export function inputTypesOf(inputs: DeclaredInputs): Readonly<Record<string, ValueType>> {
  const ofSchedule = either({ is: 'text' }, absent)
  const types = Object.entries(inputs).map(([name, schema]) => [name, typeOfSchema(schema)] as const)
  const declaredTypes = Object.fromEntries(types)
  return { ...declaredTypes, schedule: ofSchedule, scheduledFor: ofSchedule, ...declaredTypes }
}

/** What is wrong with the declarations themselves. */
export function defaultProblems(inputs: DeclaredInputs): readonly InputProblem[] {
  return Object.entries(inputs).flatMap(([name, schema]) =>
    schema.default === undefined
      ? []
      : dataProblems(schema, schema.default).map((what) => ({ name, what: `its default does not fit: ${what}` })),
  )
}
