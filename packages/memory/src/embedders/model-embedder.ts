/**
 * Vectors from an embedding model of the AI SDK. The model is recognised by its fields, because the calling program provides it.
 */
import type { StoreRuntime } from '@agentm/nodes'
import { EmbedderFailedError } from '../memory-errors.ts'
import { type MemoryEmbedder, unmeasuredWeight } from './memory-embedder.ts'
import { retryDelay } from './pure/retry-delay.ts'
import { checkedVectors } from './checked-vectors.ts'

/** The part of an AI SDK `EmbeddingModel` that is used. */
export interface EmbeddingModelLike {
  readonly provider: string
  readonly modelId: string
  readonly maxEmbeddingsPerCall?: number | undefined | PromiseLike<number | undefined>
  doEmbed(options: {
    readonly values: string[]
    readonly abortSignal?: AbortSignal
  }): PromiseLike<{ readonly embeddings: readonly (readonly number[])[] }>
}

/** Options of `modelEmbedder`. */
export interface ModelEmbedderOptions {
  readonly dimensions: number
  readonly timeoutMs?: number
  readonly attempts?: number
  readonly runtime: Pick<StoreRuntime, 'now' | 'random' | 'sleep'>
}

/** Vectors from an embedding model of the AI SDK. */
export function modelEmbedder(model: EmbeddingModelLike, options: ModelEmbedderOptions): MemoryEmbedder {
  const { dimensions } = options
  const name = `${model.provider}/${model.modelId}/${dimensions}`
  return {
    name,
    dimensions,
    weight: unmeasuredWeight,
    async embed(texts, use = 'document', signal) {
      const most = (await model.maxEmbeddingsPerCall) ?? 64
      const batch = Math.max(1, Math.min(64, most))
      // A person waits for the answer to a question.
      const how = { ...options, name, signal, ...(use === 'question' && { attempts: 1 }) }
      const vectors: Float32Array[] = []
      for (let i = 0; i < texts.length; i += batch) {
        const some = texts.slice(i, i + batch)
        vectors.push(...checkedVectors({ name, dimensions }, await ask(model, some, how), some.length))
      }
      return vectors
    },
  }
}

interface Asking extends ModelEmbedderOptions {
  readonly name: string
  readonly signal: AbortSignal | undefined
}

async function ask(
  model: EmbeddingModelLike,
  values: readonly string[],
  { name, signal, runtime, timeoutMs = 30_000, attempts = 4 }: Asking,
): Promise<readonly (readonly number[])[]> {
  for (let tried = 1; ; tried++) {
    try {
      const abortSignal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])])
      const answer = await model.doEmbed({ values: [...values], abortSignal })
      return answer.embeddings
    } catch (error) {
      const { retryAfter, mayPass, fault } = said(error)
      if (!mayPass || tried >= attempts || signal?.aborted === true)
        throw new EmbedderFailedError(name, error instanceof Error ? error.message : String(error), {
          fault,
          cause: error,
        })
      await runtime.sleep(retryDelay(tried, { retryAfter, now: runtime.now(), chance: runtime.random() }), signal)
    }
  }
}

/** Whether an AI SDK error can be retried. An error without that information is retried. */
function said(error: unknown): {
  readonly mayPass: boolean
  readonly fault: 'input' | 'service'
  readonly retryAfter: string | undefined
} {
  const { isRetryable, statusCode, responseHeaders } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly isRetryable?: unknown
    readonly statusCode?: unknown
    readonly responseHeaders?: Readonly<Record<string, string>>
  }
  const fault = statusCode === 400 || statusCode === 413 || statusCode === 422 ? 'input' : 'service'
  return { mayPass: isRetryable !== false, fault, retryAfter: responseHeaders?.['retry-after'] }
}
