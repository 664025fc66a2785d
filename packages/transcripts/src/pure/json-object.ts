/** Reading JSON that nobody promised: each accessor gives the value if it has the type, else `undefined`. */

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

/** A JSON object whose fields are not known. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined
}

/** The object that a line of JSON holds, or `undefined` if it holds something else or is no JSON. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    return objectOf(JSON.parse(text) as JsonValue)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The value, if it is an object. */
export function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
}

/** The value, if it is a list; otherwise an empty one. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

/** The objects of a list; everything else in it is left out. */
export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return listOf(value)
    .map(objectOf)
    .filter((item) => item !== undefined)
}

/** The value, if it is a string that is not empty. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The value, if it is a finite number. */
export function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** The first of these fields that holds text. */
export function firstText(object: JsonObject | undefined, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = textOf(field(object, key))
    if (text !== undefined) return text
  }
  return undefined
}

/** A field of its own; `constructor` and its like are not fields. */
export function field(object: JsonObject | undefined, key: string): JsonValue | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined
}

/** Epoch milliseconds from an ISO time with a zone, or from a number of milliseconds. */
export function timeOf(value: JsonValue | undefined): number | undefined {
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value)
  const at = isTime ? Date.parse(value) : value
  return typeof at === 'number' && Number.isFinite(at) ? at : undefined
}

/** The length of a value as JSON. JSON that is nested too deeply to be written again is measured by its texts. */
export function jsonLength(value: JsonValue | undefined): number {
  return jsonText(value)?.length ?? measured(value)
}

/** A value as JSON, or `undefined` if it is nested too deeply to be written again. */
export function jsonText(value: JsonValue | undefined): string | undefined {
  try {
    return JSON.stringify(value ?? null)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** A value as the text of a record; one that is nested too deeply becomes a text that no parser knows. */
export function recordText(value: JsonValue): string {
  return jsonText(value) ?? '"nested too deeply"'
}

function measured(value: JsonValue | undefined): number {
  const open = [value]
  let length = 0
  while (open.length > 0) {
    const next = open.pop()
    length += typeof next === 'string' ? next.length + 2 : 2
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) open.push(inner)
  }
  return length
}

/** A name that a host gave to a kind of record: short, so that no content hides in it. */
export function kindOf(value: JsonValue | undefined): string {
  return typeof value === 'string' && /^[\w$./:-]{1,60}$/.test(value) ? value : 'no-type'
}
