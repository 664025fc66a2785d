/**
 * A model behind any endpoint with the chat completions protocol: hosted, a gateway, or on this machine. It supports streaming,
 * tool calls, structured answers and cost reports. Failed requests are retried if that can help, and a failing provider is paused.
 */
import type { StoreRuntime } from '@agentm/nodes'
import type { Model, ModelReply, ModelRequest } from '../loop/model.ts'
import { askEndpoint, type Endpoint } from './ask-endpoint.ts'
import { type Breaker, createBreaker } from './breaker.ts'
import { ModelError } from './model-error.ts'
import { chatBody } from './pure/chat-body.ts'
import { afterRefusal, type EndpointHabits, usualHabits } from './pure/endpoint-habits.ts'
import { type ModelPrice, mostMicros } from './pure/model-price.ts'
import type { WaitPolicy } from './pure/retry-wait.ts'
import { withPatience } from './with-patience.ts'

/** Options of `endpointModel`. */
export interface EndpointModelOptions {
  /** The address, such as `https://api.example.com/v1`. `/chat/completions` is added if it is absent. */
  readonly url: string
  readonly model: string
  /** The key. It is sent only in the `authorization` header. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  /** More fields for each request, such as `temperature`. */
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly price?: ModelPrice
  /** Whether requests of one conversation carry the same `prompt_cache_key` (default: false). Not every endpoint knows the field. */
  readonly cacheKey?: boolean
  readonly runtime: Pick<StoreRuntime, 'now' | 'random' | 'sleep'>
  readonly fetch?: typeof fetch
  /** Share one between the models of one provider (default: one for this model). */
  readonly breaker?: Breaker
  /** The most attempts for one reply (default: 4). */
  readonly attempts?: number
  readonly wait?: Partial<WaitPolicy>
  /** Timeout of one request (default: 10 minutes). */
  readonly timeoutMs?: number
  /** Timeout without any data from the server (default: 2 minutes). */
  readonly silenceMs?: number
}

/** The configured model cannot be used. The message never contains the key. */
export class ModelConfigError extends Error {
  override readonly name = 'ModelConfigError'
  readonly code = 'MODEL_CONFIG'
}

/**
 * A model behind any endpoint with the chat completions protocol: hosted, a gateway, or on this machine.
 *
 * @example
 * ```ts
 * import { systemRuntime } from '@agentm/agent-loop'
 * import { endpointModel } from '@agentm/agent-loop/models'
 *
 * const model = endpointModel({ url: 'http://127.0.0.1:11434/v1', model: 'qwen3', runtime: systemRuntime })
 * ```
 */
export function endpointModel(options: EndpointModelOptions): Model {
  const { model, parameters, price, runtime, attempts, wait, cacheKey = false } = options
  const endpoint = endpointOf(options)
  const breaker = options.breaker ?? createBreaker({ provider: endpoint.url.host, runtime })
  let habits: EndpointHabits = { ...usualHabits, cacheKey }
  const asked: Model = {
    ...(price !== undefined && { costMicrosOf: (tokens) => mostMicros(tokens, price) }),
    async respond(request) {
      for (;;) {
        const ask = habits
        const body = chatBody(
          { ...request, stream: request.onText !== undefined },
          { model, habits, ...(parameters && { parameters }) },
        )
        const reply = await replyOrRefusal(endpoint, body, request)
        if (!('refused' in reply)) return reply
        habits = otherHabits(ask, reply.refused)
      }
    },
  }
  const patience = {
    runtime,
    breaker,
    ...(attempts !== undefined && { attempts }),
    ...(wait !== undefined && { wait }),
  }
  return withPatience(asked, patience)
}

async function replyOrRefusal(
  endpoint: Endpoint,
  body: Readonly<Record<string, unknown>>,
  request: ModelRequest,
): Promise<ModelReply | { readonly refused: ModelError }> {
  try {
    return await askEndpoint(endpoint, body, request)
  } catch (error) {
    if (error instanceof ModelError && error.status !== undefined) return { refused: error }
    throw error
  }
}

/** Each refusal removes one habit, so the retries end. */
function otherHabits(habits: EndpointHabits, refused: ModelError): EndpointHabits {
  const other = afterRefusal(habits, { status: refused.status ?? 0, message: refused.message })
  if (other === undefined) throw refused
  return other
}

function endpointOf(options: EndpointModelOptions): Endpoint {
  const { key, headers = {}, fetch: send = fetch, price, runtime } = options
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    throw new ModelConfigError(
      'the key of the model contains characters that cannot be sent in a header. Check it for a line break.',
    )
  const url = chatUrl(options.url)
  const { timeoutMs = 600_000, silenceMs = 120_000 } = options
  return { url, key, headers, send, price, runtime, timeoutMs, silenceMs, name: `${options.model} at ${url.host}` }
}

function chatUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new ModelConfigError(
      'the address of the model is not an http or https address. Use one such as https://api.example.com/v1.',
    )
  if (url.username !== '' || url.password !== '')
    throw new ModelConfigError(
      'the address of the model contains a password. Remove it, and set the key in an environment variable (models.keyVariable).',
    )
  const path = url.pathname.replace(/\/+$/, '')
  url.pathname = path.endsWith('/chat/completions') ? path : `${path}/chat/completions`
  return url
}
