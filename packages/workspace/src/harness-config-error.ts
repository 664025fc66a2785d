/** The config allows something that does not exist, or a step needs something that the config does not allow. */
export class HarnessConfigError extends Error {
  override readonly name = 'HarnessConfigError'
  readonly code = 'HARNESS_CONFIG'
  /** Trying the same again helps nobody: a step that fails with this has failed for good. */
  readonly retryable = false
}
