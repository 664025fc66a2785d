/**
 * What may look at everything that a workspace does, such as telemetry. Each function returns the same thing, observed. Without an
 * observer, nothing is wrapped, so it costs nothing.
 */
import type { Model, Tool } from '@agentm/agent-loop'
import type { StepKind } from '@agentm/harness'
import type { Memory } from '@agentm/memory'
import type { NodeStore } from '@agentm/nodes'
import type { ConfiguredModel } from './configured-model.ts'

/** What may look at everything that a workspace does. Each function returns the same thing, observed. */
export interface WorkspaceObserver {
  store(store: NodeStore, options: { readonly owners: readonly string[] }): NodeStore
  kind(kind: StepKind): StepKind
  model(model: Model, facts: Pick<ConfiguredModel, 'name' | 'url' | 'package'>): Model
  tools(tools: readonly Tool[]): readonly Tool[]
  memory(memory: Memory): Memory
}
