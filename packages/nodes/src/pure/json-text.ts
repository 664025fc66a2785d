/** The JSON text of a payload, or the value in it that JSON or a store's text column would change silently. */
import type { Payload } from '../node.ts'

/** The answer of `jsonText`. */
export type JsonText = { readonly json: string } | { readonly problem: string }

/** The JSON text of a payload, or the value in it that JSON would change silently. */
export function jsonText(payload: Payload): JsonText {
  const problem = unfit(payload, '', 0)
  return problem === undefined ? { json: JSON.stringify(payload) } : { problem }
}

const maxDepth = 200

function unfit(value: unknown, at: string, depth: number): string | undefined {
  switch (typeof value) {
    case 'string':
      return unfitText(value, at)
    case 'boolean':
      return undefined
    case 'number':
      return Number.isFinite(value) ? undefined : `${place(at)} is ${value}, which JSON cannot hold`
    case 'object':
      return value === null ? undefined : unfitObject(value, at, depth)
    default:
      return `${place(at)} is a ${typeof value}, which JSON cannot hold`
  }
}

function unfitObject(value: object, at: string, depth: number): string | undefined {
  if (depth >= maxDepth) return `${place(at)} is nested deeper than ${maxDepth} levels`
  const entries = Array.isArray(value) ? value.entries() : plainEntries(value)
  if (entries === undefined) return `${place(at)} is not a plain object`
  for (const [key, inner] of entries) {
    // Many callers write an absent optional field as undefined. JSON omits it, as they intend.
    if (inner === undefined && !Array.isArray(value)) continue
    const problem =
      (typeof key === 'string' ? unfitText(key, at) : undefined) ??
      unfit(inner, at === '' ? `${key}` : `${at}.${key}`, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

function plainEntries(value: object): Iterable<readonly [string, unknown]> | undefined {
  const proto: unknown = Object.getPrototypeOf(value)
  return proto === Object.prototype || proto === null ? Object.entries(value) : undefined
}

function unfitText(text: string, at: string): string | undefined {
  if (!text.isWellFormed()) return `${place(at)} holds half a surrogate pair`
  return text.includes('\0') ? `${place(at)} holds a NUL character` : undefined
}

function place(at: string): string {
  return at === '' ? 'the payload' : at
}
