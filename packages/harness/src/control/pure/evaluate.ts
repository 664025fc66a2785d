/** The value of an expression. A field that is not there is `null`; what cannot be compared is an error, and never quietly false. */
import type { Comparison, Expression } from './expression.ts'
import { argumentProblem, functionTable } from './function-table.ts'
import { typeOfValue } from './value-type.ts'

/** What references read: `steps`, `inputs`, `item` … */
export type Scope = Readonly<Record<string, unknown>>

export function evaluate(expression: Expression, scope: Scope): unknown {
  switch (expression.is) {
    case 'value':
      return expression.value
    case 'reference':
      return valueAt(scope, expression.path)
    case 'call':
      return called(expression, scope)
    case 'not':
      return !truthOf(expression.of, scope)
    case 'and':
      return truthOf(expression.left, scope) && truthOf(expression.right, scope)
    case 'or':
      return truthOf(expression.left, scope) || truthOf(expression.right, scope)
    default: {
      const { is, left, right } = expression
      return compare(is, evaluate(left, scope), evaluate(right, scope))
    }
  }
}

function called({ name, given }: Extract<Expression, { is: 'call' }>, scope: Scope): unknown {
  const values = given.map((each) => evaluate(each, scope))
  const problem = argumentProblem(name, values.map(typeOfValue))
  if (problem !== undefined) throw new Error(problem)
  return functionTable[name]?.call(values) ?? null
}

/** Only `true` and `false` are conditions, because a text such as "false" would otherwise count as true. */
export function truthOf(expression: Expression, scope: Scope): boolean {
  const value = evaluate(expression, scope)
  if (typeof value === 'boolean') return value
  throw new Error(
    `${said(expression)} is ${kindOf(value)}, and a condition is true or false. Compare it with something`,
  )
}

/** The expression in the words of the file. */
export function said(expression: Expression): string {
  switch (expression.is) {
    case 'value':
      return JSON.stringify(expression.value)
    case 'reference':
      return expression.path.map(fieldText).join('')
    case 'call':
      return `${expression.name}(${expression.given.map(said).join(', ')})`
    case 'not':
      return `not ${said(expression.of)}`
    default:
      return `(${said(expression.left)} ${expression.is} ${said(expression.right)})`
  }
}

function fieldText(key: string | number, index: number): string {
  if (index === 0) return `${key}`
  return typeof key === 'string' && /^[A-Za-z_][\w-]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}

function valueAt(scope: Scope, path: readonly (string | number)[]): unknown {
  let value: unknown = scope
  for (const key of path) value = fieldOf(value, key)
  return value ?? null
}

function fieldOf(value: unknown, key: string | number): unknown {
  if (key === 'length' && (typeof value === 'string' || Array.isArray(value))) return value.length
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return Reflect.get(value, key)
}

function compare(operator: Comparison, left: unknown, right: unknown): boolean {
  if (operator === '==') return isSame(left, right)
  if (operator === '!=') return !isSame(left, right)
  if (typeof left === 'number' && typeof right === 'number') return inOrder(operator, left, right)
  if (typeof left === 'string' && typeof right === 'string') return inOrder(operator, left, right)
  throw new Error(
    `${operator} compares two numbers or two texts, and got ${kindOf(left)} and ${kindOf(right)}. Check with != null first if the value may be absent`,
  )
}

function inOrder<T extends number | string>(operator: Comparison, left: T, right: T): boolean {
  switch (operator) {
    case '<':
      return left < right
    case '<=':
      return left <= right
    case '>':
      return left > right
    default:
      return left >= right
  }
}

/** Everything comes from JSON, so equal values have equal text if their fields are in one order. */
function isSame(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(ordered(left)) === JSON.stringify(ordered(right))
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return fields.map(([key, inner]) => ({ [key]: ordered(inner) }))
}

function kindOf(value: unknown): string {
  if (value === null) return 'absent'
  if (Array.isArray(value)) return 'a list'
  return value === undefined ? 'absent' : typeof value === 'object' ? 'an object' : `a ${named[typeof value] ?? ''}`
}

const named: Readonly<Record<string, string>> = { string: 'text', number: 'number', boolean: 'yes or no' }
