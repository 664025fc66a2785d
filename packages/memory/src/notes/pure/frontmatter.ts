/**
 * The block of fields at the start of a note. It is read with a YAML parser, or line by line if it is not valid YAML. A rewrite
 * changes only the given fields: every other byte stays the same.
 */
import { isMap, isScalar, parseDocument, type Pair, stringify, type YAMLMap } from 'yaml'
import { blockOf, type Frontmatter, plainFrontmatter } from './plain-frontmatter.ts'

export type { Frontmatter } from './plain-frontmatter.ts'

/** The types of values that a field can have. */
export type FieldValue = string | number | boolean | readonly string[]

/** The fields of a note and its body. */
export function readFrontmatter(text: string): Frontmatter {
  const plain = plainFrontmatter(text)
  if (plain !== undefined) return plain
  const { yaml = '', body = '' } = blockOf(text) ?? {}
  return { ...yamlFields(yaml), body }
}

/** Reads the block with the YAML parser, or line by line if the parser refuses it. */
export function yamlFields(yaml: string): Pick<Frontmatter, 'fields' | 'problem'> {
  const parsed = parsedPairs(yaml)
  if (typeof parsed === 'string') return { fields: fieldsByLine(yaml), problem: parsed }
  return { fields: new Map(parsed.items.flatMap((pair) => fieldOf(pair))), problem: undefined }
}

/** Sets fields, or removes those given as `undefined`. A note without a block gets one. */
export function editFrontmatter(text: string, changes: Readonly<Record<string, FieldValue | undefined>>): string {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n'
  const block = blockOf(text)
  if (block === undefined) return withBlock(text, changes, eol)
  const yaml = Object.entries(changes).reduce((now, [name, value]) => editField(now, name, value, eol), block.yaml)
  return block.opening + yaml + block.closing + block.body
}

/** One line of a block, in a form that YAML and the line-by-line readers of older tools both understand. */
export function fieldLine(name: string, value: FieldValue): string {
  return `${name}: ${valueText(value)}`
}

/** The pairs of the block, or a message that says why it cannot be parsed. */
function parsedPairs(yaml: string): YAMLMap | string {
  const document = parseDocument(yaml, { uniqueKeys: false, prettyErrors: false, logLevel: 'silent', merge: false })
  const [error] = document.errors
  if (error !== undefined) return error.message
  if (document.contents === null) return parsedPairs('{}')
  return isMap(document.contents) ? document.contents : 'it is not a list of fields'
}

function fieldOf({ key, value }: Pair): [string, unknown][] {
  const name = isScalar(key) ? (key.source ?? String(key.value)) : undefined
  return name === undefined ? [] : [[name, plainValue(value)]]
}

function plainValue(node: unknown): unknown {
  if (isScalar(node)) return typeof node.value === 'number' ? (node.source ?? String(node.value)) : node.value
  const items = typeof node === 'object' && node !== null && 'items' in node ? node.items : undefined
  if (isMap(node)) return Object.fromEntries(node.items.flatMap((pair) => fieldOf(pair)))
  return Array.isArray(items) ? items.map(plainValue) : undefined
}

const plainLine = /^([A-Za-z_][\w-]*):(?:[ \t]+(.*?))?[ \t]*\r?$/gm

function fieldsByLine(yaml: string): Map<string, unknown> {
  return new Map([...yaml.matchAll(plainLine)].map(([, name = '', value = '']) => [name, valueByLine(value)]))
}

function valueByLine(raw: string): unknown {
  if (raw === 'true' || raw === 'false') return raw === 'true'
  const list = /^\[(.*)\]$/.exec(raw)
  if (list !== null) return (list[1] ?? '').split(',').map(unquoted).filter(Boolean)
  return unquoted(raw)
}

