/** Caches vectors by the hash of their text, so that rebuilding an index needs no second request. The text is not stored. */
import { contentHash } from '@agentm/storage-seam'
import type { MemoryEmbedder } from './memory-embedder.ts'
import { cachedVectorIn, packCachedVector } from './pure/cached-vector.ts'

/** Where vectors are cached, on this device. A vector is bytes; what cannot be read counts as absent. */
export interface VectorCache {
  /** The vectors of an embedder by the hashes of their texts, in the same order. */
  read(embedder: string, hashes: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>
  write(embedder: string, vectors: ReadonlyMap<string, Uint8Array>): Promise<void>
  /** Nothing of the vectors remains in the files. */
  remove(embedder: string, hashes: readonly string[]): Promise<void>
}

/** The same embedder, with vectors cached by the hash of their text. The text is not stored. */
export function cachedEmbedder(embedder: MemoryEmbedder, cache: VectorCache): MemoryEmbedder {
  const { name, dimensions, weight, near } = embedder
  return {
    name,
    dimensions,
    ...(weight === undefined ? {} : { weight }),
    ...(near === undefined ? {} : { near }),
    async embed(texts, use = 'document', signal) {
      // Questions are rarely asked twice, and a question that is stored could not be forgotten.
      if (use === 'question') return embedder.embed(texts, use, signal)
      const hashes = texts.map((text) => contentHash(text.toWellFormed()))
      const kept = await cache.read(name, hashes)
      const vectors = hashes.map((_, i) => cachedVectorIn(kept[i], dimensions))
      const missing = [...vectors.keys()].filter((i) => vectors[i] === undefined)
      const wanted = missing.map((i) => texts[i] ?? '')
      const made = wanted.length === 0 ? [] : await embedder.embed(wanted, use, signal)
      const fresh = new Map<string, Uint8Array>()
      for (const [n, i] of missing.entries()) {
        const bytes = packCachedVector(Float32Array.from(made[n] ?? []))
        // Read from its bytes, so that a text has the same vector now and later.
        vectors[i] = cachedVectorIn(bytes, dimensions)
        fresh.set(hashes[i] ?? '', bytes)
      }
      if (fresh.size > 0) await cache.write(name, fresh)
      return vectors.map((vector) => vector ?? new Float32Array(dimensions))
    },
    async forget(textHashes) {
      await cache.remove(name, [...new Set(textHashes)])
      await embedder.forget?.(textHashes)
    },
  }
}
