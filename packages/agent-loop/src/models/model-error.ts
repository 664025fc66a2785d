/** A model gave no reply. The facts in the error decide whether asking again can help; see `classifyError`. */
import type { ToolErrorType } from '../loop/tool-error.ts'

/** What is known about a model that gave no reply. It decides whether the model is asked again. */
export interface ModelErrorFacts {
  readonly type: ToolErrorType
  /** The HTTP status, if there was an answer. */
  readonly status?: number
  /** How long the provider asks to wait. */
  readonly retryAfterMs?: number
  /** The provider's error code, such as `context_length_exceeded`. */
  readonly providerCode?: string
  /** Whether the provider is unhealthy. A provider that refuses a request is healthy. */
  readonly ill?: boolean
  /** Whether the provider may charge for the request (default: only if it answered no HTTP status). */
  readonly mayBeCharged?: boolean
}

/** It has no `cause`, because the original error may contain the request with the key. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly code = 'MODEL_FAILED'
  readonly type: ToolErrorType
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
  readonly providerCode: string | undefined
  readonly ill: boolean
  readonly mayBeCharged: boolean
  constructor(message: string, facts: ModelErrorFacts) {
    super(message)
    const { type, status, retryAfterMs, providerCode, ill = false, mayBeCharged = status === undefined } = facts
    this.type = type
    this.status = status
    this.retryAfterMs = retryAfterMs
    this.providerCode = providerCode
    this.ill = ill
    this.mayBeCharged = mayBeCharged
  }
}
