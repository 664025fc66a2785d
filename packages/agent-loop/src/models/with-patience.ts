/**
 * A model that is asked again if that can help: with growing waits, as late as the provider asks, and through the provider's
 * breaker. Once a part of the answer was shown, it is not asked again here, because the same words would be shown twice. The caller
 * can start again.
 */
import type { StoreRuntime } from '@agentm/nodes'
import type { Model, ModelReply, ModelRequest } from '../loop/model.ts'
import { classifyError, isContextTooLong } from '../loop/pure/classify-error.ts'
import { type Breaker, breakerOpen } from './breaker.ts'
import { ModelError } from './model-error.ts'
import { defaultWait, retryWait, type WaitPolicy } from './pure/retry-wait.ts'

/** Options of `withPatience`. */
export interface PatienceOptions {
  readonly runtime: Pick<StoreRuntime, 'random' | 'sleep'>
  readonly breaker: Breaker
  /** The most attempts for one reply (default: 4). */
  readonly attempts?: number
  readonly wait?: Partial<WaitPolicy>
}

/**
 * The same model with retries: with growing waits, as late as the provider asks.
 *
 * @example
 * ```ts
 * import { type Model, systemRuntime } from '@agentm/agent-loop'
 * import { createBreaker, withPatience } from '@agentm/agent-loop/models'
 *
 * declare const model: Model
 * const breaker = createBreaker({ provider: 'example', runtime: systemRuntime })
 * const patient = withPatience(model, { runtime: systemRuntime, breaker, attempts: 3 })
 * ```
 */
export function withPatience(model: Model, { runtime, breaker, attempts = 4, wait }: PatienceOptions): Model {
  const policy = { ...defaultWait, ...wait }
  const price = model.costMicrosOf?.bind(model)
  return {
    ...(price !== undefined && { costMicrosOf: price }),
    async respond(request) {
      for (let failures = 1; ; failures++) {
        const tried = await askOnce(model, request, breaker)
        if ('reply' in tried) return tried.reply
        const { error, shown } = tried
        request.signal.throwIfAborted()
        if (shown || failures >= attempts || !mayPass(error)) throw error
        const askedMs = classifyError(error ?? 'it failed').retryAfterMs
        const waitMs = retryWait(failures, { askedMs, chance: runtime.random() }, policy)
        if (waitMs === undefined) throw error
        await runtime.sleep(waitMs, request.signal)
        if ((await request.mayAskAgain?.(error)) === false) throw error
      }
    },
  }
}

type Tried = { readonly reply: ModelReply } | { readonly error: unknown; readonly shown: boolean }

async function askOnce(model: Model, request: ModelRequest, breaker: Breaker): Promise<Tried> {
  const { onText, signal } = request
  let shown = false
  const show = (piece: string): void => {
    shown = true
    onText?.(piece)
  }
  try {
    return {
      reply: await breaker.ask(
        async () => model.respond({ ...request, ...(onText !== undefined && { onText: show }) }),
        signal,
      ),
    }
  } catch (error) {
    return { error, shown }
  }
}

function mayPass(error: unknown): boolean {
  if (error instanceof ModelError && error.providerCode === breakerOpen) return false
  return classifyError(error ?? 'it failed').retryable && !isContextTooLong(error)
}
