/**
 * What a tool throws when it knows what went wrong. Everything else that is thrown is classified by what it says of
 * itself. Of an effectful call `validation`, `permission` and `not_found` say that nothing was done; a tool that throws one of
 * these after it has done something sets `mayHaveHappened`.
 */
export const toolErrorTypes = ['validation', 'permission', 'not_found', 'timeout', 'unavailable', 'internal'] as const

/** The kinds of failure a tool can report. */
export type ToolErrorType = (typeof toolErrorTypes)[number]

export interface ToolErrorOptions extends ErrorOptions {
  /** Facts for the model, as JSON. */
  readonly details?: Readonly<Record<string, unknown>>
  /** How long the other side asks to be left alone. */
  readonly retryAfterMs?: number
  /** False where the tool is sure that nothing happened; an effectful call may then be made again. */
  readonly mayHaveHappened?: boolean
}

/**
 * What a tool throws when it knows what went wrong. For effectful tools, `validation`, `permission` and `not_found`
 * mean that nothing was done; set `mayHaveHappened` when something was.
 *
 * @example
 * ```ts
 * import { ToolError } from '@agentm/agent-loop'
 *
 * const error = new ToolError('not_found', 'there is no order 17')
 * console.log(error.type, error.code) // not_found TOOL_FAILED
 * ```
 */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly code = 'TOOL_FAILED'
  readonly type: ToolErrorType
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly retryAfterMs: number | undefined
  readonly mayHaveHappened: boolean | undefined
  constructor(type: ToolErrorType, message: string, options: ToolErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.type = type
    this.details = options.details
    this.retryAfterMs = options.retryAfterMs
    this.mayHaveHappened = options.mayHaveHappened
  }
}

/** The same error as the model reads it, in JSON. */
export interface StructuredToolError {
  readonly type: ToolErrorType
  readonly message: string
  /** The same call may work later. */
  readonly retryable: boolean
  /** Another call may work now: other arguments, another tool. */
  readonly userFixable: boolean
  /** How often it was tried. */
  readonly attempts?: number
  readonly details?: Readonly<Record<string, unknown>>
}
