import type { Runtime } from '@agentm/agent-loop'

/**
 * A bell that any code can ring and one loop waits for. Several rings while nobody waits count as one. A timer that was not needed
 * is reused for the next wait, because cancelling one is expensive. However often `wait` is called, there is at most one timer and
 * one listener on the signal.
 */
export class Wake {
  readonly #runtime: Pick<Runtime, 'now' | 'sleep'>
  #rung = false
  #resume: (() => void) | undefined
  #timer: { readonly at: number; readonly stopping: AbortController } | undefined
  #heard: AbortSignal | undefined

  constructor(runtime: Pick<Runtime, 'now' | 'sleep'>) {
    this.#runtime = runtime
  }

  ring(): void {
    this.#rung = true
    this.#resume?.()
  }

  /** Resolves when it is rung, after about `ms`, or when `signal` aborts; it may resolve early. `true` if it was rung. */
  async wait(ms: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#rung && !signal.aborted) {
      const resumed = new Promise<void>((resolve) => {
        this.#resume = resolve
      })
      this.#hear(signal)
      this.#setTimer(Math.min(ms, longestTimerMs))
      await resumed
      this.#resume = undefined
    }
    const rung = this.#rung
    this.#rung = false
    return rung
  }

  #hear(signal: AbortSignal): void {
    if (this.#heard === signal) return
    this.#heard = signal
    const over = (): void => {
      this.#timer?.stopping.abort(notNeeded)
      this.#resume?.()
    }
    signal.addEventListener('abort', over, { once: true })
  }

  #setTimer(ms: number): void {
    const at = this.#runtime.now() + ms
    if (this.#timer !== undefined && this.#timer.at <= at) return
    this.#timer?.stopping.abort(notNeeded)
    const timer = { at, stopping: new AbortController() }
    this.#timer = timer
    const end = (): void => {
      if (this.#timer !== timer) return
      this.#timer = undefined
      this.#resume?.()
    }
    void this.#runtime.sleep(ms, timer.stopping.signal).then(end, end)
  }
}

/** One shared reason, because an abort without a reason creates an error with a stack each time. */
const notNeeded = new Error('the timer is not needed')

const longestTimerMs = 2 ** 31 - 1
