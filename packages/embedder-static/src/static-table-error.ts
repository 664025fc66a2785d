/** `absent`: no such file. `unreadable`: the system refuses. `foreign`: not a table. `version`: a newer format. `damaged`: cut or altered. */
export type StaticTableFault = 'absent' | 'unreadable' | 'foreign' | 'version' | 'damaged'

/** The word table cannot be used. No other table is used instead, because vectors of two tables cannot be compared. */
export class StaticTableError extends Error {
  override readonly name = 'StaticTableError'
  readonly code = 'STATIC_TABLE'
  readonly fault: StaticTableFault
  constructor(fault: StaticTableFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}
