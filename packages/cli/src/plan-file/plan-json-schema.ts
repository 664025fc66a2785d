/** The JSON Schema of a plan file, for editors: made from the schema that `plan new` checks with, and from the inputs of the built-in kinds. */
import { z } from 'zod'
import { knownInputs } from './known-inputs.ts'
import { planFileSchema } from './plan-file-schema.ts'

type Json = Readonly<Record<string, unknown>>

/** Where editors find it. */
export const planSchemaUrl = 'https://unpkg.com/@agentm/cli/schemas/plan.schema.json'

/** Draft 7, because that is the version that YAML editors understand best. */
const target = { target: 'draft-07', io: 'input' } as const

export function planJsonSchema(): Json {
  const schema = z.toJSONSchema(planFileSchema, {
    ...target,
    override: ({ jsonSchema }) => {
      if (jsonSchema.properties?.['dependsOn'] !== undefined) jsonSchema.allOf = inputsByKind() as never
    },
  })
  return { $id: planSchemaUrl, title: 'agentm plan', ...schema }
}

/** What the input of a step may hold depends on its kind. References stand where other values would. */
function inputsByKind(): readonly Json[] {
  return Object.entries(knownInputs).map(([kind, input]) => {
    const { $schema: _, ...schema } = z.toJSONSchema(input, target)
    const isKind = { properties: { kind: { const: kind } }, required: ['kind'] }
    const fields = { input: withReferences(schema) }
    const hasInput = { properties: fields, ...(schema.required?.length && { required: ['input'] }) }
    // oxlint-disable-next-line unicorn/no-thenable -- the word of JSON Schema; nobody awaits a schema
    return { if: isKind, then: hasInput }
  })
}

const reference: Json = {
  type: 'string',
  pattern: '\\$\\{\\{',
  description: 'A value of an earlier step or of the item.',
}

/** Every field may also be a reference. */
function withReferences(schema: z.core.JSONSchema.BaseSchema): Json {
  const fields = Object.entries(schema.properties ?? {}).map(([key, field]) => [key, orReference(field)] as const)
  return { ...schema, properties: Object.fromEntries(fields) }
}

function orReference(field: z.core.JSONSchema._JSONSchema): Json {
  if (typeof field === 'boolean') return {}
  const { description, default: usual, ...shape } = field
  const described = {
    ...(description !== undefined && { description }),
    ...(usual !== undefined && { default: usual }),
  }
  if (Object.keys(shape).length === 0 || (shape.type === 'string' && Object.keys(shape).length <= 2 && !shape.format))
    return { ...described, ...shape }
  return { ...described, anyOf: [shape, reference] }
}
