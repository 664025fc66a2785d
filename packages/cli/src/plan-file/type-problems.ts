/** References whose type is certainly wrong: a field that is not there, a text where a list belongs, a comparison that never holds. */
import {
  anything,
  checkCondition,
  checkExpression,
  either,
  type Expression,
  fieldOfType,
  mayBe,
  absent,
  overlaps,
  said,
  spokenType,
  typeOfValue,
  type TypeScope,
  type ValueType,
  wholeExpression,
  withoutNothing,
} from '@agentm/harness/control'
import { inputTypes, outputOfOne, type StepSurroundings } from './output-types.ts'
import { kindOf, type PlanFileStep } from './plan-file-schema.ts'
import { parsed, type Written, writtenIn } from './written-expressions.ts'

export interface TypeSurroundings extends StepSurroundings {
  /** The types of `steps` and `inputs`. */
  readonly scope: TypeScope
}

export interface TypeProblem {
  readonly path: readonly PropertyKey[]
  readonly what: string
}

const number: ValueType = { is: 'number' }
const text: ValueType = { is: 'text' }

/** The expressions can be read, and the steps they name exist. */
export function typeProblems(step: PlanFileStep, around: TypeSurroundings): readonly TypeProblem[] {
  const item = step.foreach === undefined ? {} : { item: itemType(step.foreach, around.scope), index: number }
  const tried = { output: either(outputOfOne(step, around), absent), tries: number, failed: { is: 'truth' } as const }
  const scope = { ...around.scope, ...item, ...tried }
  return writtenIn(step).flatMap((written) =>
    problemsOf(written, { scope, expected: expectedAt(step, written.path, around) }).map((what) => ({
      path: written.path,
      what,
    })),
  )
}

interface Expectation {
  readonly scope: TypeScope
  readonly expected: ValueType
}

function problemsOf(written: Written, { scope, expected }: Expectation): readonly string[] {
  const expressions = parsed(written)
  if (typeof expressions === 'string') return []
  const [first] = expressions
  if (first === undefined) return []
  if (written.isTemplate) return templateProblems(written.text, { scope, expected, expressions })
  if (written.path[0] !== 'foreach') return checkCondition(first, scope)
  const { type, problems } = checkExpression(first, scope)
  if (problems.length > 0 || mayBe(type, 'list', 'nothing')) return problems
  return [`${said(first)} is ${spokenType(type)}, and foreach takes a list`]
}

function templateProblems(
  given: string,
  { scope, expected, expressions }: Expectation & { readonly expressions: readonly Expression[] },
): readonly string[] {
  const whole = wholeExpression(given)
  const checked = expressions.map((expression) => ({ expression, ...checkExpression(expression, scope) }))
  const problems = checked.flatMap((each) => each.problems)
  const never = checked
    .filter(({ type }) => type.is === 'nothing')
    .map(({ expression }) => `\${{ ${said(expression)} }} never has a value`)
  if (problems.length + never.length > 0) return [...problems, ...never]
  const type = whole === undefined ? text : withoutNothing(checkExpression(whole, scope).type)
  if (overlaps(expected, type)) return []
  const shown = whole === undefined ? 'a text with references' : `\${{ ${said(whole)} }}`
  return [`${shown} is ${spokenType(type)}, and this takes ${spokenType(withoutNothing(expected))}`]
}

function itemType(foreach: NonNullable<PlanFileStep['foreach']>, scope: TypeScope): ValueType {
  if (typeof foreach !== 'string') return either(...foreach.map(typeOfWritten))
  const [expression] = asExpressions(foreach)
  const list = expression === undefined ? anything : withoutNothing(checkExpression(expression, scope).type)
  return list.is === 'list' ? list.of : anything
}

function asExpressions(foreach: string): readonly Expression[] {
  const expressions = parsed({ path: ['foreach'], text: foreach, isTemplate: false, roots: [] })
  return typeof expressions === 'string' ? [] : expressions
}

/** A value of the file, whose references may have any type. */
function typeOfWritten(value: unknown): ValueType {
  if (typeof value === 'string') return value.includes('${{') ? anything : typeOfValue(value)
  if (Array.isArray(value)) return { is: 'list', of: either(...value.map(typeOfWritten)) }
  if (typeof value !== 'object' || value === null) return typeOfValue(value)
  const fields = Object.entries(value).map(([key, inner]) => [key, typeOfWritten(inner)] as const)
  return { is: 'object', fields: Object.fromEntries(fields) }
}

/** What belongs in that place. Any value can become a text. */
function expectedAt(step: PlanFileStep, [word, ...path]: readonly PropertyKey[], around: TypeSurroundings): ValueType {
  if (word === 'with')
    return typeIn({ is: 'object', fields: around.subPlan?.types.inputs ?? {}, others: anything }, path)
  if (word === 'sleep') return path.length === 0 ? either(text, number) : text
  const type = word === 'input' ? typeIn(inputTypes()[kindOf(step) ?? ''] ?? anything, path) : anything
  return mayBe(type, 'text') ? anything : type
}

function typeIn(type: ValueType, path: readonly PropertyKey[]): ValueType {
  const [key, ...rest] = path
  if (key === undefined) return type
  const field = fieldOfType(type, typeof key === 'symbol' ? '' : key)
  return typeof field === 'string' ? anything : typeIn(withoutNothing(field), rest)
}
