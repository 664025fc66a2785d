import type { MemoryOptions } from '@agentm/memory'
import type { SelectionWorld } from '@agentm/selection/reader'
import { type ConfigValues, settings } from '@agentm/settings'

/** The configured reranker, or `undefined` if none is configured. Nothing is loaded for that answer. */
export async function rerankingOf(values: ConfigValues, world: SelectionWorld): Promise<MemoryOptions['reranking']> {
  if (!isReranking(values)) return undefined
  return (await import('./configured-reranker.ts')).configuredReranker(values, world)
}

export function isReranking(values: ConfigValues): boolean {
  return (values['reranker.provider'] ?? settings['reranker.provider'].default) !== 'none'
}
