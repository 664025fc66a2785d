/** The config allows something that does not exist, or a step needs something that the config does not allow. */
export class HarnessConfigError extends Error {
  override readonly name = 'HarnessConfigError'
  readonly code = 'HARNESS_CONFIG'
  /** A retry would not help, so a step that fails with this error has failed permanently. */
  readonly retryable = false
}
