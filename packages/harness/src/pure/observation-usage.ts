/** The usage that one observation reports. Trace metrics read it the same way, so the totals are equal. */
import type { Payload } from '@agentm/nodes'
import { noUsage, type Usage } from './budget-verdict.ts'

export function observationUsage({ kind, data }: Payload): Usage {
  const facts: Readonly<Record<string, unknown>> = typeof data === 'object' && data !== null ? { ...data } : {}
  // A result without a count is one call. A count of 0 means that the answer was found in the log.
  const calls = typeof facts['toolCalls'] === 'number' ? whole(facts['toolCalls']) : kind === 'tool_result' ? 1 : 0
  return {
    ...noUsage,
    toolCalls: calls,
    tokens: whole(facts['tokens']) + whole(facts['tokenCost']),
    costMicros: whole(facts['costMicros']),
  }
}

/** Values that are no valid number count as 0; fractions are rounded down. */
function whole(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.trunc(value) : 0
}
