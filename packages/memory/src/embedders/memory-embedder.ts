import type { Embedder } from '@agentm/nodes'

/** Turns texts into vectors. Vectors of two embedders are never compared, so the name must include the model and its version. */
export interface MemoryEmbedder extends Embedder {
  /** Deletes cached data about the texts with these content hashes. Every embedder with a cache implements it. */
  forget?(textHashes: readonly string[]): Promise<void>
}
