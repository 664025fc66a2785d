/** The source could not be checked. This is reported neither as clean nor as a finding. */
export class GatesError extends Error {
  override readonly name = 'GatesError'
  /** `USAGE`: wrong arguments or configuration. `UNREADABLE`: the source cannot be read or parsed. */
  readonly code: 'USAGE' | 'UNREADABLE'
  constructor(code: 'USAGE' | 'UNREADABLE', message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
