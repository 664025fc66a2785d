/** The inputs of a fork: those of the plan, and that of the step from which it runs anew. Each is checked as in a plan file. */
import type { z } from 'zod'
import { controlledStepSchema } from '../../control/controlled-step.ts'
import { type DeclaredInputs, inputValues } from '../../control/input-values.ts'
import { controlKindName } from '../../control/pure/control-kind-name.ts'
import type { Plan } from '../../plan.ts'
import type { Step } from '../../step.ts'

type Fields = Readonly<Record<string, unknown>>

export interface ChangedInput {
  readonly input: Fields | undefined
  readonly problems: readonly string[]
}

/** A plan that does not say what its inputs are keeps their names and the types of their values. */
export function planInputOf(
  { input, inputs }: Pick<Plan, 'input' | 'inputs'>,
  changes: Fields | undefined,
): ChangedInput {
  if (changes === undefined) return { input, problems: [] }
  const declared: DeclaredInputs = inputs ?? typesOf(input ?? {})
  const known = Object.fromEntries(Object.entries(input ?? {}).filter(([name]) => Object.hasOwn(declared, name)))
  const { values, problems } = inputValues(declared, { ...known, ...changes })
  return {
    input: { ...input, ...values },
    problems: problems.map(({ name, what }) => `input ${JSON.stringify(name)}: ${what}`),
  }
}

function typesOf(values: Fields): DeclaredInputs {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { type: typeOf(value) }]))
}

function typeOf(value: unknown): 'string' | 'number' | 'boolean' | 'array' | 'object' | 'null' {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object'
}

/**
 * Fields that change replace those of the same name; a field that becomes `null` goes. A text is read as JSON where the field was no text,
 * because a command line has only texts.
 */
export function stepInputOf(
  { kind = 'agent', input, title }: Pick<Step, 'kind' | 'input' | 'title'>,
  changes: Fields | undefined,
  schemas: Readonly<Record<string, z.ZodType>>,
): ChangedInput {
  if (changes === undefined) return { input, problems: [] }
  const read = Object.entries(changes).map(([name, value]) => [name, readAs(input?.[name], value)] as const)
  const merged = { ...input, ...Object.fromEntries(read) }
  const changed = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
  const schema =
    kind === controlKindName ? controlledStepSchema : Object.hasOwn(schemas, kind) ? schemas[kind] : undefined
  const issues = schema?.safeParse(changed).error?.issues ?? []
  const problems = issues.map(
    ({ path, message }) =>
      `the input of ${JSON.stringify(title)}: ${path.length === 0 ? '' : `${path.join('.')}: `}${message}`,
  )
  const isControl = kind === controlKindName && ['key', 'needs'].some((field) => field in changes)
  return {
    input: changed,
    problems: isControl
      ? [...problems, `the input of ${JSON.stringify(title)}: key and needs say where it stands in the plan, and stay`]
      : problems,
  }
}

function readAs(known: unknown, value: unknown): unknown {
  if (typeof value !== 'string' || typeof known === 'string') return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}
