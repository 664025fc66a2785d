/** Starts a span at a place of a trace that every process finds alike. */
import { type Attributes, type Context, ROOT_CONTEXT, type Span, trace, TraceFlags } from './otel-api.ts'
import type { PlanPlace } from './plan-places.ts'
import type { SpanPlace } from './pure/span-ids.ts'
import type { Signals } from './signals.ts'

export interface NewSpan {
  readonly name: string
  /** In epoch milliseconds. */
  readonly from: number
  readonly attributes: Attributes
  readonly place: SpanPlace
  readonly parent?: SpanPlace | PlanPlace
  readonly links?: readonly SpanPlace[]
}

/** A span without a parent begins its trace. If the provider makes ids of its own, it is put into the trace as a child. */
export function startSpan(
  { ids, tracer }: Signals,
  { name, from, attributes, place, parent, links = [] }: NewSpan,
): Span {
  const above = parent ?? (ids.isInUse ? undefined : place)
  const linked = links.length === 0 ? {} : { links: links.map((to) => ({ context: remote(to) })) }
  const options = { startTime: new Date(from), attributes, ...linked }
  return ids.at(place, () => tracer.startSpan(name, options, above === undefined ? ROOT_CONTEXT : contextOf(above)))
}

export function contextOf(place: SpanPlace): Context {
  return trace.setSpanContext(ROOT_CONTEXT, remote(place))
}

function remote({ traceId, spanId }: SpanPlace) {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
}
