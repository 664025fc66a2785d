/** Errors of an endpoint inside an answer that began successfully. */
import { ModelError } from './model-error.ts'

export function unreadable(name: string): ModelError {
  return new ModelError(
    `${name} did not answer with a chat completion. Check that models.url is the address of a chat completions endpoint.`,
    {
      type: 'unavailable',
      ill: true,
    },
  )
}

/** An error that arrived inside an answer that began successfully. */
export function faultError(name: string, { message, code, type }: Fault): ModelError {
  const providerCode = [code, type].find((value) => typeof value === 'string')
  return new ModelError(`${name} stopped: ${message ?? 'it gave no reason'}`, {
    type: 'unavailable',
    ill: true,
    ...(typeof providerCode === 'string' && { providerCode }),
  })
}

interface Fault {
  readonly message?: string | null | undefined
  readonly code?: unknown
  readonly type?: unknown
}
