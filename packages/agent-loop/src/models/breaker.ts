/** A circuit breaker for one provider, shared by all models of the provider. */
import type { StoreRuntime } from '@agentm/nodes'
import { classifyError } from '../loop/pure/classify-error.ts'
import { ModelError } from './model-error.ts'
import {
  asked,
  type AskEnd,
  asking,
  type BreakerLimits,
  type BreakerState,
  closed,
  defaultBreakerLimits,
  stayAwayMs,
} from './pure/breaker-state.ts'

/** Stops asking a provider that keeps failing. Share one between all models of a provider. */
export interface Breaker {
  /** Throws at once while the provider is paused. */
  ask<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T>
}

/** Options of `createBreaker`. */
export interface BreakerOptions extends Partial<BreakerLimits> {
  /** The name of the provider in messages. */
  readonly provider: string
  readonly runtime: Pick<StoreRuntime, 'now'>
}

/**
 * A circuit breaker for one provider.
 *
 * @example
 * ```ts
 * import { systemRuntime } from '@agentm/agent-loop'
 * import { createBreaker } from '@agentm/agent-loop/models'
 *
 * const breaker = createBreaker({ provider: 'example', runtime: systemRuntime })
 * console.log(await breaker.ask(async () => 'an answer', new AbortController().signal)) // an answer
 * ```
 */
export function createBreaker({ provider, runtime, ...given }: BreakerOptions): Breaker {
  const limits = { ...defaultBreakerLimits, ...given }
  let state: BreakerState = closed
  let latest = ''
  return {
    async ask(run, signal) {
      const away = stayAwayMs(state, runtime.now())
      if (away > 0) throw leftAlone(provider, away, latest)
      const probe = state.is === 'open'
      state = asking(state)
      let end: AskEnd = 'well'
      try {
        return await run()
      } catch (error) {
        end = signal.aborted ? 'none' : isIll(error) ? 'ill' : 'well'
        if (end === 'ill') latest = error instanceof Error ? error.message : String(error)
        throw error
      } finally {
        state = asked(state, { end, probe, now: runtime.now() }, limits)
      }
    },
  }
}

function leftAlone(provider: string, retryAfterMs: number, latest: string): ModelError {
  const seconds = Math.ceil(retryAfterMs / 1000)
  // The reason comes first, because a shown message may be cut.
  const message = `${latest.replace(/\.?$/, '.')} ${provider} failed too often running and is left alone for another ${seconds} s.`
  return new ModelError(message, {
    type: 'unavailable',
    retryAfterMs,
    providerCode: breakerOpen,
    mayBeCharged: false,
  })
}

/** The error code of a request that was refused by the breaker. */
export const breakerOpen = 'breaker_open'

/** Whether an error shows that the provider is unhealthy. A provider that refuses a request or sets a rate limit is healthy. */
function isIll(error: unknown): boolean {
  return error instanceof ModelError ? error.ill : classifyError(error ?? 'it failed').retryable
}
