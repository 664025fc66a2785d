/** The configured log needs a plugin that is not installed, or that cannot be used. */
export class LogPluginError extends Error {
  override readonly name = 'LogPluginError'
  readonly code = 'LOG_PLUGIN'
}
