/** The config names an embedder that cannot be created. */
export class EmbedderConfigError extends Error {
  override readonly name = 'EmbedderConfigError'
  readonly code = 'EMBEDDER_CONFIG'
}
