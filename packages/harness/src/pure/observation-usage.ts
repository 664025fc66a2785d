/** What one observation says was used; the same reading the metrics of a trace make, so that the totals are equal. */
import type { Payload } from '@agentm/nodes'
import { noUsage, type Usage } from './budget-verdict.ts'

export function observationUsage({ kind, data }: Payload): Usage {
  const facts: Readonly<Record<string, unknown>> = typeof data === 'object' && data !== null ? { ...data } : {}
  const calls = whole(facts['toolCalls'])
  return {
    ...noUsage,
    toolCalls: calls > 0 ? calls : kind === 'tool_result' ? 1 : 0,
    tokens: whole(facts['tokens']) + whole(facts['tokenCost']),
    costMicros: whole(facts['costMicros']),
  }
}

/** Numbers that are none count nothing; fractions are cut. */
function whole(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.trunc(value) : 0
}
