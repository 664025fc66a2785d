/**
 * Vectors from any endpoint with OpenAI's embeddings protocol. It sends batches, waits as long as the server asks, aborts requests
 * that hang, and checks every answer. The key is sent only in the header.
 */
import type { StoreRuntime } from '@agentm/nodes'
import { z } from 'zod'
import { EmbedderFailedError } from '../memory-errors.ts'
import { type MemoryEmbedder, unmeasuredWeight } from './memory-embedder.ts'
import { jsonOf } from './pure/json-of.ts'
import { retryDelay } from './pure/retry-delay.ts'
import { checkedVectors } from './checked-vectors.ts'

/** Options of `openEndpointEmbedder`. */
export interface EndpointOptions {
  /** Such as `https://api.example.com/v1`; `/embeddings` is added. */
  readonly url: string
  readonly model: string
  /** The length of its vectors (default: the endpoint is asked). */
  readonly dimensions?: number
  /** Asks the endpoint for vectors of this length. Only some models support it. */
  readonly shorten?: boolean
  readonly apiKey?: string
  /** Texts in one request (default: 64). */
  readonly batch?: number
  /** Timeout of one request (default: 30 seconds). */
  readonly timeoutMs?: number
  /** The most attempts for one request (default: 4). */
  readonly attempts?: number
  /** Longer texts are cut to this length (default: 8,000 characters). */
  readonly longestText?: number
  readonly runtime: Pick<StoreRuntime, 'now' | 'random' | 'sleep'>
  readonly fetch?: typeof fetch
}

const answerSchema = z.object({
  data: z.array(z.object({ index: z.number().int().min(0).optional(), embedding: z.array(z.number().nullable()) })),
})

/** Vectors from any endpoint with OpenAI's embeddings protocol. */
export async function openEndpointEmbedder(options: EndpointOptions): Promise<MemoryEmbedder> {
  const dimensions = options.dimensions ?? (await askDimensions(options))
  const name = `endpoint/${options.model}/${dimensions}`
  const { batch = 64, longestText = 8000 } = options
  return {
    name,
    dimensions,
    weight: unmeasuredWeight,
    async embed(texts, use = 'document', signal) {
      const vectors: Float32Array[] = []
      for (let i = 0; i < texts.length; i += batch) {
        const some = texts.slice(i, i + batch).map((text) => shortened(text, longestText))
        const answer = await request(options, {
          name,
          input: some,
          signal,
          // A person waits for the answer to a question.
          ...(use === 'question' ? { attempts: 1 } : {}),
          ...(options.shorten === true ? { dimensions } : {}),
        })
        vectors.push(...checkedVectors({ name, dimensions }, answer, some.length))
      }
      return vectors
    },
  }
}

async function askDimensions(options: EndpointOptions): Promise<number> {
  const name = `endpoint/${options.model}`
  const [vector] = await request(options, { name, input: ['dimensions'] })
  if (vector === undefined || vector.length === 0)
    throw new EmbedderFailedError(name, 'it answered no vector when asked for one.', { fault: 'service' })
  return vector.length
}

function shortened(text: string, longest: number): string {
  return text.length <= longest ? text : text.slice(0, longest).toWellFormed()
}

interface Asked {
  readonly name: string
  readonly input: readonly string[]
  readonly signal?: AbortSignal | undefined
  readonly attempts?: number
  readonly dimensions?: number
}

async function request(options: EndpointOptions, asked: Asked): Promise<readonly (readonly (number | null)[])[]> {
  const { runtime } = options
  const { attempts = options.attempts ?? 4 } = asked
  for (let tried = 1; ; tried++) {
    const outcome = await tryOnce(options, asked)
    if ('vectors' in outcome) return outcome.vectors
    if (!outcome.mayPass || tried >= attempts) throw outcome.error
    await runtime.sleep(
      retryDelay(tried, { retryAfter: outcome.retryAfter, now: runtime.now(), chance: runtime.random() }),
      asked.signal,
    )
  }
}

type Outcome =
  | { readonly vectors: readonly (readonly (number | null)[])[] }
  | { readonly error: Error; readonly mayPass: boolean; readonly retryAfter?: string | undefined }

async function tryOnce(options: EndpointOptions, { name, input, dimensions, signal }: Asked): Promise<Outcome> {
  const { url, model, apiKey, timeoutMs = 30_000, fetch: send = fetch } = options
  try {
    const response = await send(`${url.replace(/\/+$/, '')}/embeddings`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({
        model,
        input,
        encoding_format: 'float',
        ...(dimensions === undefined ? {} : { dimensions }),
      }),
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])]),
      // A redirect could send the key to another server.
      redirect: 'error',
    })
    const text = await response.text()
    return response.ok ? vectorsIn(name, text) : refusal(name, response)
  } catch (error) {
    const why =
      error instanceof DOMException && error.name === 'TimeoutError'
        ? `no answer within ${timeoutMs} ms.`
        : 'it cannot be reached.'
    const mayPass = signal?.aborted !== true
    return { error: new EmbedderFailedError(name, why, { fault: 'service', cause: error }), mayPass }
  }
}

function vectorsIn(name: string, text: string): Outcome {
  const parsed = answerSchema.safeParse(jsonOf(text))
  if (!parsed.success)
    return {
      error: new EmbedderFailedError(name, 'its answer is not an answer of the embeddings protocol.', {
        fault: 'service',
      }),
      mayPass: true,
    }
  const placed = parsed.data.data.map(({ index, embedding }, i) => ({ index: index ?? i, embedding }))
  return { vectors: placed.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding) }
}

function refusal(name: string, { status, headers }: Response): Outcome {
  const mayPass = status === 408 || status === 409 || status === 425 || status === 429 || status >= 500
  const fault = status === 400 || status === 413 || status === 422 ? 'input' : 'service'
  const hint =
    status === 401 || status === 403 ? ' Check the key.' : status === 404 ? ' Check the address and the model.' : ''
  const error = new EmbedderFailedError(name, `it answered ${status}.${hint}`, { fault })
  return { error, mayPass, retryAfter: headers.get('retry-after') ?? undefined }
}
