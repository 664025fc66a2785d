/** The type of an expression, and what is certainly wrong with it, before anything ran. */
import { said } from './evaluate.ts'
import type { Expression } from './expression.ts'
import { argumentProblem, functionTable } from './function-table.ts'
import { anything, fieldOfType, mayBe, overlaps, spokenType, typeOfValue, type ValueType } from './value-type.ts'

/** The types of what references read, by root: `steps`, `inputs`, `item` … */
export type TypeScope = Readonly<Record<string, ValueType>>

export interface CheckedExpression {
  readonly type: ValueType
  readonly problems: readonly string[]
}

export function checkExpression(expression: Expression, scope: TypeScope): CheckedExpression {
  const problems: string[] = []
  return { type: typeOf(expression, { scope, problems }), problems }
}

/** Whether a condition may hold: what is wrong with it otherwise. */
export function checkCondition(expression: Expression, scope: TypeScope): readonly string[] {
  const problems: string[] = []
  checkTruth(expression, { scope, problems })
  return problems
}

interface Checking {
  readonly scope: TypeScope
  readonly problems: string[]
}

const truth: ValueType = { is: 'truth' }

function typeOf(expression: Expression, at: Checking): ValueType {
  switch (expression.is) {
    case 'value':
      return typeOfValue(expression.value)
    case 'reference':
      return typeOfReference(expression.path, at)
    case 'call':
      return typeOfCall(expression, at)
    case 'not':
      checkTruth(expression.of, at)
      return truth
    case 'and':
    case 'or':
      checkTruth(expression.left, at)
      checkTruth(expression.right, at)
      return truth
    default:
      checkComparison(expression, at)
      return truth
  }
}

/** After the first field that is not there, nothing is known of the rest. */
function typeOfReference(path: readonly (string | number)[], { scope, problems }: Checking): ValueType {
  const [root = '', ...fields] = path
  let type = scope[root] ?? anything
  for (const [i, field] of fields.entries()) {
    const found = fieldOfType(type, field)
    if (typeof found === 'string') {
      problems.push(`${said({ is: 'reference', path: path.slice(0, i + 1) })} ${found}`)
      return anything
    }
    type = found
  }
  return type
}

function typeOfCall({ name, given }: Extract<Expression, { is: 'call' }>, at: Checking): ValueType {
  const types = given.map((each) => typeOf(each, at))
  const problem = argumentProblem(name, types)
  if (problem !== undefined) at.problems.push(problem)
  return functionTable[name]?.gives(types) ?? anything
}

function checkTruth(expression: Expression, at: Checking): void {
  const type = typeOf(expression, at)
  if (!mayBe(type, 'truth'))
    at.problems.push(
      `${said(expression)} is ${spokenType(type)}, and a condition is true or false. Compare it with something`,
    )
}

function checkComparison(expression: Extract<Expression, { readonly left: Expression }>, at: Checking): void {
  const [left, right] = [typeOf(expression.left, at), typeOf(expression.right, at)]
  const [one, other] = [said(expression.left), said(expression.right)]
  const { is } = expression
  if (is === '==' || is === '!=') {
    if (!overlaps(left, right))
      at.problems.push(
        `${one} ${is} ${other} is always ${is === '!='}, because ${one} is ${spokenType(left)} and ${other} is ${spokenType(right)}`,
      )
    return
  }
  const isOrdered = (['number', 'text'] as const).some((type) => mayBe(left, type) && mayBe(right, type))
  if (!isOrdered)
    at.problems.push(
      `${is} compares two numbers or two texts, and ${one} is ${spokenType(left)} and ${other} is ${spokenType(right)}`,
    )
}
