import type { Embedder } from '@agentm/nodes'

/** Turns texts into vectors. Two embedders are never compared, so the name says which model and version it is. */
export interface MemoryEmbedder extends Embedder {
  /** Drops what is kept about these texts. Whoever caches implements it. */
  forget?(texts: readonly string[]): Promise<void>
}
