/** A run that could not judge the source. Never reported as clean, never as a finding. */
export class GatesError extends Error {
  override readonly name = 'GatesError'
  /** `USAGE`: asked wrongly or configured wrongly. `UNREADABLE`: the source cannot be read or understood. */
  readonly code: 'USAGE' | 'UNREADABLE'
  constructor(code: 'USAGE' | 'UNREADABLE', message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
