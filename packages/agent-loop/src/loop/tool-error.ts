/**
 * The error that a tool throws if it knows what went wrong. Any other error is classified by its code and message. For an effectful
 * call, `validation`, `permission` and `not_found` mean that it had no effect. A tool that throws one of these after an effect must
 * set `mayHaveHappened`.
 */
export const toolErrorTypes = ['validation', 'permission', 'not_found', 'timeout', 'unavailable', 'internal'] as const

/** The kinds of failure a tool can report. */
export type ToolErrorType = (typeof toolErrorTypes)[number]

export interface ToolErrorOptions extends ErrorOptions {
  /** Facts for the model, as JSON. */
  readonly details?: Readonly<Record<string, unknown>>
  /** How long the server asks to wait. */
  readonly retryAfterMs?: number
  /** `false` if the tool is sure that the call had no effect. An effectful call may then be made again. */
  readonly mayHaveHappened?: boolean
}

/**
 * The error that a tool throws if it knows what went wrong. For effectful tools, `validation`, `permission` and `not_found` mean
 * that the call had no effect; set `mayHaveHappened` if it had one.
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

/** The error in the form that the model reads, as JSON. */
export interface StructuredToolError {
  readonly type: ToolErrorType
  readonly message: string
  /** The same call may work later. */
  readonly retryable: boolean
  /** Another call may work now: with other arguments or another tool. */
  readonly userFixable: boolean
  /** The number of attempts. */
  readonly attempts?: number
  readonly details?: Readonly<Record<string, unknown>>
}
