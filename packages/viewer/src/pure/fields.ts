/** Reads payloads without trusting their shape: older versions and plugins wrote them, too. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

export function textIn(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function numberIn(fields: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const value = fields[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function listIn(fields: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const value = fields[name]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** A time that was stored as an ISO text. */
export function timeIn(fields: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const time = Date.parse(textIn(fields, name) ?? '')
  return Number.isNaN(time) ? undefined : time
}
