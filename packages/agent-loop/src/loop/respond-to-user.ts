/** The tool that every model has to say that it has finished, with its answer. */
import type { ToolCall, ToolSpec } from './model.ts'

export const respondToUser: ToolSpec = {
  name: 'respondToUser',
  description: 'Give the final answer and end. Call it once, when everything is done.',
  input: {
    type: 'object',
    properties: { text: { type: 'string', description: 'The answer.' } },
    required: ['text'],
    additionalProperties: false,
  },
}

export function isResponse({ tool }: ToolCall): boolean {
  return tool.trim() === respondToUser.name
}

/** The answer in the call; `undefined` if there is none. */
export function responseText({ args }: ToolCall): string | undefined {
  try {
    const { text } = { ...(JSON.parse(args) as { readonly text?: unknown }) }
    return typeof text === 'string' && text.trim() !== '' ? text : undefined
  } catch {
    return undefined
  }
}
