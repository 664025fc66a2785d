/** Telemetry over the ports that agentm already has: a store, kinds of steps, models, tools, memory. Each comes back observed. */
import type { Model, Tool } from '@agentm/agent-loop'
import type { StepKind } from '@agentm/harness'
import type { Memory } from '@agentm/memory'
import type { NodeStore } from '@agentm/nodes'
import type { ModelFacts } from './pure/provider-of.ts'

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
