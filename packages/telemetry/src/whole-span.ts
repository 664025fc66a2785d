/** A span of which everything is known when it is reported. It needs no clock, no sampler and no tracer, so it is only written down. */
import type { ReadableSpan } from './otel-sdk.ts'
import { type Attributes, type HrTime, type SpanContext, SpanKind, SpanStatusCode, TraceFlags } from './otel-api.ts'
import type { Fault } from './pure/attempt-end.ts'
import { failedFacts } from './failed-facts.ts'
import type { SpanPlace } from './pure/span-ids.ts'

export interface WholeSpan {
  readonly name: string
  /** In epoch milliseconds, like `until`. */
  readonly from: number
  readonly until: number
  readonly attributes: Attributes
  readonly place: SpanPlace
  /** Without one, it begins its trace. */
  readonly parent?: SpanPlace
  readonly links?: readonly SpanPlace[]
  readonly error?: Fault | undefined
}

/** What all spans of a process have in common. */
export type CommonFacts = Pick<ReadableSpan, 'resource' | 'instrumentationScope'> & {
  /** The most characters of a text. */
  readonly longestText?: number | undefined
}

/** In the form that exporters take. */
export function readableSpan(
  { name, from, until, attributes, place, parent, links = [], error }: WholeSpan,
  { resource, instrumentationScope, longestText }: CommonFacts,
): ReadableSpan {
  const failed = error && failedFacts(error)
  const context = contextAt(place, false)
  const [startTime, endTime] = [hrTime(from), hrTime(Math.max(from, until))]
  return {
    name,
    kind: SpanKind.INTERNAL,
    spanContext: () => context,
    ...(parent !== undefined && { parentSpanContext: contextAt(parent, true) }),
    startTime,
    endTime,
    duration: hrTime(Math.max(0, until - from)),
    ended: true,
    status: failed?.status ?? { code: SpanStatusCode.UNSET },
    attributes: shortened({ ...attributes, ...failed?.attributes }, longestText),
    events: failed === undefined ? [] : [{ ...failed.event, time: endTime, droppedAttributesCount: 0 }],
    links: links.map((to) => ({ context: contextAt(to, true) })),
    resource,
    instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

export function contextAt({ traceId, spanId }: SpanPlace, isRemote: boolean): SpanContext {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, ...(isRemote && { isRemote }) }
}

function hrTime(ms: number): HrTime {
  return [Math.trunc(ms / 1000), Math.round((ms % 1000) * 1e6)]
}

function shortened(attributes: Attributes, longest: number | undefined): Attributes {
  if (longest === undefined) return attributes
  const entries = Object.entries(attributes)
  return Object.fromEntries(
    entries.map(([key, value]) => [key, typeof value === 'string' ? value.slice(0, longest) : value]),
  )
}
