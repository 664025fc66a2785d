/** Spans at places of a trace that every process finds alike. */
import { type Attributes, type Context, ROOT_CONTEXT, type Span, trace } from './otel-api.ts'
import type { SpanPlace } from './pure/span-ids.ts'
import { contextAt, type WholeSpan } from './whole-span.ts'
import { markFailed, type Signals } from './signals.ts'

export interface NewSpan {
  readonly name: string
  /** In epoch milliseconds. */
  readonly from: number
  readonly attributes: Attributes
  readonly place: SpanPlace
  readonly parent?: SpanPlace
  readonly links?: readonly SpanPlace[]
}

/** A span without a parent begins its trace. If the provider makes ids of its own, it is put into the trace as a child. */
export function startSpan(
  { ids, tracer }: Pick<Signals, 'ids' | 'tracer'>,
  { name, from, attributes, place, parent, links = [] }: NewSpan,
): Span {
  const above = parent ?? (ids.isInUse ? undefined : place)
  const linked = links.length === 0 ? {} : { links: links.map((to) => ({ context: contextAt(to, true) })) }
  const options = { startTime: new Date(from), attributes, ...linked }
  return ids.at(place, () => tracer.startSpan(name, options, above === undefined ? ROOT_CONTEXT : contextOf(above)))
}

export function reportSpan(signals: Pick<Signals, 'ids' | 'tracer' | 'exportWhole'>, span: WholeSpan): void {
  if (signals.exportWhole !== undefined) return signals.exportWhole(span)
  const { until, error } = span
  const started = startSpan(signals, span)
  const at = new Date(until)
  if (error !== undefined) markFailed(started, error, at)
  started.end(at)
}

export function contextOf(place: SpanPlace): Context {
  return trace.setSpanContext(ROOT_CONTEXT, contextAt(place, true))
}
