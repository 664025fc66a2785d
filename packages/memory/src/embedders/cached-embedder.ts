/** Caches vectors by the hash of their text, so that rebuilding an index needs no second request. The text is not stored. */
import { contentHash } from '@agentm/storage-seam'
import type { KeyedStore } from '../keyed-store.ts'
import type { MemoryEmbedder } from './memory-embedder.ts'

/** The same embedder, with vectors cached by the hash of their text. The text is not stored. */
export function cachedEmbedder(embedder: MemoryEmbedder, store: KeyedStore): MemoryEmbedder {
  const { name, dimensions, weight, near } = embedder
  const keyOf = (hash: string) => `embeddings/${encodeURIComponent(name)}/${hash}`
  return {
    name,
    dimensions,
    ...(weight === undefined ? {} : { weight }),
    ...(near === undefined ? {} : { near }),
    async embed(texts, use = 'document') {
      // Questions are rarely asked twice, and a question that is stored could not be forgotten.
      if (use === 'question') return embedder.embed(texts, use)
      const keys = texts.map((text) => keyOf(contentHash(text.toWellFormed())))
      const vectors = await Promise.all(keys.map(async (key) => parseVector(await store.read(key), dimensions)))
      const missing = [...vectors.keys()].filter((i) => vectors[i] === undefined)
      const made = missing.length === 0 ? [] : await embedder.embed(missing.map((i) => texts[i] ?? ''))
      for (const [n, i] of missing.entries()) {
        const vector = Float32Array.from(made[n] ?? [])
        vectors[i] = vector
        await store.write(keys[i] ?? '', Buffer.from(vector.buffer).toString('base64'))
      }
      return vectors.map((vector) => vector ?? new Float32Array(dimensions))
    },
    async forget(textHashes) {
      for (const hash of new Set(textHashes)) await store.remove(keyOf(hash))
      await embedder.forget?.(textHashes)
    },
  }
}

/** Anything that is not a vector of the right length counts as absent. */
function parseVector(kept: string | undefined, dimensions: number): Float32Array | undefined {
  if (kept === undefined) return undefined
  const bytes = Uint8Array.from(Buffer.from(kept, 'base64'))
  if (bytes.byteLength !== dimensions * 4) return undefined
  const vector = new Float32Array(bytes.buffer)
  return vector.every(Number.isFinite) ? vector : undefined
}
