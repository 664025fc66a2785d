/** Sends one request to an endpoint of the chat completions protocol, without retries. */
import type { StoreRuntime } from '@agentm/nodes'
import type { ModelReply, ModelRequest } from '../loop/model.ts'
import { askedToWaitMs } from '../pure/retry-after.ts'
import { mayBeCharged } from '../loop/pure/broken-reply.ts'
import { faultError, unreadable } from './endpoint-fault.ts'
import { ModelError } from './model-error.ts'
import { cachedIn, chatAnswer, chatFault, fromAnswer, type Heard, replyOf } from './pure/chat-answer.ts'
import { costMicros, type ModelPrice } from './pure/model-price.ts'
import { readStream } from './read-stream.ts'
import { typeOfStatus } from '../loop/pure/type-of-status.ts'
import { Watchdog } from './watchdog.ts'

export interface Endpoint {
  /** Of the question itself, as `fetch` takes it. */
  readonly url: URL
  readonly key: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly send: typeof fetch
  readonly price: ModelPrice | undefined
  readonly runtime: Pick<StoreRuntime, 'now' | 'sleep'>
  readonly timeoutMs: number
  readonly silenceMs: number
  /** The name in messages. It has no query, because a query may contain secrets. */
  readonly name: string
}

/** The most bytes of an answer that are read. */
const mostBytes = 32 * 1024 * 1024

export async function askEndpoint(
  endpoint: Endpoint,
  body: Readonly<Record<string, unknown>>,
  { signal, onText }: Pick<ModelRequest, 'signal' | 'onText'>,
): Promise<ModelReply> {
  const { runtime, timeoutMs, silenceMs, name } = endpoint
  const watchdog = new Watchdog({ runtime, timeoutMs, silenceMs, signal })
  try {
    const response = await post(endpoint, body, watchdog.signal)
    watchdog.heard()
    if (!response.ok) throw await refusal(endpoint, response, watchdog)
    const heard = isStream(response)
      ? await readStream(pieces(response, watchdog), { name, ...(onText !== undefined && { onText }) })
      : await readWhole(endpoint, response, { watchdog, onText })
    return priced(heard, endpoint.price)
  } catch (error) {
    signal.throwIfAborted()
    throw told(error, endpoint, watchdog)
  } finally {
    watchdog.stop()
  }
}

async function post({ url, key, headers, send }: Endpoint, body: unknown, signal: AbortSignal): Promise<Response> {
  return send(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
    signal,
    // A redirect could send the key to another server.
    redirect: 'manual',
  })
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.includes('text/event-stream') ?? false
}

async function* pieces({ body }: Response, watchdog: Watchdog): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let bytes = 0
  for await (const chunk of body ?? []) {
    watchdog.heard()
    bytes += chunk.length
    if (bytes > mostBytes) throw new TypeError(`it answered more than ${mostBytes} bytes`)
    yield decoder.decode(chunk, { stream: true })
  }
}

async function textOf(response: Response, watchdog: Watchdog): Promise<string> {
  let text = ''
  for await (const piece of pieces(response, watchdog)) text += piece
  return text
}

/** Some endpoints send the whole answer although a stream was requested. */
async function readWhole(
  { name }: Endpoint,
  response: Response,
  { watchdog, onText }: { readonly watchdog: Watchdog; readonly onText: ModelRequest['onText'] },
): Promise<Heard> {
  const json = jsonOf(await textOf(response, watchdog))
  const fault = chatFault.safeParse(json)
  if (fault.success) throw faultError(name, fault.data.error)
  const parsed = chatAnswer.safeParse(json)
  if (!parsed.success) throw unreadable(name)
  const heard = fromAnswer(parsed.data)
  if (heard.text !== '') onText?.(heard.text)
  return heard
}

async function refusal({ name, runtime }: Endpoint, response: Response, watchdog: Watchdog): Promise<ModelError> {
  const { status, headers } = response
  const { message, code, type } = faultIn(await textOf(response, watchdog))
  const retryAfterMs = askedToWaitMs((header) => headers.get(header), { status, now: runtime.now() })
  const providerCode = [code, type].find((value): value is string => typeof value === 'string')
  const said = message === undefined ? '' : `: ${message}`
  return new ModelError(`${name} answered ${status}${said}${hintOf(status)}`, {
    // Retrying does not help an account without credit, whatever the status says.
    type: providerCode === 'insufficient_quota' ? 'permission' : status < 400 ? 'validation' : typeOfStatus(status),
    status,
    ill: status >= 500,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(providerCode !== undefined && { providerCode }),
  })
}

function hintOf(status: number): string {
  if (status === 401 || status === 403) return ' Check the key.'
  if (status === 404) return ' Check the address and the name of the model.'
  return status < 400 ? ' Name the address it leads to; a key follows no redirect.' : ''
}

const longestFault = 2000

function faultIn(text: string): { readonly message?: string; readonly code?: unknown; readonly type?: unknown } {
  const parsed = chatFault.safeParse(jsonOf(text))
  const { message, code, type } = parsed.success ? parsed.data.error : { message: text.trim() }
  return { ...(message && { message: message.slice(0, longestFault) }), code, type }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** No message contains the key, even if the endpoint or the platform echoes it. */
function told(error: unknown, { name, key }: Endpoint, { bark }: Watchdog): ModelError {
  if (bark !== undefined) return new ModelError(`${name}: ${bark}.`, { type: 'timeout', ill: true })
  if (!(error instanceof ModelError))
    return new ModelError(`${name} cannot be reached: ${without(key, reasonOf(error))}`, {
      type: 'unavailable',
      ill: true,
      mayBeCharged: mayBeCharged(error),
    })
  const { type, status, retryAfterMs, providerCode, ill } = error
  return new ModelError(without(key, error.message), {
    type,
    ill,
    mayBeCharged: error.mayBeCharged,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(providerCode !== undefined && { providerCode: without(key, providerCode) }),
  })
}

/** The reason that `fetch` puts into its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}

function without(key: string | undefined, text: string): string {
  return key === undefined ? text : text.replaceAll(key, '[key]')
}

function priced(heard: Heard, price: ModelPrice | undefined): ModelReply {
  const reply = replyOf(heard)
  if (price === undefined || reply.usage === undefined) return reply
  return { ...reply, usage: { ...reply.usage, costMicros: costMicros(reply.usage, price, cachedIn(heard)) } }
}
