/** Telemetry over the ports that agentm already has: a store, kinds of steps, models, tools, memory. Each comes back observed. */
import type { Model, Tool } from '@agentm/agent-loop'
import type { StepKind } from '@agentm/harness'
import type { Memory } from '@agentm/memory'
import type { NodeStore } from '@agentm/nodes'
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
import type { ModelFacts } from './pure/provider-of.ts'
import { queueGauges } from './queue-gauges.ts'
import type { Signals } from './signals.ts'

/** What is observed here is reported as spans and metrics. Each function returns the same thing, observed. */
export interface Telemetry {
  /** Reports plans, steps and attempts that go through this store, and the state of the queue of these owners. */
  store(store: NodeStore, options: { readonly owners: readonly string[] }): NodeStore
  /** What a run of this kind reports belongs to the span of its attempt. */
  kind(kind: StepKind): StepKind
  model(model: Model, facts: ModelFacts): Model
  tools(tools: readonly Tool[]): readonly Tool[]
  /** Measures the time of recalls. */
  memory(memory: Memory): Memory
  /** Resolves once everything that was observed has been reported. Call it before the store is closed. */
  settled(): Promise<void>
}

export interface Providers {
  readonly traces: TracerProvider
  /** Whether the trace with this id is exported. */
  readonly isTraced: (traceId: string) => boolean
  readonly meters: MeterProvider
  /** Whether texts are exported. */
  readonly content: boolean
}

const scope = '@agentm/telemetry'
/** The last version of the semantic conventions that has those of GenAI in it. */
const schemaUrl = 'https://opentelemetry.io/schemas/1.41.0'

export function telemetryOver({ traces, isTraced, meters, content }: Providers): Telemetry {
  const meter = meters.getMeter(scope, undefined, { schemaUrl })
  const signals: Signals = {
    tracer: traces.getTracer(scope, undefined, { schemaUrl }),
    ids: planIds,
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
