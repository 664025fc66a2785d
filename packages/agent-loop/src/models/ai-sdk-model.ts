/**
 * An adapter for language models of the AI SDK, versions 5 and 6. The types below declare only the used part of such a model, so
 * that the SDK need not be installed.
 */
import type { StoreRuntime } from '@agentm/nodes'
import type { Model, ModelReply, ModelRequest, ToolCall } from '../loop/model.ts'
import { mayBeCharged } from '../loop/pure/broken-reply.ts'
import { classifyError } from '../loop/pure/classify-error.ts'
import { askedToWaitMs } from '../pure/retry-after.ts'
import { type Breaker, createBreaker } from './breaker.ts'
import { ModelError } from './model-error.ts'
import { callOf } from './pure/ai-sdk-call.ts'
import { tokensIn, withWritePrice } from './pure/ai-sdk-usage.ts'
import { costMicros, type ModelPrice, mostMicros } from './pure/model-price.ts'
import { withPatience } from './with-patience.ts'

/** A model from an AI SDK provider, such as `anthropic('claude-…')`. */
export interface AiSdkLanguageModel {
  readonly provider: string
  readonly modelId: string
  doGenerate(options: AiSdkCall): PromiseLike<{
    readonly content: readonly AiSdkPart[]
    readonly usage: AiSdkUsage
    readonly providerMetadata?: AiSdkMetadata | undefined
  }>
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

/** What a provider reports besides, by its name. */
export type AiSdkMetadata = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** One part of the answer of an AI SDK model. */
export interface AiSdkPart {
  readonly type: string
}

/** How many tokens an AI SDK model used. */
export interface AiSdkUsage {
  readonly inputTokens:
    | number
    | undefined
    | {
        readonly total: number | undefined
        readonly cacheRead?: number | undefined
        readonly cacheWrite?: number | undefined
      }
  readonly outputTokens: number | undefined | { readonly total: number | undefined }
  /** In version 5 of the SDK. */
  readonly cachedInputTokens?: number | undefined
}

/** Options of `aiSdkModel`. */
export interface AiSdkModelOptions {
  readonly runtime: Pick<StoreRuntime, 'now' | 'random' | 'sleep'>
  readonly price?: ModelPrice
  readonly breaker?: Breaker
  /**
   * Whether the part of a conversation that stays the same is marked for the provider's cache (default: true). Anthropic's models need
   * the marks; other providers ignore them.
   */
  readonly cacheMarks?: boolean
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
  const { runtime, attempts, secrets = [], cacheMarks = true } = options
  const { provider, modelId } = languageModel
  const price = options.price && withWritePrice(options.price, provider)
  const breaker = options.breaker ?? createBreaker({ provider, runtime })
  const asked: Model = {
    ...(price !== undefined && { costMicrosOf: (tokens) => mostMicros(tokens, price) }),
    async respond(request) {
      let hasBegun = false
      const onBegun = (): void => {
        hasBegun = true
      }
      try {
        const call = callOf(request, cacheMarks)
        const heard =
          request.onText === undefined
            ? await whole(languageModel, call)
            : await streamed(languageModel, call, { request, onBegun })
        return priced(heard, price)
      } catch (error) {
        request.signal.throwIfAborted()
        throw told(error, { name: `${modelId} of ${provider}`, now: runtime.now(), secrets, hasBegun })
      }
    },
  }
  return withPatience(asked, { runtime, breaker, ...(attempts !== undefined && { attempts }) })
}

interface Heard {
  readonly text: string
  readonly calls: readonly ToolCall[]
  readonly usage: AiSdkUsage | undefined
  readonly metadata: AiSdkMetadata | undefined
}

const unheard: Heard = { text: '', calls: [], usage: undefined, metadata: undefined }

async function whole(model: AiSdkLanguageModel, call: AiSdkCall): Promise<Heard> {
  const { content, usage, providerMetadata } = await model.doGenerate(call)
  return { ...content.reduce(withPart, unheard), usage, metadata: providerMetadata }
}

async function streamed(
  model: AiSdkLanguageModel,
  call: AiSdkCall,
  { request, onBegun }: { readonly request: ModelRequest; readonly onBegun: () => void },
): Promise<Heard> {
  const { stream } = await model.doStream(call)
  let heard = unheard
  for await (const part of stream) {
    const next = withPart(heard, part)
    if (next.text.length > heard.text.length) request.onText?.(next.text.slice(heard.text.length))
    if (next !== heard) onBegun()
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
  | { readonly type: 'finish'; readonly usage: AiSdkUsage; readonly providerMetadata?: AiSdkMetadata }
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
      return { ...heard, usage: known.usage, metadata: known.providerMetadata }
    case 'error':
      throw known.error
    default:
      return heard
  }
}

function priced({ text, calls, usage: used, metadata }: Heard, price: ModelPrice | undefined): ModelReply {
  const taken = tokensIn(used, metadata)
  if (taken === undefined) return { text, calls }
  const { cached, ...usage } = taken
  return { text, calls, usage: { ...usage, ...(price && { costMicros: costMicros(usage, price, cached) }) } }
}

interface Telling {
  readonly name: string
  readonly now: number
  readonly secrets: readonly string[]
  /** Whether a part of the answer had come. The provider may charge for it, whatever status the error names. */
  readonly hasBegun: boolean
}

/** The SDK's errors contain the request and its headers, so only their message and the status are passed on. */
function told(error: unknown, { name, now, secrets, hasBegun }: Telling): ModelError {
  if (error instanceof ModelError) return error
  const { statusCode: status, responseHeaders, isRetryable } = factsOf(error)
  const { type, message, retryable } = classifyError(error ?? 'it failed')
  const retryAfterMs = askedToWaitMs((header) => responseHeaders?.[header], { status: status ?? 0, now })
  const said = secrets.reduce((text, secret) => text.replaceAll(secret, '[key]'), message)
  return new ModelError(`${name}: ${said}`, {
    type: retryable && isRetryable === false ? 'validation' : type,
    ill: status === undefined ? retryable : status >= 500,
    mayBeCharged: hasBegun || mayBeCharged(error),
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
