/** A backend did otherwise than a contract says. The message names what was looked at, what was wanted and what came. */
export class ContractBrokenError extends Error {
  override readonly name = 'ContractBrokenError'
  readonly code = 'CONTRACT_BROKEN'
}
