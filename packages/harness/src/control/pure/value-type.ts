/** What is known about a value before a plan starts. It comes from JSON schemas, and decides only what is certainly wrong. */

export type ValueType =
  | {
      readonly is: 'anything'
      /** Fields that are looked for here by mistake, and what to do instead. */
      readonly elsewhere?: Readonly<Record<string, string>>
    }
  | { readonly is: 'nothing' }
  | { readonly is: 'text'; readonly oneOf?: readonly string[] }
  | { readonly is: 'number' }
  | { readonly is: 'truth' }
  | { readonly is: 'list'; readonly of: ValueType }
  | {
      readonly is: 'object'
      readonly fields: Readonly<Record<string, ValueType>>
      /** The type of a field that is not among `fields`; without it, the object has no others. */
      readonly others?: ValueType
      readonly required?: readonly string[]
    }
  | { readonly is: 'either'; readonly of: readonly ValueType[] }

type Json = Readonly<Record<string, unknown>>

export const anything: ValueType = { is: 'anything' }
export const absent: ValueType = { is: 'nothing' }

/** A declared object has no other fields, unless `additionalProperties` says so or it declares none. */
export function typeOfSchema(schema: unknown): ValueType {
  if (!isRecord(schema)) return anything
  const { type, enum: values, anyOf, oneOf } = schema
  if (Object.hasOwn(schema, 'const')) return typeOfValue(schema['const'])
  if (Array.isArray(values)) return either(...values.map(typeOfValue))
  const choices = anyOf ?? oneOf
  if (Array.isArray(choices)) return either(...choices.map(typeOfSchema))
  if (Array.isArray(type)) return either(...type.map((each) => typeOfSchema({ ...schema, type: each })))
  switch (type) {
    case 'string':
      return { is: 'text' }
    case 'number':
    case 'integer':
      return { is: 'number' }
    case 'boolean':
      return { is: 'truth' }
    case 'null':
      return absent
    case 'array':
      return { is: 'list', of: typeOfSchema(schema['items']) }
    case 'object':
      return typeOfObject(schema)
    default:
      return anything
  }
}

function typeOfObject({ properties, required, additionalProperties }: Json): ValueType {
  const needed = Array.isArray(required) ? required.map(String) : []
  const declared = isRecord(properties) ? Object.entries(properties) : []
  const fields = declared.map(([key, schema]) => {
    const type = typeOfSchema(schema)
    return [key, needed.includes(key) ? type : either(type, absent)] as const
  })
  const isOpen = additionalProperties === true || isRecord(additionalProperties) || declared.length === 0
  const others = isOpen
    ? { others: isRecord(additionalProperties) ? typeOfSchema(additionalProperties) : anything }
    : {}
  return { is: 'object', fields: Object.fromEntries(fields), required: needed, ...others }
}

/** The type of a value that is written in the file. A text knows which text it is. */
export function typeOfValue(value: unknown): ValueType {
  if (value === null || value === undefined) return absent
  if (typeof value === 'string') return { is: 'text', oneOf: [value] }
  if (typeof value === 'number') return { is: 'number' }
  if (typeof value === 'boolean') return { is: 'truth' }
  if (Array.isArray(value)) return { is: 'list', of: either(...value.map(typeOfValue)) }
  const fields = Object.entries(value).map(([key, inner]) => [key, typeOfValue(inner)] as const)
  return { is: 'object', fields: Object.fromEntries(fields) }
}

/** One of them. Of no types at all, nothing is known. */
export function either(...types: readonly ValueType[]): ValueType {
  const flat = types.flatMap((type) => (type.is === 'either' ? type.of : [type]))
  const open = flat.find(({ is }) => is === 'anything')
  if (open !== undefined) return open
  const texts = flat.filter((type) => type.is === 'text')
  const limited = texts.every(({ oneOf }) => oneOf !== undefined)
  const text: ValueType = limited ? { is: 'text', oneOf: texts.flatMap(({ oneOf = [] }) => oneOf) } : { is: 'text' }
  const others = new Map(flat.filter(({ is }) => is !== 'text').map((type) => [JSON.stringify(type), type]))
  const all = [...(texts.length > 0 ? [text] : []), ...others.values()]
  return all.length === 1 && all[0] !== undefined ? all[0] : all.length === 0 ? anything : { is: 'either', of: all }
}

