/**
 * Reads and writes JSON without loss: the order of keys, keys that look like numbers, `__proto__`, big integers and `1.0` are kept,
 * in the bytes that Python's `json.dumps(…, indent=2)` writes. `JSON.parse` loses all of these.
 */
export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonObject

/** A repeated key keeps its first position and its last value. */
export type JsonObject = Map<string, JsonValue>

/** A number with its original text. */
export class JsonNumber {
  readonly raw: string
  constructor(raw: string) {
    this.raw = raw
  }
}

/** Not JSON, and where. Lines and columns count from 1. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError'
  readonly code = 'JSON_SYNTAX'
  readonly line: number
  readonly column: number
  constructor(what: string, at: { readonly line: number; readonly column: number }) {
    super(`${what} at line ${at.line}, column ${at.column}`)
    this.line = at.line
    this.column = at.column
  }
}

/** Reads JSON and keeps what `JSON.parse` loses: the order of keys, big integers, and numbers as they are written. */
export function parseJson(text: string): JsonValue {
  const parser = new Parser(text)
  const value = parser.value(0)
  parser.end()
  return value
}

/** Formatted like Python: two spaces, characters outside printable ASCII escaped, a final line break. */
export function formatJson(value: JsonValue): string {
  return `${block(value, '')}\n`
}

/** The value as ordinary JavaScript values, for checking with a schema. */
export function plainJson(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.raw)
  if (Array.isArray(value)) return value.map(plainJson)
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, child]) => [key, plainJson(child)]))
  return value
}

/** Converts ordinary JavaScript values; throws for `undefined`. */
export function jsonValue(value: unknown): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return new JsonNumber(String(value))
  if (value instanceof JsonNumber) return value
  if (Array.isArray(value)) return value.map(jsonValue)
  if (value instanceof Map) return new Map([...value].map(([key, child]) => [String(key), jsonValue(child)]))
  if (typeof value === 'object')
    return new Map(Object.entries(value).map(([key, child]): [string, JsonValue] => [key, jsonValue(child)]))
  throw new TypeError(`${typeof value} has no form in JSON`)
}

const deepest = 512
const word = /[A-Za-z]+/y
const number = /-?(?:Infinity|(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y
const plainText = /[ !#-[\]-\uffff]*/y
const white = /[ \t\n\r]*/y
// Python writes and reads NaN and the infinities, which strict JSON does not have.
const words = new Map<string, () => JsonValue>([
  ['true', () => true],
  ['false', () => false],
  ['null', () => null],
  ['NaN', () => new JsonNumber('NaN')],
  ['Infinity', () => new JsonNumber('Infinity')],
])
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

class Parser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(depth: number): JsonValue {
    if (depth > deepest) throw this.#error('nested too deeply')
    this.#take(white)
    const next = this.#text[this.#at]
    if (next === '{') return this.#object(depth)
    if (next === '[') return this.#array(depth)
    if (next === '"') return this.#string()
    const start = this.#at
    const named = words.get(this.#take(word))
    if (named !== undefined) return named()
    this.#at = start
    const digits = this.#take(number)
    if (digits === '') throw this.#error('a value is missing')
    return new JsonNumber(digits)
  }

  end(): void {
    this.#take(white)
    if (this.#at < this.#text.length) throw this.#error('something follows the value')
  }

  #object(depth: number): JsonObject {
    const members: JsonObject = new Map()
    this.#list('}', () => {
      if (this.#text[this.#at] !== '"') throw this.#error('a name in double quotes is missing')
      const name = this.#string()
      this.#take(white)
      this.#expect(':')
      members.set(name, this.value(depth + 1))
    })
    return members
  }

  #array(depth: number): JsonValue[] {
    const items: JsonValue[] = []
    this.#list(']', () => items.push(this.value(depth + 1)))
    return items
  }

  #list(close: string, item: () => void): void {
    this.#at++
    this.#take(white)
    if (this.#text[this.#at] === close) {
      this.#at++
      return
    }
    for (;;) {
      this.#take(white)
      item()
      this.#take(white)
      if (this.#text[this.#at] === close) break
      this.#expect(',')
    }
    this.#at++
  }

  #string(): string {
    const opened = this.#at++
    let result = ''
    for (;;) {
      result += this.#take(plainText)
      const next = this.#text[this.#at]
      if (next === '"') break
      if (next === undefined) throw this.#error('text is not closed', opened)
      if (next !== '\\') throw this.#error('a control character stands in a text')
      result += this.#escape()
    }
    this.#at++
    return result
  }

  #escape(): string {
    const letter = this.#text[this.#at + 1] ?? ''
    const simple = escapes[letter]
    if (simple !== undefined) {
      this.#at += 2
      return simple
    }
    const hex = this.#text.slice(this.#at + 2, this.#at + 6)
    if (letter !== 'u' || !/^[0-9a-fA-F]{4}$/.test(hex)) throw this.#error('this escape means nothing')
    this.#at += 6
    return String.fromCharCode(Number.parseInt(hex, 16))
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #expect(mark: string): void {
    if (this.#text[this.#at] !== mark) throw this.#error(`"${mark}" is missing`)
    this.#at++
  }

  #error(what: string, at = this.#at): JsonSyntaxError {
    const before = this.#text.slice(0, at).split('\n')
    return new JsonSyntaxError(what, { line: before.length, column: (before.at(-1) ?? '').length + 1 })
  }
}

function block(value: JsonValue, indent: string): string {
  if (typeof value === 'string') return quoted(value)
  if (value instanceof JsonNumber) return value.raw
  const inner = `${indent}  `
  if (Array.isArray(value))
    return lines(
      '[]',
      value.map((item) => block(item, inner)),
      indent,
    )
  if (value instanceof Map)
    return lines(
      '{}',
      [...value].map(([key, item]) => `${quoted(key)}: ${block(item, inner)}`),
      indent,
    )
  return String(value)
}

function lines(brackets: '[]' | '{}', items: readonly string[], indent: string): string {
  if (items.length === 0) return brackets
  const [open, close] = brackets
  return `${open}\n${items.map((item) => `${indent}  ${item}`).join(',\n')}\n${indent}${close}`
}

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

function quoted(text: string): string {
  // By UTF-16 unit, like Python: a character above U+FFFF becomes two escapes.
  const escaped = text.replace(/["\\]|[^ -~]/g, (unit) => {
    return short[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return `"${escaped}"`
}
