/** What a tool is: what a host is told of it, what it takes and gives, and one function that answers. */
import type { Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { McpServerError } from './mcp-server-error.ts'
import type { MemoryPort, OpenMemoryPort } from './memory-port.ts'

export interface Tool {
  readonly listed: ListedTool
  /** Memory is opened once the input is known to be right. */
  run(open: OpenMemoryPort, input: unknown): Promise<ToolAnswer>
}

export interface ToolAnswer {
  /** For the model to read. */
  readonly text: string
  readonly data: Record<string, unknown>
}

export interface ToolDefinition<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string
  readonly description: string
  readonly input: I
  readonly output: O
  readonly hints: Pick<ToolAnnotations, 'title' | 'readOnlyHint' | 'destructiveHint' | 'idempotentHint'>
  answer(port: MemoryPort, input: z.output<I>): Promise<{ readonly text: string; readonly data: z.input<O> }>
}

export function tool<I extends z.ZodObject, O extends z.ZodObject>(defined: ToolDefinition<I, O>): Tool {
  const { name, description, input, output, hints } = defined
  return {
    listed: {
      name,
      description,
      inputSchema: schemaOf(input, 'input'),
      outputSchema: orRefusal(schemaOf(output, 'output')),
      annotations: { ...hints, openWorldHint: false },
    },
    async run(open, given) {
      const parsed = input.safeParse(given)
      if (!parsed.success) throw new McpServerError('INVALID_INPUT', `${name}: ${z.prettifyError(parsed.error)}`)
      const { text, data } = await defined.answer(await open(), parsed.data)
      return { text, data }
    },
  }
}

type ObjectSchema = ListedTool['inputSchema'] & { readonly properties?: Record<string, object> }

/** The schema without its dialect's name, which every host takes for granted. */
function schemaOf(schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io })
  return rest as ObjectSchema
}

/** Hosts hold a refusal against the schema of results, too: it allows either. A result may grow fields later. */
function orRefusal({ required, ...schema }: ObjectSchema): ObjectSchema {
  const open = JSON.parse(JSON.stringify(schema, (name, value: unknown) => (name === closed ? undefined : value)))
  return { ...open, anyOf: [{ required }, { required: ['code', 'message'] }] }
}

const closed = 'additionalProperties'
