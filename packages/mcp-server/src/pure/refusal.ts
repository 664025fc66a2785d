/** A refusal as a host gets it: a result of the tool, so that the model reads what to do, and never the end of the server. */
import { oneLine } from '@agentm/memory/shown'
import type { CallToolResult } from '../mcp-sdk.ts'

export interface Refusal {
  readonly code: string
  readonly message: string
}

export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Error)) return { code: 'INTERNAL', message: harmless(String(error)) }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'INTERNAL'
  return { code, message: harmless(error.message) }
}

/** Messages name files, and a name of a file may hold anything. The lines a message has of its own stay. */
function harmless(message: string): string {
  return message
    .split('\n')
    .map((line) => oneLine(line))
    .join('\n')
}

export function refused(error: unknown): CallToolResult {
  const refusal = refusalOf(error)
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify(refusal) }],
  }
}
