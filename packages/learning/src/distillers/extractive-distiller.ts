/** Learns without a model: it keeps sentences that plans with different goals share word for word. */
import type { Distiller } from './distiller.ts'
import { extractStatement } from './pure/extract-statement.ts'

/**
 * A distiller without a model: it keeps what several plans say in the same words.
 *
 * @example
 * ```ts
 * import { extractiveDistiller } from '@agentm/learning'
 *
 * const distiller = extractiveDistiller({ leastEpisodes: 3 })
 * ```
 */
export function extractiveDistiller({ leastEpisodes = 2 }: { readonly leastEpisodes?: number } = {}): Distiller {
  return {
    name: 'extractive',
    leastEpisodes,
    gathers: 'sentences',
    distill: async (request) => Promise.resolve(extractStatement(request, leastEpisodes)),
  }
}
