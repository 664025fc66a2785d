import type { Embedder } from '@agentm/nodes'

/** Turns texts into vectors. Two embedders are never compared, so the name says which model and version it is. */
export interface MemoryEmbedder extends Embedder {
  /** Drops what is kept about the texts with these content hashes. Whoever caches implements it. */
  forget?(textHashes: readonly string[]): Promise<void>
}
