/** Where spans and measurements of one telemetry go, and the attempts that run in this process. */
import type { Instruments } from './instruments.ts'
import type { Context, Span, Tracer } from './otel-api.ts'
import type { PlanPlaces } from './plan-places.ts'
import type { PlannedIds } from './planned-ids.ts'
import type { Fault } from './pure/attempt-end.ts'
import { failedFacts } from './failed-facts.ts'
import type { WholeSpan } from './whole-span.ts'

export interface Signals {
  readonly tracer: Tracer
  readonly ids: PlannedIds
  /** Exports finished spans without the tracer. `undefined` if the program has an SDK of its own. */
  readonly exportWhole: ((span: WholeSpan) => void) | undefined
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
  /** How many versions this attempt of a function wrote of each step in it; absent for other kinds. */
  readonly entries: Map<string, number> | undefined
}

export function markFailed(span: Span, fault: Fault, at?: Date): void {
  const { attributes, status, event } = failedFacts(fault)
  span.setAttributes(attributes)
  span.setStatus(status)
  span.addEvent(event.name, event.attributes, at)
}
