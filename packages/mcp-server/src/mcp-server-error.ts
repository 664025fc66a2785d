/** A refusal of the server itself. */
export const mcpServerErrorCodes = [
  'INVALID_INPUT',
  'PERSON_NEEDED',
  'TOKEN_REQUIRED',
  'TOKEN_INVALID',
  'TOKEN_WEAK',
  'PORT_INVALID',
  'PORT_IN_USE',
] as const

/** The codes of refusals of the server itself. */
export type McpServerErrorCode = (typeof mcpServerErrorCodes)[number]

/** A refusal of the server itself. Compare `code`. */
export class McpServerError extends Error {
  override readonly name = 'McpServerError'
  readonly code: McpServerErrorCode
  constructor(code: McpServerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
