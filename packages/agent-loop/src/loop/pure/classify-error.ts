/**
 * The kind of a failure. It decides whether to retry, to ask the model for another call, or neither. The code of an error counts
 * more than its message, at any depth of its causes.
 */
import type { StructuredToolError, ToolErrorType } from '../tool-error.ts'
import { toolErrorTypes } from '../tool-error.ts'
import { typeOfCode } from './type-of-code.ts'
import { saysOverloaded, statusInText, typeOfStatus } from './type-of-status.ts'

export interface Classified extends StructuredToolError {
  readonly attempts: number
  /** How long the server asked to wait; 0 if it did not ask. */
  readonly retryAfterMs: number
  /** `false` if it is certain that the call had no effect. */
  readonly mayHaveHappened: boolean
}

export function classifyError(error: null | undefined, attempts?: number): null
export function classifyError(error: unknown, attempts?: number): Classified
export function classifyError(error: unknown, attempts = 1): Classified | null {
  if (error === null || error === undefined) return null
  const chain = causesOf(error)
  const type = typedType(chain) ?? typeOfText(textOf(chain))
  const details = detailsOf(chain)
  return {
    ...structuredError(type, messageOf(error), attempts, details),
    attempts,
    retryAfterMs: retryAfterOf(chain),
    mayHaveHappened: mayHaveHappened(chain),
  }
}

export function structuredError(
  type: ToolErrorType,
  message: string,
  attempts = 1,
  details: Readonly<Record<string, unknown>> = {},
): StructuredToolError {
  return {
    type,
    message,
    retryable: type === 'timeout' || type === 'unavailable' || type === 'internal',
    userFixable: type === 'validation' || type === 'not_found',
    ...(attempts > 0 && { attempts }),
    ...(Object.keys(details).length > 0 && { details }),
  }
}

/**
 * How long a server that answered 429 asks to wait; `undefined` for any other failure. The same request can succeed later.
 */
export function rateLimitMs(error: unknown): number | undefined {
  const asked = causesOf(error)
    .filter((cause) => statusOf(cause) === 429)
    .map(({ retryAfterMs }) => retryAfterMs)
    .find((value) => typeof value === 'number')
  return asked !== undefined && Number.isFinite(asked) && asked > 0 ? asked : undefined
}

/** The JSON for the model; `null` if there was no error. */
export function errorText(error: StructuredToolError | null): string {
  if (error === null) return 'null'
  const { type, message, retryable, userFixable, attempts = 0, details = {} } = error
  const optional = { ...(attempts > 0 && { attempts }), ...(Object.keys(details).length > 0 && { details }) }
  return JSON.stringify({ type, message, retryable, userFixable, ...optional })
}

/** Whether the message says that the request was too long for the model. */
export function isContextTooLong(error: unknown): boolean {
  return causesOf(error).some(
    (cause) =>
      [cause['code'], cause['providerCode']].includes('context_length_exceeded') || tooLong.test(textOf([cause])),
  )
}

