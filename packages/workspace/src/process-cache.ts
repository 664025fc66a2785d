import type { VectorCache } from '@agentm/memory/embedders'

/** Keeps vectors until the process ends, for those that only serve a measurement. */
export function processCache(): VectorCache {
  const vectors = new Map<string, Uint8Array>()
  return {
    read: async (embedder, hashes) => hashes.map((hash) => vectors.get(keyOf(embedder, hash))),
    async write(embedder, made) {
      for (const [hash, bytes] of made) vectors.set(keyOf(embedder, hash), bytes)
    },
    async remove(embedder, hashes) {
      for (const hash of hashes) vectors.delete(keyOf(embedder, hash))
    },
  }
}

function keyOf(embedder: string, hash: string): string {
  return `${embedder} ${hash}`
}
