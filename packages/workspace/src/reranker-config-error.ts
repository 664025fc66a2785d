/** The config names a reranker that cannot be created. */
export class RerankerConfigError extends Error {
  override readonly name = 'RerankerConfigError'
  readonly code = 'RERANKER_CONFIG'
}
