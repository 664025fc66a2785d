/** What a plan cost, counted from what the log says of it and from nothing else. */
import type { Trace, TraceEvent } from './assemble-trace.ts'

export interface TraceMetrics {
  readonly success: boolean
  readonly stepCount: number
  readonly stepsDone: number
  readonly stepsFailed: number
  readonly toolCalls: number
  readonly tokens: number
  /** From the first event to the last. */
  readonly wallClockMs: number
  readonly observations: number
  readonly errors: number
}

export function traceMetrics({ finalStatus, steps, events }: Trace): TraceMetrics {
  const observations = events.filter(({ kind }) => kind === 'observation')
  return {
    success: finalStatus === 'done',
    stepCount: steps.length,
    stepsDone: steps.filter((step) => step.finalStatus === 'done').length,
    stepsFailed: steps.filter((step) => step.finalStatus === 'failed').length,
    toolCalls: total(observations.map(toolCallsIn)),
    tokens: total(observations.map(tokensIn)),
    wallClockMs: Math.max(0, (events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0)),
    observations: observations.length,
    errors: observations.filter(({ observationKind }) => observationKind === 'error').length,
  }
}

/** What an observation says it cost. A tool's result that does not say is one call; one that says 0 is none. */
export function toolCallsIn({ observationKind, data }: Pick<TraceEvent, 'observationKind' | 'data'>): number {
  const said = data['toolCalls']
  if (typeof said === 'number' && Number.isFinite(said) && said >= 0) return Math.trunc(said)
  return observationKind === 'tool_result' ? 1 : 0
}

export function tokensIn({ data }: Pick<TraceEvent, 'data'>): number {
  return counted(data['tokens']) + counted(data['tokenCost'])
}

function counted(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.trunc(value)) : 0
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
