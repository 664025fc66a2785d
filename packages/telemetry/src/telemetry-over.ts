/** A telemetry over providers of OpenTelemetry, wherever they come from. */
import { instrumentsOf } from './instruments.ts'
import { LogWatch } from './log-watch.ts'
import { observedKind } from './observed-kind.ts'
import { observedMemory } from './observed-memory.ts'
import { observedModel } from './observed-model.ts'
import { observedStore } from './observed-store.ts'
import { observedTools } from './observed-tools.ts'
import type { MeterProvider, TracerProvider } from './otel-api.ts'
import { PlanPlaces } from './plan-places.ts'
import { planIds } from './planned-ids.ts'
import type { WholeSpan } from './whole-span.ts'
import { queueGauges } from './queue-gauges.ts'
import type { Signals } from './signals.ts'
import type { Telemetry } from './telemetry.ts'

export interface Providers {
  readonly traces: TracerProvider
  /** Whether the trace with this id is exported. */
  readonly isTraced: (traceId: string) => boolean
  readonly meters: MeterProvider
  /** Exports finished spans without the tracer. */
  readonly exportWhole?: ((span: WholeSpan) => void) | undefined
  /** Whether texts are exported. */
  readonly content: boolean
}

/** Who reports. The last version of the semantic conventions that has those of GenAI in it is 1.41.0. */
export const ownScope = { name: '@agentm/telemetry', schemaUrl: 'https://opentelemetry.io/schemas/1.41.0' } as const

export function telemetryOver({ traces, isTraced, meters, exportWhole, content }: Providers): Telemetry {
  const { name, schemaUrl } = ownScope
  const meter = meters.getMeter(name, undefined, { schemaUrl })
  const signals: Signals = {
    tracer: traces.getTracer(name, undefined, { schemaUrl }),
    ids: planIds,
    exportWhole,
    places: new PlanPlaces(isTraced),
    instruments: instrumentsOf(meter),
    content,
    live: new Map(),
    providers: new Set(),
  }
  const watches: LogWatch[] = []
  return {
    store(store, { owners }) {
      const watch = new LogWatch(signals, store.log)
      watches.push(watch)
      const stop = queueGauges(meter, { store, owners })
      const observed = observedStore(store, watch)
      return {
        ...observed,
        async close() {
          stop()
          await observed.close()
        },
      }
    },
    kind: (kind) => observedKind(kind, signals),
    model: (model, facts) => observedModel(model, facts, signals),
    tools: (tools) => observedTools(tools, signals),
    memory: (memory) => observedMemory(memory, signals),
    async settled() {
      await Promise.all(watches.map((watch) => watch.settled()))
    },
  }
}
