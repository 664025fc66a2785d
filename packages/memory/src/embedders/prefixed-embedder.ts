import type { MemoryEmbedder } from './memory-embedder.ts'
import { prefixedName, type Prefixes } from './pure/prefixes.ts'

/** The same embedder, with the words in front of each text that its model was trained with. They are part of its name. */
export function prefixedEmbedder(embedder: MemoryEmbedder, prefixes: Prefixes): MemoryEmbedder {
  const name = prefixedName(embedder.name, prefixes)
  if (name === embedder.name) return embedder
  return {
    ...embedder,
    name,
    embed: async (texts, use = 'document', signal) =>
      embedder.embed(
        texts.map((text) => `${prefixes[use]}${text}`),
        use,
        signal,
      ),
  }
}
