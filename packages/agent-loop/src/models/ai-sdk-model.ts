/**
 * An adapter for language models of the AI SDK, versions 5 and 6. The types below declare only the used part of such a model, so
 * that the SDK need not be installed.
 */
import type { StoreRuntime } from '@agentm/nodes'
import type { Message, Model, ModelReply, ModelRequest, ToolCall, TokenUsage } from '../loop/model.ts'
import { classifyError } from '../loop/pure/classify-error.ts'
import { askedToWaitMs } from '../pure/retry-after.ts'
import { type Breaker, createBreaker } from './breaker.ts'
import { ModelError } from './model-error.ts'
import { costMicros, type ModelPrice } from './pure/model-price.ts'
import { withPatience } from './with-patience.ts'

/** A model from an AI SDK provider, such as `anthropic('claude-…')`. */
export interface AiSdkLanguageModel {
  readonly provider: string
  readonly modelId: string
  doGenerate(options: AiSdkCall): PromiseLike<{ readonly content: readonly AiSdkPart[]; readonly usage: AiSdkUsage }>
  doStream(options: AiSdkCall): PromiseLike<{ readonly stream: ReadableStream<AiSdkPart> }>
}

/** The request to an AI SDK model. */
export interface AiSdkCall {
  // Not readonly, because the SDK's own types are not and its models must fit.
  prompt: never[]
  tools?: never[]
  maxOutputTokens?: number
  responseFormat?: { type: 'json'; schema: object; name: string }
  abortSignal?: AbortSignal
}

/** One part of the answer of an AI SDK model. */
export interface AiSdkPart {
  readonly type: string
}

/** How many tokens an AI SDK model used. */
export interface AiSdkUsage {
  readonly inputTokens:
    | number
    | undefined
    | { readonly total: number | undefined; readonly cacheRead?: number | undefined }
  readonly outputTokens: number | undefined | { readonly total: number | undefined }
}

/** Options of `aiSdkModel`. */
export interface AiSdkModelOptions {
  readonly runtime: Pick<StoreRuntime, 'now' | 'random' | 'sleep'>
  readonly price?: ModelPrice
  readonly breaker?: Breaker
  /** The most attempts for one reply (default: 4). */
  readonly attempts?: number
  /** Keys that the provider was made with. They are removed from error messages. */
  readonly secrets?: readonly string[]
}

/**
 * An adapter for a language model of the AI SDK, version 5 or 6.
 *
 * @example
 * ```ts
 * import { type AiSdkLanguageModel, aiSdkModel } from '@agentm/agent-loop/models'
 * import { systemRuntime } from '@agentm/agent-loop'
 *
 * declare const languageModel: AiSdkLanguageModel // such as openai('gpt-5')
 * const model = aiSdkModel(languageModel, { runtime: systemRuntime })
 * ```
 */
export function aiSdkModel(languageModel: AiSdkLanguageModel, options: AiSdkModelOptions): Model {
  const { runtime, price, attempts, secrets = [] } = options
  const { provider, modelId } = languageModel
  const breaker = options.breaker ?? createBreaker({ provider, runtime })
  const asked: Model = {
    ...(price !== undefined && { costMicrosOf: (tokens) => costMicros(tokens, price) }),
    async respond(request) {
      try {
        const heard =
          request.onText === undefined ? await whole(languageModel, request) : await streamed(languageModel, request)
        return priced(heard, price)
      } catch (error) {
        request.signal.throwIfAborted()
        throw told(error, { name: `${modelId} of ${provider}`, now: runtime.now(), secrets })
      }
    },
  }
  return withPatience(asked, { runtime, breaker, ...(attempts !== undefined && { attempts }) })
}

interface Heard {
  readonly text: string
  readonly calls: readonly ToolCall[]
  readonly usage: AiSdkUsage | undefined
}

const unheard: Heard = { text: '', calls: [], usage: undefined }

async function whole(model: AiSdkLanguageModel, request: ModelRequest): Promise<Heard> {
  const { content, usage } = await model.doGenerate(callOf(request))
  return { ...content.reduce(withPart, unheard), usage }
}

async function streamed(model: AiSdkLanguageModel, request: ModelRequest): Promise<Heard> {
  const { stream } = await model.doStream(callOf(request))
  let heard = unheard
  for await (const part of stream) {
    const next = withPart(heard, part)
    if (next.text.length > heard.text.length) request.onText?.(next.text.slice(heard.text.length))
    heard = next
  }
  if (heard.usage !== undefined) return heard
  throw new ModelError('the model stopped in the middle of its answer', { type: 'unavailable', ill: true })
}

/** The parts of an answer and of a stream that are read; all others are ignored. */
type KnownPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'text-delta'; readonly delta: string }
  | { readonly type: 'tool-call'; readonly toolCallId: string; readonly toolName: string; readonly input: string }
  | { readonly type: 'finish'; readonly usage: AiSdkUsage }
  | { readonly type: 'error'; readonly error: unknown }

