/** Reads fields of parsed JSON whose form nobody promises. What has another type counts as absent. */

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The first of these fields that is a text with content. */
export function textIn(value: unknown, ...names: readonly string[]): string | undefined {
  if (!isObject(value)) return undefined
  for (const name of names) {
    const text = value[name]
    if (typeof text === 'string' && text.trim() !== '') return text
  }
  return undefined
}

/** The items of a field that is a list. */
export function listIn(value: unknown, name: string): readonly unknown[] {
  const list = isObject(value) ? value[name] : undefined
  return Array.isArray(list) ? list : []
}

/** The texts in a field that is a list, or a list written as JSON text. */
export function textsIn(value: unknown, name: string): readonly string[] {
  const text = textIn(value, name)
  const list = text === undefined ? listIn(value, name) : parsedList(text)
  return list.filter((item): item is string => typeof item === 'string' && item.trim() !== '')
}

function parsedList(text: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}

/** A time in epoch milliseconds, from a date as text or from seconds or milliseconds as a number. */
export function timeIn(value: unknown, ...names: readonly string[]): number | undefined {
  if (!isObject(value)) return undefined
  for (const name of names) {
    const found = value[name]
    const time = typeof found === 'number' ? fromNumber(found) : typeof found === 'string' ? Date.parse(found) : NaN
    if (isPlausible(time)) return time
  }
  return undefined
}

/** Seconds until the year 5138 are smaller than milliseconds since 1973. */
function fromNumber(value: number): number {
  return Math.round(Math.abs(value) < 1e11 ? value * 1000 : value)
}

/** Between the years 1 and 9999, which a note can show. */
function isPlausible(time: number): boolean {
  return time > -62_135_596_800_000 && time < 253_402_300_800_000
}
