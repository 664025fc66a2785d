/** The plans behind a port. A port without plans serves memory alone. */
import { McpServerError } from './mcp-server-error.ts'
import type { MemoryPort } from './memory-port.ts'
import type { PlansPort } from './plans-port.ts'

export function plansOf({ plans }: MemoryPort): PlansPort {
  if (plans !== undefined) return plans
  throw new McpServerError('INVALID_INPUT', 'this server has no plans.')
}
