/** The config names a model that cannot be used. */
export class ModelSettingsError extends Error {
  override readonly name = 'ModelSettingsError'
  readonly code = 'MODEL_CONFIG'
  readonly retryable = false
}
