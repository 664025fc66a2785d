/** The inputs that a plan file declares, and their values when the plan is created. */
import { dataProblems, type DataSchema, either, absent, typeOfSchema, type ValueType } from '@agentm/harness/control'
import type { z } from 'zod'
import type { planFileSchema } from './plan-file-schema.ts'

export type DeclaredInputs = Readonly<Record<string, DataSchema>>
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

export interface InputProblem {
  /** The input it is about. */
  readonly name: string
  readonly what: string
}

/** What is wrong with the declarations themselves. */
export function defaultProblems(inputs: DeclaredInputs): readonly InputProblem[] {
  return Object.entries(inputs).flatMap(([name, schema]) =>
    schema.default === undefined
      ? []
      : dataProblems(schema, schema.default).map((what) => ({ name, what: `its default does not fit: ${what}` })),
  )
}

/** The value of every input. Texts are read as JSON where the input is no text, because a command line has only texts. */
export function inputValues(
  inputs: DeclaredInputs,
  given: Readonly<Record<string, unknown>>,
): { readonly values: Readonly<Record<string, unknown>>; readonly problems: readonly InputProblem[] } {
  const names = Object.keys(inputs)
  const has = names.length === 0 ? 'It has none' : `It has: ${names.join(', ')}`
  const unknown = Object.keys(given)
    .filter((name) => !Object.hasOwn(inputs, name))
    .map((name) => ({ name, what: `the plan has no such input. ${has}` }))
  const values = Object.entries(inputs).map(([name, schema]) => [name, valueOf(schema, given[name])] as const)
  const problems = values.flatMap(([name, value]) => valueProblems(name, { value, schema: inputs[name] ?? {} }))
  return {
    values: Object.fromEntries(values.filter(([, value]) => value !== undefined)),
    problems: [...unknown, ...problems],
  }
}

function valueProblems(
  name: string,
  { value, schema }: { readonly value: unknown; readonly schema: DataSchema },
): readonly InputProblem[] {
  if (value === undefined)
    return [{ name, what: `it is required. Give it with --input ${name}=VALUE, or add a default` }]
  return dataProblems(schema, value).map((what) => ({ name, what: `${JSON.stringify(value)} does not fit: ${what}` }))
}

function valueOf(schema: DataSchema, given: unknown): unknown {
  if (given === undefined) return schema.default
  const isText = schema.type === undefined || [schema.type].flat().includes('string')
  if (typeof given !== 'string' || isText) return given
  try {
    return JSON.parse(given) as unknown
  } catch {
    return given
  }
}
