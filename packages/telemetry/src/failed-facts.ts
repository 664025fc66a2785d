import { redactSecrets } from '@agentm/nodes'
import { type Attributes, type SpanStatus, SpanStatusCode } from './otel-api.ts'
import type { Fault } from './pure/attempt-end.ts'

/** The convention for errors: an `error.type`, a status, and an event of the exception. Secrets are masked. */
export function failedFacts({ type, message }: Fault): {
  readonly attributes: Attributes
  readonly status: SpanStatus
  readonly event: { readonly name: string; readonly attributes: Attributes }
} {
  const text = message === undefined ? undefined : redactSecrets(message).slice(0, longestMessage)
  return {
    attributes: { 'error.type': type },
    status: { code: SpanStatusCode.ERROR, ...(text !== undefined && { message: text }) },
    event: {
      name: 'exception',
      attributes: { 'exception.type': type, ...(text !== undefined && { 'exception.message': text }) },
    },
  }
}

const longestMessage = 1000
