import type { VectorCache } from '@agentm/memory/embedders'

/** A cache of vectors that a test can look into. */
export function mapCache(): { readonly cache: VectorCache; readonly kept: Map<string, Uint8Array> } {
  const kept = new Map<string, Uint8Array>()
  return {
    kept,
    cache: {
      read: async (embedder, hashes) => hashes.map((hash) => kept.get(keyOf(embedder, hash))),
      write: async (embedder, vectors) => {
        for (const [hash, bytes] of vectors) kept.set(keyOf(embedder, hash), bytes)
      },
      remove: async (embedder, hashes) => {
        for (const hash of hashes) kept.delete(keyOf(embedder, hash))
      },
    },
  }
}

const keyOf = (embedder: string, hash: string) => `${embedder}/${hash}`
