/** A tool: its description for hosts, its input schema, and the function that answers. */
import type { Tool as ListedTool, ToolAnnotations } from './mcp-sdk.ts'
import { z } from 'zod'
import { McpServerError } from './mcp-server-error.ts'
import type { MemoryPort, OpenMemoryPort } from './memory-port.ts'

export interface Tool {
  readonly listed: ListedTool
  /** Opens memory after the input was checked. */
  run(open: OpenMemoryPort, input: unknown, by: string): Promise<string>
}

/**
 * It answers with text alone. Some hosts hand a model the structured result instead of the text, others both: what is framed as
 * data would be lost to the first and paid for twice by the second.
 */
export interface ToolDefinition<I extends z.ZodObject> {
  readonly name: string
  readonly description: string
  readonly input: I
  readonly hints: Pick<ToolAnnotations, 'title' | 'readOnlyHint' | 'destructiveHint' | 'idempotentHint'>
  /** `by` is who calls, for the log: `agent:` and the name of the host. */
  answer(port: MemoryPort, input: z.output<I>, by: string): Promise<string>
}

export function tool<I extends z.ZodObject>(defined: ToolDefinition<I>): Tool {
  const { name, description, input, hints } = defined
  return {
    listed: {
      name,
      description,
      inputSchema: schemaOf(input),
      annotations: { ...hints, openWorldHint: false },
    },
    async run(open, given, by) {
      const parsed = input.safeParse(given)
      if (!parsed.success) throw new McpServerError('INVALID_INPUT', `${name}: ${z.prettifyError(parsed.error)}`)
      return defined.answer(await open(), parsed.data, by)
    },
  }
}

/** The schema without its dialect's name, which every host takes for granted. */
function schemaOf(schema: z.ZodObject): ListedTool['inputSchema'] {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return rest as ListedTool['inputSchema']
}