function withPart(heard: Heard, part: AiSdkPart): Heard {
  const known = part as KnownPart
  switch (known.type) {
    case 'text':
      return { ...heard, text: heard.text + known.text }
    case 'text-delta':
      return { ...heard, text: heard.text + known.delta }
    case 'tool-call':
      return { ...heard, calls: [...heard.calls, { id: known.toolCallId, tool: known.toolName, args: known.input }] }
    case 'finish':
      return { ...heard, usage: known.usage }
    case 'error':
      throw known.error
    default:
      return heard
  }
}

function callOf({ messages, tools, maxOutputTokens, signal, format }: ModelRequest): AiSdkCall {
  const functions = tools.map(({ name, description, input }) => ({
    type: 'function',
    name,
    description,
    inputSchema: input,
  }))
  return {
    prompt: promptOf(messages) as never[],
    maxOutputTokens,
    abortSignal: signal,
    ...(functions.length > 0 && { tools: functions as never[] }),
    ...(format !== undefined && { responseFormat: { type: 'json', schema: format.schema, name: format.name } }),
  }
}

/** System messages come first; later ones are sent as user messages. The results of one reply are one message. */
function promptOf(messages: readonly Message[]): readonly object[] {
  const head = messages.findIndex(({ role }) => role !== 'system')
  const first = head === -1 ? messages : messages.slice(0, head)
  const said = messages.slice(first.length).map((message) => promptMessage(message))
  const prompt: { readonly role: string; readonly content: readonly object[] }[] = []
  for (const message of said) {
    const before = prompt.at(-1)
    if (message.role === 'tool' && before?.role === 'tool')
      prompt[prompt.length - 1] = { ...before, content: [...before.content, ...message.content] }
    else prompt.push(message)
  }
  return [...first.map(({ text }) => ({ role: 'system', content: text })), ...prompt]
}

function promptMessage(message: Message): { readonly role: string; readonly content: readonly object[] } {
  switch (message.role) {
    case 'assistant':
      return { role: 'assistant', content: [...textPart(message.text), ...message.calls.map(callPart)] }
    case 'tool': {
      const { callId: toolCallId, tool: toolName, text: value, failed } = message
      const output = { type: failed ? 'error-text' : 'text', value }
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }
    }
    default:
      return { role: 'user', content: textPart(message.text) }
  }
}

function textPart(text: string): readonly object[] {
  return text === '' ? [] : [{ type: 'text', text }]
}

function callPart({ id, tool, args }: ToolCall): object {
  return { type: 'tool-call', toolCallId: id, toolName: tool, input: parsedArgs(args) }
}

function parsedArgs(args: string): unknown {
  if (args.trim() === '') return {}
  try {
    return JSON.parse(args)
  } catch {
    return { unreadable: args }
  }
}

function priced({ text, calls, usage: used }: Heard, price: ModelPrice | undefined): ModelReply {
  const inputTokens = totalOf(used?.inputTokens)
  const outputTokens = totalOf(used?.outputTokens)
  if (inputTokens === undefined || outputTokens === undefined) return { text, calls }
  const usage: TokenUsage = { inputTokens, outputTokens }
  return { text, calls, usage: { ...usage, ...(price && { costMicros: costMicros(usage, price, cachedIn(used)) }) } }
}

function totalOf(tokens: AiSdkUsage['inputTokens']): number | undefined {
  return typeof tokens === 'object' ? tokens.total : tokens
}

function cachedIn(used: AiSdkUsage | undefined): number {
  return typeof used?.inputTokens === 'object' ? (used.inputTokens.cacheRead ?? 0) : 0
}

interface Telling {
  readonly name: string
  readonly now: number
  readonly secrets: readonly string[]
}

/** The SDK's errors contain the request and its headers, so only their message and the status are passed on. */
function told(error: unknown, { name, now, secrets }: Telling): ModelError {
  if (error instanceof ModelError) return error
  const { statusCode: status, responseHeaders, isRetryable } = factsOf(error)
  const { type, message, retryable } = classifyError(error ?? 'it failed')
  const retryAfterMs = askedToWaitMs((header) => responseHeaders?.[header], { status: status ?? 0, now })
  const said = secrets.reduce((text, secret) => text.replaceAll(secret, '[key]'), message)
  return new ModelError(`${name}: ${said}`, {
    type: retryable && isRetryable === false ? 'validation' : type,
    ill: status === undefined ? retryable : status >= 500,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

interface ApiFacts {
  readonly statusCode?: number
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly isRetryable?: boolean
}

function factsOf(error: unknown): ApiFacts {
  return typeof error === 'object' && error !== null ? error : {}
}