/** The types that a value may have: one, or those of an `either`. */
export function membersOf(type: ValueType): readonly ValueType[] {
  return type.is === 'either' ? type.of : [type]
}

export function withoutNothing(type: ValueType): ValueType {
  const rest = membersOf(type).filter(({ is }) => is !== 'nothing')
  return rest.length === 0 ? absent : either(...rest)
}

export function mayBe(type: ValueType, ...wanted: readonly ValueType['is'][]): boolean {
  return membersOf(type).some(({ is }) => is === 'anything' || wanted.includes(is))
}

/** The type of a field, or why there is none. */
export function fieldOfType(type: ValueType, key: string | number): ValueType | string {
  const found = membersOf(type).map((member) => fieldOfMember(member, key))
  const types = found.filter((each) => typeof each !== 'string')
  const problem = found.find((each) => typeof each === 'string')
  // What may be absent has its fields where it is there.
  const present = membersOf(type).some(({ is }) => is !== 'nothing')
  const certain = types.filter((each) => each.is !== 'nothing' || !present)
  return certain.length === 0 && problem !== undefined
    ? problem
    : either(...types, ...(problem === undefined ? [] : [absent]))
}

function fieldOfMember(type: ValueType, key: string | number): ValueType | string {
  if (type.is === 'anything') {
    const { elsewhere = {} } = type
    return Object.hasOwn(elsewhere, key) ? `has no field ${key}. ${elsewhere[key]}` : anything
  }
  if (type.is === 'nothing') return type
  if (key === 'length' && (type.is === 'text' || type.is === 'list')) return { is: 'number' }
  if (type.is === 'list' && typeof key === 'number') return either(type.of, absent)
  if (type.is !== 'object') return `is ${spokenType(type)} and has no field ${key}`
  if (Object.hasOwn(type.fields, key)) return type.fields[key] ?? anything
  if (type.others !== undefined) return either(type.others, absent)
  const fields = Object.keys(type.fields)
  return `has no field ${key}. ${fields.length === 0 ? 'It has none' : `It has: ${fields.join(', ')}`}`
}

/** Whether a value of one type can ever equal or take the place of a value of the other. */
export function overlaps(one: ValueType, other: ValueType): boolean {
  return membersOf(one).some((left) => membersOf(other).some((right) => overlapping(left, right)))
}

function overlapping(left: ValueType, right: ValueType): boolean {
  if (left.is === 'anything' || right.is === 'anything') return true
  if (left.is === 'text' && right.is === 'text')
    return (
      left.oneOf === undefined || right.oneOf === undefined || left.oneOf.some((text) => right.oneOf?.includes(text))
    )
  if (left.is === 'list' && right.is === 'list') return overlaps(left.of, right.of)
  if (left.is === 'object' && right.is === 'object') return !missingField(left, right) && !missingField(right, left)
  return left.is === right.is
}

type ObjectType = Extract<ValueType, { is: 'object' }>

/** Whether `one` needs a field that `other` cannot have, or has with another type. */
function missingField({ fields, required = [] }: ObjectType, other: ObjectType): boolean {
  return required.some((key) => {
    const found = Object.hasOwn(other.fields, key) ? other.fields[key] : other.others
    return found === undefined || !overlaps(found, fields[key] ?? anything)
  })
}

/** As an error says it: `a text`, `a list`, `one of "ship", "wait"`. */
export function spokenType(type: ValueType): string {
  switch (type.is) {
    case 'either':
      return type.of.map(spokenType).join(' or ')
    case 'text':
      return type.oneOf === undefined ? 'a text' : spokenTexts(type.oneOf)
    case 'list':
      return type.of.is === 'anything' ? 'a list' : `a list (of ${spokenType(type.of)})`
    default:
      return names[type.is]
  }
}

const names = {
  anything: 'anything',
  nothing: 'absent',
  number: 'a number',
  truth: 'true or false',
  object: 'an object',
} as const

function spokenTexts(texts: readonly string[]): string {
  const quoted = texts.slice(0, 8).map((text) => JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text))
  return texts.length === 1 ? `the text ${quoted[0]}` : `one of ${quoted.join(', ')}${texts.length > 8 ? ' …' : ''}`
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
