/** Reads a question together with each text and says how well the text answers. Slower than an embedder and better, so it reads few. */
export interface Reranker {
  /** For notices, and for how long it is not called after a failure. */
  readonly name: string
  /** One score per text, in their order; higher is better. Only the order of the scores counts. */
  rerank(
    question: string,
    texts: readonly string[],
    options: { readonly signal: AbortSignal },
  ): Promise<readonly number[]>
}

/** How recall uses a reranker. */
export interface RerankSettings {
  readonly reranker: Reranker
  /** How many of the first results it puts in order (default: 20, at most 50). */
  readonly first?: number
  /** How long recall waits for it (default: 800). */
  readonly deadlineMs?: number
}
