/** A refusal as a host gets it: a result of the tool, so that the model reads what to do, and never the end of the server. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'

export interface Refusal {
  readonly code: string
  readonly message: string
}

export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Error)) return { code: 'INTERNAL', message: String(error) }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'INTERNAL'
  return { code, message: error.message }
}

export function refused(error: unknown): CallToolResult {
  const refusal = refusalOf(error)
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify(refusal) }],
  }
}
