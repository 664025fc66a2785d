/**
 * Conditions and references as a plan file writes them: `steps.build.output.version == "1.4" and not steps.check.skipped`. They read
 * values, compare them and call a few functions, and can do nothing else.
 */
import { functionTable } from './function-table.ts'

/** A parsed expression. */
export type Expression =
  | { readonly is: 'value'; readonly value: string | number | boolean | null }
  | { readonly is: 'reference'; readonly path: readonly Key[] }
  | { readonly is: 'call'; readonly name: string; readonly given: readonly Expression[] }
  | { readonly is: 'not'; readonly of: Expression }
  | { readonly is: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | { readonly is: Comparison; readonly left: Expression; readonly right: Expression }

/** How two values are compared. */
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>='

type Key = string | number

interface Token {
  readonly kind: 'number' | 'text' | 'name' | 'mark' | 'end'
  readonly text: string
  /** The how-manieth character of the expression it begins with, from 1. */
  readonly at: number
}

/** Throws a `SyntaxError` that names the place and what was expected there. */
export function parseExpression(text: string): Expression {
  const reader = new Reader(tokensOf(text))
  const expression = either(reader)
  reader.expect('end', 'a comparison, and, or, or the end')
  return expression
}

/** Every reference in it. */
export function referencesIn(expression: Expression): readonly (readonly Key[])[] {
  switch (expression.is) {
    case 'value':
      return []
    case 'reference':
      return [expression.path]
    case 'call':
      return expression.given.flatMap((each) => referencesIn(each))
    case 'not':
      return referencesIn(expression.of)
    default:
      return [...referencesIn(expression.left), ...referencesIn(expression.right)]
  }
}

const pattern =
  /\s*(?:(?<number>-?\d+(?:\.\d+)?)|(?<text>"(?:[^"\\]|\\.)*"|'[^']*')|(?<name>[A-Za-z_][\w-]*)|(?<mark>==|!=|<=|>=|[<>()[\].,]))/y

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  const end = text.trimEnd().length
  const next = new RegExp(pattern)
  while (next.lastIndex < end) {
    const from = next.lastIndex
    const found = next.exec(text)
    if (found === null) throw new SyntaxError(unreadable(text, from))
    const [kind, word] = Object.entries(found.groups ?? {}).find(([, part]) => part !== undefined) ?? ['mark', '']
    const begins = next.lastIndex - word.length + 1
    tokens.push({ kind: kind as Token['kind'], text: word, at: begins })
  }
  return [...tokens, { kind: 'end', text: '', at: end + 1 }]
}

function unreadable(text: string, from: number): string {
  const rest = text.slice(from)
  const at = from + rest.length - rest.trimStart().length
  const sign = text.charAt(at)
  const cure =
    sign === '"' || sign === "'" ? 'this text has no closing quote' : (cures[sign] ?? 'it means nothing here')
  return `character ${at + 1}, ${sign}: ${cure}`
}

const cures: Readonly<Record<string, string>> = {
  '=': 'write == to compare',
  '!': 'write not, or != to compare',
  '&': 'write and',
  '|': 'write or',
  $: 'a condition stands without ${{ }}',
}

const comparisons: readonly string[] = ['==', '!=', '<', '<=', '>', '>=']
const reserved: readonly string[] = ['and', 'or', 'not']
const constants: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }

class Reader {
  readonly #tokens: readonly Token[]
  #next = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get next(): Token {
    return this.#tokens[this.#next] ?? { kind: 'end', text: '', at: 1 }
  }

  take(): Token {
    const token = this.next
    this.#next += 1
    return token
  }

  /** Takes the next token if it is this word or mark. */
  takes(...words: readonly string[]): Token | undefined {
    const { kind, text } = this.next
    return (kind === 'mark' || kind === 'name') && words.includes(text) ? this.take() : undefined
  }

  expect(kind: Token['kind'], what: string, text?: string): Token {
    const { next } = this
    if (next.kind !== kind || (text !== undefined && next.text !== text)) throw this.wrong(what)
    return this.take()
  }

  wrong(expected: string): SyntaxError {
    const { kind, text, at } = this.next
    return new SyntaxError(`character ${at}: expected ${expected}, and found ${kind === 'end' ? 'the end' : text}`)
  }
}

function either(reader: Reader): Expression {
  let left = both(reader)
  while (reader.takes('or')) left = { is: 'or', left, right: both(reader) }
  return left
}

function both(reader: Reader): Expression {
  let left = negated(reader)
  while (reader.takes('and')) left = { is: 'and', left, right: negated(reader) }
  return left
}

function negated(reader: Reader): Expression {
  return reader.takes('not') ? { is: 'not', of: negated(reader) } : compared(reader)
}

function compared(reader: Reader): Expression {
  const left = operand(reader)
  const operator = reader.takes(...comparisons)
  return operator === undefined ? left : { is: operator.text as Comparison, left, right: operand(reader) }
}

function operand(reader: Reader): Expression {
  const { kind, text } = reader.next
  if (reader.takes('(')) {
    const inner = either(reader)
    reader.expect('mark', ')', ')')
    return inner
  }
  if (kind === 'number') return { is: 'value', value: Number(reader.take().text) }
  if (kind === 'text') return { is: 'value', value: unquoted(reader.take()) }
  if (kind !== 'name' || reserved.includes(text))
    throw reader.wrong('a value, such as steps.build.output, "text", 3 or true')
  if (Object.hasOwn(constants, text)) return { is: 'value', value: constants[reader.take().text] ?? null }
  return referenceOrCall(reader)
}

function referenceOrCall(reader: Reader): Expression {
  const name = reader.take()
  return reader.takes('(') ? call(name, reader) : reference(name.text, reader)
}

/** The opening parenthesis is taken. */
function call({ text: name, at }: Token, reader: Reader): Expression {
  const known = Object.hasOwn(functionTable, name) ? functionTable[name] : undefined
  if (known === undefined)
    throw new SyntaxError(
      `character ${at}: there is no function ${name}. There are: ${Object.keys(functionTable).join(', ')}`,
    )
  const given: Expression[] = []
  while (!reader.takes(')')) {
    if (given.length > 0) reader.expect('mark', ', or )', ',')
    given.push(either(reader))
  }
  const { shown, parameters } = known
  if (given.length !== parameters.length)
    throw new SyntaxError(
      `character ${at}: ${shown} takes ${parameters.length === 1 ? 'one value' : `${parameters.length} values`}, not ${given.length}`,
    )
  return { is: 'call', name, given }
}

function reference(root: string, reader: Reader): Expression {
  const path: Key[] = [root]
  for (;;) {
    if (reader.takes('.')) path.push(reader.expect('name', 'the name of a field').text)
    else if (reader.takes('[')) {
      path.push(keyOf(reader))
      reader.expect('mark', ']', ']')
    } else return { is: 'reference', path }
  }
}

function keyOf(reader: Reader): Key {
  const { kind, text } = reader.next
  if (kind === 'text') return unquoted(reader.take())
  if (kind === 'number' && /^\d+$/.test(text)) return Number(reader.take().text)
  throw reader.wrong('a number from 0 on, or a field in quotes')
}

function unquoted({ text, at }: Token): string {
  if (text.startsWith("'")) return text.slice(1, -1)
  try {
    return String(JSON.parse(text))
  } catch {
    throw new SyntaxError(
      `character ${at}: ${text} has an escape that JSON does not know. Single quotes take text as it is`,
    )
  }
}
