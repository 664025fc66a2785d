import type { Embedder } from '@agentm/nodes'

/** What a text is to an embedder: some models want a question to begin with other words than what is searched. */
export type TextUse = 'question' | 'document'

/** Turns texts into vectors. Vectors of two embedders are never compared, so the name must include the model and its version. */
export interface MemoryEmbedder extends Embedder {
  /**
   * How much its cosines count in a ranking, beside 1 for words. They are then compared with the others of the same question, so narrow
   * and wide cosines count alike. Absent for averaged word vectors: their cosines count as they are, a quarter of words.
   */
  readonly weight?: number
  /**
   * From which cosine a note may answer without any common word, as measured. Absent for embedders that nobody measured, and for the
   * built-in one, whose cosines count beside the words.
   */
  readonly near?: number
  /**
   * Set if a vector is only the average of those of the words. Recall does not use it then, because comparing related words one by one finds
   * more, and notes need no vectors.
   */
  readonly averagesWords?: true
  /** `signal`: aborts when nobody waits for the vectors any more. A request that goes on would keep its process alive. */
  embed(texts: readonly string[], use?: TextUse, signal?: AbortSignal): Promise<readonly ArrayLike<number>[]>
  /** Deletes cached data about the texts with these content hashes. Every embedder with a cache implements it. */
  forget?(textHashes: readonly string[]): Promise<void>
}

/** For a model that nobody measured on these notes. `agentm recall tune` measures it. */
export const unmeasuredWeight = 0.35
