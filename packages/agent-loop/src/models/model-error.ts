/** A model that gave no reply. What it says of itself decides whether asking again can help; see `classifyError`. */
import type { ToolErrorType } from '../loop/tool-error.ts'

/** What is known about a model that gave no reply. It decides whether the model is asked again. */
export interface ModelErrorFacts {
  readonly type: ToolErrorType
  /** Of the HTTP answer, where there was one. */
  readonly status?: number
  /** How long the provider asks to be left alone. */
  readonly retryAfterMs?: number
  /** What the provider calls it, such as `context_length_exceeded`. */
  readonly providerCode?: string
  /** Whether it says that the provider is ill; a refusal says that it is well. */
  readonly ill?: boolean
}

/** It has no cause: what lies below may hold the request, and with it the key. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly code = 'MODEL_FAILED'
  readonly type: ToolErrorType
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
  readonly providerCode: string | undefined
  readonly ill: boolean
  constructor(message: string, { type, status, retryAfterMs, providerCode, ill = false }: ModelErrorFacts) {
    super(message)
    this.type = type
    this.status = status
    this.retryAfterMs = retryAfterMs
    this.providerCode = providerCode
    this.ill = ill
  }
}
