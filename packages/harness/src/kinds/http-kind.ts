/** A step that makes one HTTP call. It sends its idempotency key, for servers that support such keys. */
import { z } from 'zod'
import type { Runtime } from '@agentm/agent-loop'
import type { Step } from '../step.ts'
import type { Nature, StepFailure, StepKind, StepOutcome, StepRun } from '../step-kind.ts'
import { askedToWaitMs } from '@agentm/agent-loop/internal'
import { rateLimitWait } from '../pure/rate-limit-wait.ts'
import { parseInput } from './parse-input.ts'

export interface HttpKindOptions {
  /** The function that makes requests (default: Node's `fetch`). */
  readonly fetch?: typeof fetch
  /** The most bytes that are kept of the response body, from its beginning (default: 64 KiB). */
  readonly maxBodyBytes?: number
}

export const httpInput = z.object({
  url: z.url({ protocol: /^https?$/ }).describe('Where the call goes.'),
  method: z.enum(['GET', 'HEAD', 'PUT', 'DELETE', 'POST', 'PATCH']).default('GET').describe('The HTTP method.'),
  headers: z.record(z.string(), z.string()).default({}).describe('More headers of the call.'),
  body: z.unknown().optional().describe('What is sent. A string is sent unchanged; any other value is sent as JSON.'),
})

type HttpInput = z.infer<typeof httpInput>

/**
 * Steps of kind `http`: they make one HTTP request and send the step's idempotency key with it.
 *
 * @example
 * ```ts
 * import { httpKind } from '@agentm/harness'
 *
 * console.log(httpKind().name) // http
 * ```
 */
export function httpKind(options: HttpKindOptions = {}): StepKind {
  return {
    name: 'http',
    natureOf: ({ input }) => natureOf(input?.['method']),
    async run(run) {
      const parsed = parseInput(httpInput, run.step.input)
      return 'refused' in parsed ? parsed.refused : call(run, parsed.input, options)
    },
  }
}

function natureOf(method: unknown): Nature {
  if (method === 'POST' || method === 'PATCH') return 'effectful'
  return method === 'PUT' || method === 'DELETE' ? 'idempotent' : 'pure'
}

async function call(run: StepRun, input: HttpInput, options: HttpKindOptions): Promise<StepOutcome> {
  const { fetch: send = fetch, maxBodyBytes = 65_536 } = options
  const nature = run.step.nature ?? natureOf(input.method)
  let response: Response
  let body: Awaited<ReturnType<typeof readStart>>
  try {
    response = await send(input.url, {
      method: input.method,
      headers: headersOf(run.step, input),
      signal: run.signal,
      ...bodyOf(input),
    })
    body = await readStart(response, maxBodyBytes)
  } catch (error) {
    run.signal.throwIfAborted()
    return { end: 'failed', failure: unreachable(input, nature, error) }
  }
  const result = { status: response.status, headers: Object.fromEntries(response.headers), ...body }
  if (response.ok) return { end: 'done', result }
  const failure = refusal(input, { response, nature, runtime: run.runtime })
  if (response.status === 429 && failure.retryAfterMs) return rateLimitWait(run, failure)
  const data = { toolName: 'http', args: { url: input.url, method: input.method }, message: failure.message, ...body }
  return { end: 'failed', failure, observation: { kind: 'error', content: failure.message, data } }
}

function headersOf({ idempotencyKey }: Step, { headers, body }: HttpInput): Record<string, string> {
  const json = body === undefined || typeof body === 'string' ? {} : { 'content-type': 'application/json' }
  return { ...json, 'idempotency-key': idempotencyKey, ...headers }
}

function bodyOf({ body }: HttpInput): { body?: string } {
  if (body === undefined) return {}
  return { body: typeof body === 'string' ? body : JSON.stringify(body) }
}

/** The response is missing or incomplete. The server may have done the work all the same, so an effectful call has an unknown outcome. */
function unreachable({ url, method }: HttpInput, nature: Nature, error: unknown): StepFailure {
  const cause =
    error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error)
  if (nature !== 'effectful') return { message: `${method} ${url} got no whole answer: ${cause}`, retryable: true }
  return {
    message: `${method} ${url} got no whole answer, and may have arrived: ${cause}`,
    code: 'UNKNOWN_OUTCOME',
    retryable: false,
  }
}

/** Statuses that mean "not now", and statuses after which the server may have done half of the work. */
const postponed = [429, 503]
const passing = [408, 425, 500, 502, 504, 529]

function refusal(
  { url, method }: HttpInput,
  { response, nature, runtime }: { readonly response: Response; readonly nature: Nature; readonly runtime: Runtime },
): StepFailure {
  const { status } = response
  const retryable = postponed.includes(status) || (nature !== 'effectful' && passing.includes(status))
  const retryAfterMs = askedToWaitMs((name) => response.headers.get(name), { status, now: runtime.now() })
  return {
    message: `${method} ${url} answered ${status}`,
    code: `HTTP_${status}`,
    retryable,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

async function readStart(response: Response, maxBytes: number): Promise<{ body: unknown; cut?: true }> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxBytes) break
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxBytes), { stream: true })
  if (bytes > maxBytes) return { body: text, cut: true }
  return { body: isJson(response) ? parsedOr(text) : text }
}

function isJson(response: Response): boolean {
  return /[/+]json\b/.test(response.headers.get('content-type') ?? '')
}

/** A body that claims to be JSON but cannot be parsed is kept as text. */
function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
