/**
 * Makes the vectors of an embedder that is not in use yet, and leaves them in its cache. The vectors in use serve until all new ones are
 * there. Whatever was made is kept: stopping loses nothing, and the next call goes on.
 */
import type { PendingItem } from '@agentm/nodes'
import type { MemoryContext } from '../memory-context.ts'
import { isMemoryError } from '../memory-errors.ts'
import { type EmbedOptions, storesOf } from './embed-pending.ts'
import type { MemoryEmbedder } from './memory-embedder.ts'

export interface AheadReport {
  /** How many texts have a vector now. */
  readonly ready: number
  readonly total: number
  /** Texts that the embedder refused because of their content. They will be found by words. */
  readonly refused: number
  /** Why it ended early. */
  readonly failure?: string
}

const batch = 32

/** `embedder` must have a cache that outlives the process. */
export async function embedAhead(
  context: MemoryContext,
  embedder: MemoryEmbedder,
  { signal, onProgress }: Pick<EmbedOptions, 'signal' | 'onProgress'> = {},
): Promise<AheadReport> {
  const items = await textsWithout(context, embedder)
  let [ready, refused] = [0, 0]
  try {
    for (let i = 0; i < items.length; i += batch) {
      if (isAborted(signal)) break
      const some = items.slice(i, i + batch)
      const bad = await refusedAmong(embedder, some, signal)
      refused += bad
      ready += some.length - bad
      onProgress?.(ready + refused, items.length)
    }
    return { ready, total: items.length, refused }
  } catch (error) {
    if (isAborted(signal)) return { ready, total: items.length, refused }
    return { ready, total: items.length, refused, failure: error instanceof Error ? error.message : String(error) }
  }
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true
}

async function textsWithout(context: MemoryContext, { name, dimensions }: MemoryEmbedder): Promise<readonly string[]> {
  const { owner } = context
  const pages = await Promise.all(
    storesOf(context, { dimensions }).map(async (store) =>
      store.pending({ embedder: name, owner, limit: Number.MAX_SAFE_INTEGER }),
    ),
  )
  const texts = pages.flatMap(({ items }) => items.map(({ text }: PendingItem) => text))
  return [...new Set(texts.filter((text) => text.trim() !== ''))]
}

/** Makes the vectors of these texts. If the batch is refused, each text is tried alone, because one of them may be at fault. */
async function refusedAmong(
  embedder: MemoryEmbedder,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<number> {
  try {
    await embedder.embed(texts, 'document', signal)
    return 0
  } catch (error) {
    if (!isMemoryError(error, 'EMBEDDER_FAILED') || !('fault' in error) || error.fault !== 'input') throw error
    if (texts.length === 1) return 1
    let refused = 0
    for (const text of texts) refused += await refusedAmong(embedder, [text], signal)
    // If it refuses every text, the embedder is at fault and not each text.
    if (refused === texts.length) throw error
    return refused
  }
}
