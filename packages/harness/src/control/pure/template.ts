/** Values in the texts of a step: `deploy --to ${{ item.host }}`. The form collides neither with shells nor with other templates. */
import { evaluate, said, type Scope } from './evaluate.ts'
import { type Expression, parseExpression } from './expression.ts'
import { textOf } from './texts-of-kind.ts'

const pattern = /\$\{\{((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^"'}]|\}(?!\}))*)\}\}/g

/** A text inside a value, and the way to it. */
export interface PlacedText {
  readonly path: readonly PropertyKey[]
  readonly text: string
}

/** Every text in a value that holds a template. */
export function templatesIn(value: unknown, path: readonly PropertyKey[] = []): readonly PlacedText[] {
  if (typeof value === 'string') return value.includes('${{') ? [{ path, text: value }] : []
  if (Array.isArray(value)) return value.flatMap((inner, i) => templatesIn(inner, [...path, i]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => templatesIn(inner, [...path, key]))
}

/** The expressions in a text. Throws a `SyntaxError` if one of them is none. */
export function expressionsIn(text: string): readonly Expression[] {
  if (text.replaceAll(pattern, '').includes('${{')) throw new SyntaxError('${{ has no closing }}')
  return [...text.matchAll(pattern)].map(([, inside = '']) => parseExpression(inside))
}

/** The one expression that is the whole text, whose value keeps its type; `undefined` for any other text. */
export function wholeExpression(text: string): Expression | undefined {
  const [whole] = text.trim().matchAll(pattern)
  return whole !== undefined && whole[0] === text.trim() ? parseExpression(whole[1] ?? '') : undefined
}

/**
 * The value with every template replaced. A text that is one template becomes its value, whatever type it has; inside a longer text,
 * lists and objects become JSON.
 */
export function filled<T>(value: T, scope: Scope): T {
  return fill(value, scope) as T
}

function fill(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') return value.includes('${{') ? fillText(value, scope) : value
  if (Array.isArray(value)) return value.map((inner) => fill(inner, scope))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, scope)]))
}

function fillText(text: string, scope: Scope): unknown {
  const [whole] = text.trim().matchAll(pattern)
  if (whole !== undefined && whole[0] === text.trim()) return presentValue(whole[1] ?? '', scope)
  return text.replaceAll(pattern, (_, inside: string) => textOf(presentValue(inside, scope)))
}

/** A command must not get the word "null" in place of a host name. */
function presentValue(inside: string, scope: Scope): unknown {
  const expression = parseExpression(inside)
  const value = evaluate(expression, scope)
  if (value === null || value === undefined) throw new Error(`\${{ ${said(expression)} }} has no value here`)
  return value
}
