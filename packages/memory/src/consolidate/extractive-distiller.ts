/** Learns without a model: what several episodes say in so many words. */
import type { Distiller } from './distiller.ts'
import { extractStatement } from './pure/extract-statement.ts'

export function extractiveDistiller({ leastEpisodes = 2 }: { readonly leastEpisodes?: number } = {}): Distiller {
  return {
    name: 'extractive',
    leastEpisodes,
    distill: async (request) => Promise.resolve(extractStatement(request, leastEpisodes)),
  }
}
