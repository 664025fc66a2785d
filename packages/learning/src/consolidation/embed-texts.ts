import type { ItemVector } from '@agentm/nodes'
import type { ConsolidationContext } from './consolidation-context.ts'

/** `undefined` for texts that the embedder makes no vector of. */
export async function embedTexts(
  { embedder }: Pick<ConsolidationContext, 'embedder'>,
  texts: readonly string[],
): Promise<readonly (ItemVector | undefined)[]> {
  if (embedder === undefined || texts.length === 0) return texts.map(() => undefined)
  const vectors = await embedder.embed(texts)
  return texts.map((_, i) => {
    const values = vectors[i]
    const isThere = values !== undefined && Array.from(values).some((value) => value !== 0)
    return isThere ? { embedder: embedder.name, values } : undefined
  })
}
