/** What one observation says was used; the same reading the metrics of a trace make, so that the totals are equal. */
import type { Payload } from '@agentm/nodes'
import { noUsage, type Usage } from './budget-verdict.ts'

export function observationUsage({ kind, data }: Payload): Usage {
  const facts: Readonly<Record<string, unknown>> = typeof data === 'object' && data !== null ? { ...data } : {}
  // A result that does not say is one call; one that says 0 (an answer found in the log) is none.
  const calls = typeof facts['toolCalls'] === 'number' ? whole(facts['toolCalls']) : kind === 'tool_result' ? 1 : 0
  return {
    ...noUsage,
    toolCalls: calls,
    tokens: whole(facts['tokens']) + whole(facts['tokenCost']),
    costMicros: whole(facts['costMicros']),
  }
}

/** Numbers that are none count nothing; fractions are cut. */
function whole(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.trunc(value) : 0
}
