/** The ids of traces and spans, derived from the ids of the log. Every process that works on a plan finds the same ones. */
import { createHash } from 'node:crypto'

/** Where a span belongs: its trace, and its id in it. */
export interface SpanPlace {
  readonly traceId: string
  readonly spanId: string
}

/** Whose plan it is. Two owners may use the same plan id. */
export interface PlanOf {
  readonly owner: string
  readonly planId: string
}

export function planPlace({ owner, planId }: PlanOf): SpanPlace {
  return { traceId: hashed([owner, planId], 32), spanId: hashed(['plan', owner, planId], 16) }
}

export function stepPlace(plan: PlanOf, stepId: string): SpanPlace {
  return { traceId: planPlace(plan).traceId, spanId: hashed(['step', plan.owner, stepId], 16) }
}

/** One attempt of a step. The version of its claim tells it from every other one, also where the attempt number does not rise. */
export function attemptPlace(plan: PlanOf, stepId: string, claimed: number): SpanPlace {
  return { traceId: planPlace(plan).traceId, spanId: hashed(['attempt', plan.owner, stepId, `${claimed}`], 16) }
}

/** A step that failed, was retried by hand, and ended again. */
export function againPlace(place: SpanPlace, version: number): SpanPlace {
  return { traceId: place.traceId, spanId: hashed(['again', place.spanId, `${version}`], 16) }
}

/** Never all zeros in practice, which would be an invalid id. */
function hashed(parts: readonly string[], digits: number): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, digits)
}