const tooLong =
  /context_length_exceeded|maximum context length|prompt is too long|exceeds? the (?:model's )?context window/i

type Facts = Readonly<Record<string, unknown>>

/** The error and its causes, outermost first. A circular chain ends. */
export function causesOf(error: unknown): readonly Facts[] {
  const chain: Facts[] = []
  const open: unknown[] = [error]
  while (open.length > 0 && chain.length < 32) {
    const next = open.shift()
    const facts = factsOf(next)
    if (chain.includes(facts)) continue
    chain.push(facts)
    if (facts['cause'] !== undefined) open.push(facts['cause'])
    if (Array.isArray(facts['errors'])) open.push(...(facts['errors'] as unknown[]))
  }
  return chain
}

function factsOf(error: unknown): Facts {
  return typeof error === 'object' && error !== null ? (error as Facts) : { message: String(error) }
}

function typedType(chain: readonly Facts[]): ToolErrorType | undefined {
  for (const read of [declaredType, codeType, statusType, nameType])
    for (const facts of chain) {
      const type = read(facts)
      if (type !== undefined) return type
    }
  return undefined
}

function declaredType({ code, type }: Facts): ToolErrorType | undefined {
  return code === 'TOOL_FAILED' || code === 'MODEL_FAILED' ? toolErrorTypes.find((known) => known === type) : undefined
}

function codeType({ code }: Facts): ToolErrorType | undefined {
  return typeof code === 'string' ? typeOfCode(code) : undefined
}

function statusType(facts: Facts): ToolErrorType | undefined {
  const status = statusOf(facts)
  return status === undefined ? undefined : typeOfStatus(status)
}

export function statusOf({ status, statusCode, response }: Facts): number | undefined {
  const inner = typeof response === 'object' && response !== null ? (response as Facts)['status'] : undefined
  return [status, statusCode, inner].find(
    (value): value is number => typeof value === 'number' && value >= 400 && value <= 599,
  )
}

function nameType({ name }: Facts): ToolErrorType | undefined {
  if (name === 'TimeoutError') return 'timeout'
  return name === 'ZodError' || name === '$ZodError' ? 'validation' : undefined
}

const textMarkers: readonly (readonly [ToolErrorType, readonly string[]])[] = [
  [
    'validation',
    [
      'additional property',
      'invalid argument',
      'validation',
      'required field',
      'missing required',
      'must be one of',
      'invalid field',
      'not allowed:',
    ],
  ],
  [
    'permission',
    [
      'permission denied',
      'not authorized',
      'is not allowed for',
      'forbidden',
      'agent-only',
      'scope_elevation',
      'out of scope',
    ],
  ],
  ['not_found', ['not found', 'unknown tool', 'no handler', 'does not exist', 'unknown function', 'unknown concept']],
  ['timeout', ['timeout', 'deadline exceeded', 'context deadline', 'timed out']],
  [
    'unavailable',
    ['overloaded', 'rate limit', 'rate_limit', 'service unavailable', 'connection reset', 'temporarily unavailable'],
  ],
]

function typeOfText(text: string): ToolErrorType {
  const lower = text.toLowerCase()
  const code = /\bE[A-Z]{4,}(?:_[A-Z]+)*\b/.exec(text)?.[0]
  const status = statusInText(text)
  return (
    (code === undefined ? undefined : typeOfCode(code)) ??
    (status === undefined ? undefined : typeOfStatus(status)) ??
    textMarkers.find(([, markers]) => markers.some((marker) => lower.includes(marker)))?.[0] ??
    (saysOverloaded(text) ? 'unavailable' : 'internal')
  )
}

function textOf(chain: readonly Facts[]): string {
  return chain.map(({ message }) => (typeof message === 'string' ? message : '')).join('\n')
}

function messageOf(error: unknown): string {
  const { message, name } = factsOf(error)
  if (typeof message === 'string' && message.trim() !== '') return message
  return typeof name === 'string' && name !== '' ? name : 'it failed without saying why'
}

function detailsOf(chain: readonly Facts[]): Facts {
  const found = chain.map(({ details }) => details).find((value) => typeof value === 'object' && value !== null)
  return { ...(found as Facts | undefined) }
}

function retryAfterOf(chain: readonly Facts[]): number {
  const asked = chain.map(({ retryAfterMs }) => retryAfterMs).find((value) => typeof value === 'number')
  return typeof asked === 'number' && Number.isFinite(asked) ? Math.max(0, asked) : 0
}

const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH'])
const refusals: readonly (ToolErrorType | undefined)[] = ['validation', 'permission', 'not_found']

/**
 * A tool's own statement counts. Codes also tell for certain that no connection was made or that the server refused. Any other
 * error names what failed, but not what succeeded before it: an absent file may be the second of two.
 */
function mayHaveHappened(chain: readonly Facts[]): boolean {
  const declared = chain.map((facts) => facts['mayHaveHappened']).find((value) => typeof value === 'boolean')
  if (declared !== undefined) return declared
  const [outermost] = chain
  if (outermost !== undefined && refusals.includes(declaredType(outermost))) return false
  if (chain.some(({ code }) => typeof code === 'string' && neverSent.has(code))) return false
  return !chain.map(statusOf).some((status) => status === 429 || isRefusal(status))
}

function isRefusal(status: number | undefined): boolean {
  return status !== undefined && refusals.includes(typeOfStatus(status))
}
