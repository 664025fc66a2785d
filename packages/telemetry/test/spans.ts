/** A tracer provider that keeps what it is given, for tests. */
import { trace } from '@opentelemetry/api'
import { type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { planIds, registeredTelemetry, type Telemetry } from '@agentm/telemetry'

export interface Kept {
  readonly telemetry: Telemetry
  readonly spans: ReadableSpan[]
  named(name: string): readonly ReadableSpan[]
  close(): void
}

export function keepSpans({ content = false, ownIds = true } = {}): Kept {
  const spans: ReadableSpan[] = []
  const exporter = {
    export: (given: ReadableSpan[], done: (result: { code: number }) => void) => {
      spans.push(...given)
      done({ code: 0 })
    },
    shutdown: async () => {},
    forceFlush: async () => {},
  }
  const provider = new TracerProvider({
    ...(ownIds && { idGenerator: planIds }),
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  })
  trace.setGlobalTracerProvider(provider)
  return {
    telemetry: registeredTelemetry({ content }),
    spans,
    named: (name) => spans.filter((span) => span.name === name),
    close: () => trace.disable(),
  }
}
