/** What the server refuses by itself. */
export const mcpServerErrorCodes = [
  'INVALID_INPUT',
  'TOKEN_REQUIRED',
  'TOKEN_INVALID',
  'TOKEN_WEAK',
  'PORT_INVALID',
  'PORT_IN_USE',
] as const

/** The codes of what the server refuses by itself. */
export type McpServerErrorCode = (typeof mcpServerErrorCodes)[number]

/** What the server refuses by itself. Compare `code`. */
export class McpServerError extends Error {
  override readonly name = 'McpServerError'
  readonly code: McpServerErrorCode
  constructor(code: McpServerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
