/** A span that has already ended when it is reported. It needs no clock, no sampler and no tracer, so it is only written down. */
import type { ReadableSpan, TimedEvent } from './otel-sdk.ts'
import {
  type Attributes,
  type HrTime,
  type Link,
  type SpanContext,
  SpanKind,
  type SpanStatus,
  SpanStatusCode,
  TraceFlags,
} from './otel-api.ts'
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

/**
 * The form that exporters take. A span waits for its batch, and whatever waits costs the garbage collector, so most of it is made when it
 * is asked for.
 */
export class ExportedSpan implements ReadableSpan {
  readonly #span: WholeSpan
  readonly #common: CommonFacts
  readonly parentSpanContext?: SpanContext

  constructor(span: WholeSpan, common: CommonFacts) {
    this.#span = span
    this.#common = common
    if (span.parent !== undefined) this.parentSpanContext = contextAt(span.parent, true)
  }

  spanContext(): SpanContext {
    return contextAt(this.#span.place, false)
  }

  get name(): string {
    return this.#span.name
  }

  get kind(): SpanKind {
    return SpanKind.INTERNAL
  }

  get startTime(): HrTime {
    return hrTime(this.#span.from)
  }

  get endTime(): HrTime {
    return hrTime(this.#until)
  }

  get duration(): HrTime {
    return hrTime(this.#until - this.#span.from)
  }

  get ended(): boolean {
    return true
  }

  get status(): SpanStatus {
    return this.#failed?.status ?? { code: SpanStatusCode.UNSET }
  }

  get attributes(): Attributes {
    const all = { ...this.#span.attributes, ...this.#failed?.attributes }
    return shortened(all, this.#common.longestText)
  }

  get events(): TimedEvent[] {
    const { event } = this.#failed ?? {}
    return event === undefined ? [] : [{ ...event, time: this.endTime, droppedAttributesCount: 0 }]
  }

  get links(): Link[] {
    return (this.#span.links ?? []).map((to) => ({ context: contextAt(to, true) }))
  }

  get resource(): CommonFacts['resource'] {
    return this.#common.resource
  }

  get instrumentationScope(): CommonFacts['instrumentationScope'] {
    return this.#common.instrumentationScope
  }

  get droppedAttributesCount(): number {
    return 0
  }

  get droppedEventsCount(): number {
    return 0
  }

  get droppedLinksCount(): number {
    return 0
  }

  /** Clocks of two machines may disagree. */
  get #until(): number {
    return Math.max(this.#span.from, this.#span.until)
  }

  get #failed(): ReturnType<typeof failedFacts> | undefined {
    const { error } = this.#span
    return error && failedFacts(error)
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
