/** Where spans and measurements of one telemetry go, and the attempts that run in this process. */
import { redactSecrets } from '@agentm/nodes'
import type { Instruments } from './instruments.ts'
import { type Context, type Span, SpanStatusCode, type Tracer } from './otel-api.ts'
import type { PlanPlaces } from './plan-places.ts'
import type { PlannedIds } from './planned-ids.ts'
import type { Fault } from './pure/attempt-end.ts'

export interface Signals {
  readonly tracer: Tracer
  readonly ids: PlannedIds
  readonly places: PlanPlaces
  readonly instruments: Instruments
  /** The providers of the models that are observed. */
  readonly providers: Set<string>
  /** Whether texts are exported. */
  readonly content: boolean
  /** The attempts that this process runs, by the id of their step. */
  readonly live: Map<string, LiveAttempt>
}

export interface LiveAttempt {
  /** Absent if the plan is not traced. */
  readonly traced: { readonly span: Span; readonly context: Context } | undefined
  readonly kind: string
  /** The version that the claim wrote. */
  readonly claimed: number
  /** The newest version of the step that this process knows. */
  version: number
  /** When the claim was made, by the clock of the store. */
  readonly at: number
  /** Whether the step had never been claimed before. */
  readonly isFirst: boolean
  /** How many versions this attempt of a function wrote of each step in it. */
  readonly entries: Map<string, number>
}

/** The convention for errors: a status, an `error.type`, and an event of the exception. Secrets are masked. */
export function markFailed(span: Span, { type, message }: Fault, at?: Date): void {
  const text = message === undefined ? undefined : redactSecrets(message).slice(0, longestMessage)
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR, ...(text !== undefined && { message: text }) })
  span.addEvent('exception', { 'exception.type': type, ...(text !== undefined && { 'exception.message': text }) }, at)
}

const longestMessage = 1000
