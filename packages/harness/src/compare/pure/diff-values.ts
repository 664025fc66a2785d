/** What differs between two values, field by field. Secrets are masked, and long texts are cut around the place where they differ. */
import { redactValue } from '@agentm/nodes'
import { isDeepStrictEqual } from 'node:util'

/** One place where two values differ. A side that has nothing there is absent. */
export interface Difference {
  /** Such as `files[0].path`; empty for the value as a whole. */
  readonly path: string
  readonly a?: string
  readonly b?: string
}

const mostDifferences = 100
const longest = 240
/** How much of what is alike is shown before the place where two long texts differ. */
const ahead = 40

export function diffValues(a: unknown, b: unknown): readonly Difference[] {
  if (isDeepStrictEqual(a, b)) return []
  const found: Difference[] = []
  collect(redactValue({ value: a }).value, redactValue({ value: b }).value, '', found)
  if (found.length <= mostDifferences) return found
  const more = found.length - mostDifferences
  return [...found.slice(0, mostDifferences), { path: `… and ${more} more` }]
}

function collect(a: unknown, b: unknown, path: string, found: Difference[]): void {
  if (isDeepStrictEqual(a, b)) return
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < Math.max(a.length, b.length); i++) collect(a[i], b[i], `${path}[${i}]`, found)
    return
  }
  if (isRecord(a) && isRecord(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
      collect(a[key], b[key], fieldPath(path, key), found)
    return
  }
  found.push({ path, ...shown(a, b) })
}

function fieldPath(path: string, key: string): string {
  const name = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key) ? key : `[${JSON.stringify(key)}]`
  return path === '' || name.startsWith('[') ? `${path}${name}` : `${path}.${name}`
}

function shown(a: unknown, b: unknown): Pick<Difference, 'a' | 'b'> {
  const [left, right] = [textOf(a), textOf(b)]
  const from =
    Math.max(left?.length ?? 0, right?.length ?? 0) <= longest ? 0 : Math.max(0, sameLength(left, right) - ahead)
  return {
    ...(left !== undefined && { a: cut(left, from) }),
    ...(right !== undefined && { b: cut(right, from) }),
  }
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value)
}

/** How many characters both begin with. */
function sameLength(a = '', b = ''): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}

function cut(text: string, from: number): string {
  const part = text.slice(from, from + longest).toWellFormed()
  return `${from > 0 ? '…' : ''}${part}${from + longest < text.length ? '…' : ''}`
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
