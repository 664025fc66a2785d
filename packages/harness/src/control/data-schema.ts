/** The part of JSON Schema that plan files use for what a step gives and for the inputs of a plan. */
import { z } from 'zod'

const count = z.int().min(0)
const type = z.enum(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'])

export interface DataSchema {
  readonly type?: z.output<typeof type> | readonly z.output<typeof type>[] | undefined
  readonly description?: string | undefined
  readonly default?: unknown
  readonly enum?: readonly (string | number | boolean | null)[] | undefined
  readonly properties?: Readonly<Record<string, DataSchema>> | undefined
  readonly required?: readonly string[] | undefined
  readonly additionalProperties?: boolean | DataSchema | undefined
  readonly items?: DataSchema | undefined
  readonly minItems?: number | undefined
  readonly maxItems?: number | undefined
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly pattern?: string | undefined
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
}

const inner: z.ZodType<DataSchema> = z.lazy(() => dataSchema)

/** An unknown word is refused, because whoever misspells `required` believes that it is enforced. */
export const dataSchema = z
  .strictObject({
    type: z
      .union([type, z.array(type).min(1)])
      .optional()
      .describe('What it is: string, number, integer, boolean, array, object or null; or several of them.'),
    description: z.string().optional().describe('What it means, for people.'),
    default: z.unknown().optional().describe('For inputs of a plan: the value if none is given.'),
    enum: z
      .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .min(1)
      .optional()
      .describe('The values that are allowed.'),
    properties: z.record(z.string(), inner).optional().describe('The fields of an object.'),
    required: z.array(z.string()).optional().describe('The fields that an object must have.'),
    additionalProperties: z
      .union([z.boolean(), inner])
      .optional()
      .describe(
        'Whether an object may have fields that properties does not name, or the schema of those (default: they are allowed, but references cannot read them).',
      ),
    items: inner.optional().describe('What each item of an array is.'),
    minItems: count.optional().describe('The fewest items of an array.'),
    maxItems: count.optional().describe('The most items of an array.'),
    minLength: count.optional().describe('The fewest characters of a string.'),
    maxLength: count.optional().describe('The most characters of a string.'),
    pattern: z
      .string()
      .refine(isPattern, 'is no regular expression')
      .optional()
      .describe('A regular expression that a string matches.'),
    minimum: z.number().optional().describe('The smallest number.'),
    maximum: z.number().optional().describe('The greatest number.'),
  })
  .refine(({ type: named, enum: values }) => named !== undefined || values !== undefined, {
    message: 'it says no type. Write a type, such as { type: string }, or an enum',
  })
  .refine(({ properties = {}, required = [] }) => required.every((name) => Object.hasOwn(properties, name)), {
    path: ['required'],
    message: 'names a field that properties does not have. Add it there',
  })
  .meta({ id: 'dataSchema' })

/** What does not fit the schema, by place; none if the value fits. */
export function dataProblems(schema: DataSchema, value: unknown): readonly string[] {
  const { default: _, ...shape } = schema
  const parsed = z.fromJSONSchema(shape as Parameters<typeof z.fromJSONSchema>[0]).safeParse(value)
  if (parsed.success) return []
  return parsed.error.issues.map(({ path, message }) => `${path.length === 0 ? '' : `${path.join('.')}: `}${message}`)
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== ''
  } catch {
    return false
  }
}