function unquoted(raw: string): string {
  const text = raw.trim()
  return /^(['"])(.*)\1$/.exec(text)?.[2] ?? text
}

function withBlock(text: string, changes: Readonly<Record<string, FieldValue | undefined>>, eol: string): string {
  const lines = Object.entries(changes).flatMap(([name, value]) =>
    value === undefined ? [] : [fieldLine(name, value)],
  )
  if (lines.length === 0) return text
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  return mark + ['---', ...lines, '---', ''].join(eol) + text.slice(mark.length)
}

function editField(given: string, name: string, value: FieldValue | undefined, eol: string): string {
  const yaml = inLines(given, eol)
  const place = placeOf(yaml, name)
  if (place === undefined) return value === undefined ? yaml : appended(yaml, fieldLine(name, value), eol)
  if (value === undefined) return yaml.slice(0, place.start) + yaml.slice(place.end)
  if (place.value !== undefined) return yaml.slice(0, place.value[0]) + valueText(value) + yaml.slice(place.value[1])
  return yaml.slice(0, place.start) + fieldLine(name, value) + eol + yaml.slice(place.end)
}

/** Fields in braces are written onto lines of their own, so that each can be changed alone. */
function inLines(yaml: string, eol: string): string {
  const map = parsedPairs(yaml)
  if (typeof map === 'string' || map.flow !== true || map.items.length === 0) return yaml
  return stringify(parseDocument(yaml).toJS(), { lineWidth: 0 }).replaceAll('\n', eol)
}

function appended(yaml: string, line: string, eol: string): string {
  return yaml === '' || yaml.endsWith('\n') ? yaml + line + eol : yaml + eol + line + eol
}

interface FieldPlace {
  /** The lines of the field. */
  readonly start: number
  readonly end: number
  /** The position of the value, if it is a plain one on one line. */
  readonly value: readonly [number, number] | undefined
}

function placeOf(yaml: string, name: string): FieldPlace | undefined {
  const map = parsedPairs(yaml)
  if (typeof map === 'string') return placeByLine(yaml, name)
  const index = map.items.findLastIndex(({ key }) => isScalar(key) && (key.source ?? String(key.value)) === name)
  const pair = map.items[index]
  if (pair === undefined) return undefined
  const start = rangeOf(pair.key)?.[0] ?? 0
  const [from = start, to = start] = rangeOf(pair.value) ?? []
  const isBlock = isBlockText(pair.value)
  // A value over several lines ends after its last line break. The field ends with that line.
  const end = lineEnd(yaml, start + yaml.slice(start, to).trimEnd().length)
  return { start, end, value: isScalar(pair.value) && !isBlock && to > from ? [from, to] : undefined }
}

function placeByLine(yaml: string, name: string): FieldPlace | undefined {
  const found = [...yaml.matchAll(plainLine)].findLast(([, each]) => each === name)
  if (found === undefined) return undefined
  const rest = /^(?:(?:[ \t]+\S.*|-[ \t].*)\r?\n)*/.exec(yaml.slice(lineEnd(yaml, found.index)))?.[0] ?? ''
  return { start: found.index, end: lineEnd(yaml, found.index) + rest.length, value: undefined }
}

function isBlockText(node: unknown): boolean {
  return isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED')
}

function rangeOf(node: unknown): readonly number[] | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined
  return node.range.map(Number)
}

function lineEnd(yaml: string, from: number): number {
  const found = yaml.indexOf('\n', from)
  return found === -1 ? yaml.length : found + 1
}

// Words that YAML 1.1, which older tools still use, reads as a boolean or null.
const loaded = /^(?:y|n|yes|no|on|off|true|false|null|~)$/i

function valueText(value: FieldValue): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return scalarText(value, false)
  return `[${value.map((item) => scalarText(item, true)).join(', ')}]`
}

function scalarText(value: string, inList: boolean): string {
  const odd = loaded.test(value) || /[\p{Cc}\u2028\u2029]/u.test(value) || (inList && /[,[\]{}]/.test(value))
  if (odd) return /[\p{Cc}\u2028\u2029]/u.test(value) ? JSON.stringify(value) : `'${value.replaceAll("'", "''")}'`
  return stringify(value, { lineWidth: 0, singleQuote: true, blockQuote: false }).trimEnd()
}
