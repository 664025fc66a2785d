/** Aborts a request that takes too long, or that receives no more data. */
import type { StoreRuntime } from '@agentm/nodes'

export interface WatchdogOptions {
  readonly runtime: Pick<StoreRuntime, 'sleep'>
  /** The limit for the whole request. */
  readonly timeoutMs: number
  /** The longest time without data. */
  readonly silenceMs: number
  /** Aborts the request. */
  readonly signal: AbortSignal
}

export class Watchdog {
  readonly #runtime: WatchdogOptions['runtime']
  readonly #silenceMs: number
  readonly #late = new AbortController()
  readonly #over = new AbortController()
  #listening = new AbortController()
  readonly signal: AbortSignal

  constructor({ runtime, timeoutMs, silenceMs, signal }: WatchdogOptions) {
    this.#runtime = runtime
    this.#silenceMs = silenceMs
    this.signal = AbortSignal.any([signal, this.#late.signal])
    this.#wait(timeoutMs, this.#over.signal, `no whole answer within ${timeoutMs} ms`)
    this.heard()
  }

  /** Why the watchdog ended the request; `undefined` if it did not. */
  get bark(): string | undefined {
    return this.#late.signal.aborted ? String(this.#late.signal.reason) : undefined
  }

  heard(): void {
    this.#listening.abort()
    this.#listening = new AbortController()
    this.#wait(this.#silenceMs, this.#listening.signal, `nothing was heard for ${this.#silenceMs} ms`)
  }

  stop(): void {
    this.#listening.abort()
    this.#over.abort()
  }

  #wait(ms: number, ended: AbortSignal, why: string): void {
    void this.#runtime.sleep(ms, ended).then(
      () => ended.aborted || this.#late.abort(why),
      () => undefined,
    )
  }
}
