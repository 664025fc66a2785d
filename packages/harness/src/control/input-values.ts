/** The values of a plan's inputs, checked against what the plan says that they have to be. */
import { dataProblems, type DataSchema } from './data-schema.ts'

/** What the inputs of a plan have to be, by name. */
export type DeclaredInputs = Readonly<Record<string, DataSchema>>

export interface InputProblem {
  /** The input it is about. */
  readonly name: string
  readonly what: string
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
