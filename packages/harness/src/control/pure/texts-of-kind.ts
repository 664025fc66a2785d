/** The input of a step after its templates are filled: a number that stands where the kind wants text becomes text. */
type Fields = Readonly<Record<string, unknown>>

interface TextFields {
  /** Fields that hold one text. */
  readonly one?: readonly string[]
  /** Fields that hold a list or an object of texts. */
  readonly many?: readonly string[]
}

const textFields: Readonly<Record<string, TextFields>> = {
  agent: { one: ['goal', 'roleHint'] },
  approval: { one: ['text', 'default'], many: ['allowed', 'declines'] },
  command: { one: ['command', 'directory', 'stdin'], many: ['args', 'environment'] },
  http: { one: ['url', 'method'], many: ['headers'] },
  module: { one: ['module', 'export'] },
}

export function textsOfKind(kind: string, input: Fields): Fields {
  const { one = [], many = [] } = (Object.hasOwn(textFields, kind) ? textFields[kind] : undefined) ?? {}
  const fields = Object.entries(input).map(([key, value]) => {
    if (one.includes(key)) return [key, textOf(value)] as const
    return [key, many.includes(key) ? textsIn(value) : value] as const
  })
  return Object.fromEntries(fields)
}

function textsIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(textOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, textOf(inner)]))
}

/** A value inside a text: text as it is, anything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
