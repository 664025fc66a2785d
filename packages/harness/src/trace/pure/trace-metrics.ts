/** What a plan cost, counted from its log alone. */
import { addUsage, noUsage } from '../../pure/budget-verdict.ts'
import { observationUsage } from '../../pure/observation-usage.ts'
import type { Trace } from './assemble-trace.ts'

export interface TraceMetrics {
  readonly success: boolean
  readonly stepCount: number
  readonly stepsDone: number
  readonly stepsFailed: number
  readonly toolCalls: number
  readonly tokens: number
  readonly costMicros: number
  /** From the first event to the last. */
  readonly wallClockMs: number
  readonly observations: number
  readonly errors: number
}

/**
 * What a plan cost, counted from its trace.
 *
 * @example
 * ```ts
 * import { assembleTrace, traceMetrics } from '@agentm/harness'
 *
 * console.log(traceMetrics(assembleTrace('v1:harness:plan:none', [])).toolCalls) // 0
 * ```
 */
export function traceMetrics({ finalStatus, steps, events }: Trace): TraceMetrics {
  const observations = events.filter(({ kind }) => kind === 'observation')
  const { toolCalls, tokens, costMicros } = observations
    .map(({ observationKind, data }) => observationUsage({ kind: observationKind, data }))
    .reduce(addUsage, noUsage)
  return {
    success: finalStatus === 'done',
    stepCount: steps.length,
    stepsDone: steps.filter((step) => step.finalStatus === 'done').length,
    stepsFailed: steps.filter((step) => step.finalStatus === 'failed').length,
    toolCalls,
    tokens,
    costMicros,
    wallClockMs: Math.max(0, (events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0)),
    observations: observations.length,
    errors: observations.filter(({ observationKind }) => observationKind === 'error').length,
  }
}
