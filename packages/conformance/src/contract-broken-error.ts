/** A backend breaks a contract. The message names what was tested, what was expected and what happened. */
export class ContractBrokenError extends Error {
  override readonly name = 'ContractBrokenError'
  readonly code = 'CONTRACT_BROKEN'
}
