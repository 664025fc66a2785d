/** What is wrong with an endpoint that answered well at first. */
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

/** A fault that came inside an answer that began well. */
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
