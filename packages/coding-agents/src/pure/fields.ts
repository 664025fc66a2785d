/** Reads fields of JSON that another program wrote, whose form may change from version to version. */
export type Fields = Readonly<Record<string, unknown>>

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Absent, negative and fractional counts count as whole numbers from 0. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.trunc(value) : 0
}

/** Dollars as millionths, rounded up, so that a price below one millionth counts. */
export function microsOf(dollars: unknown): number | undefined {
  if (typeof dollars !== 'number' || !Number.isFinite(dollars) || dollars < 0) return undefined
  const micros = dollars * 1_000_000
  const nearest = Math.round(micros)
  // 0.0003 dollars are 299.99999999999994 millionths in binary.
  return Math.abs(micros - nearest) < 1e-6 ? nearest : Math.ceil(micros)
}
