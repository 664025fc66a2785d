/** The options and services of a run. */
import type { NodeStore, StoreRuntime } from '@agentm/nodes'
import type { MemoryEmbedder } from '@agentm/memory'
import { systemRuntime } from '../system-runtime.ts'
import { type ConsolidationSettings, defaultSettings, type Nearness, nearnessOf } from './consolidation-settings.ts'
import type { Distiller } from '../distillers/distiller.ts'
import { extractiveDistiller } from '../distillers/extractive-distiller.ts'

/** The options of consolidation. */
export interface ConsolidationOptions {
  /** The log of episodes and beliefs. */
  readonly store: Pick<NodeStore, 'log' | 'work' | 'recall'>
  readonly embedder?: MemoryEmbedder
  /** The distiller (default: `extractiveDistiller`, which needs no model). */
  readonly distiller?: Distiller
  readonly settings?: Partial<ConsolidationSettings>
  readonly runtime?: Partial<StoreRuntime>
  /** Facts about the process, shown in the list of sessions during a run. */
  readonly facts?: Readonly<Record<string, string>>
  readonly ownerContext?: Readonly<Record<string, unknown>>
  readonly signal?: AbortSignal
}

export interface ConsolidationContext {
  readonly store: Pick<NodeStore, 'log' | 'work' | 'recall'>
  readonly embedder: MemoryEmbedder | undefined
  readonly distiller: Distiller
  readonly settings: ConsolidationSettings
  readonly nearness: Nearness
  readonly runtime: StoreRuntime
  readonly facts: Readonly<Record<string, string>>
  readonly ownerContext: Readonly<Record<string, unknown>> | undefined
  readonly signal: AbortSignal | undefined
}

export function consolidationContext(options: ConsolidationOptions): ConsolidationContext {
  const { store, embedder, distiller = extractiveDistiller(), runtime, facts = {}, ownerContext, signal } = options
  const given = Object.fromEntries(Object.entries(options.settings ?? {}).filter(([, value]) => value !== undefined))
  const settings: ConsolidationSettings = { ...defaultSettings, ...given }
  return {
    store,
    embedder,
    distiller,
    settings,
    nearness: nearnessOf(settings, embedder?.name),
    runtime: { ...systemRuntime, ...runtime },
    facts,
    ownerContext,
    signal,
  }
}
