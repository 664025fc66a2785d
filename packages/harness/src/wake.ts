import type { Runtime } from '@agentm/agent-loop'

/**
 * A bell that any code may ring and one loop waits for. Several rings while nothing waits count as one. A timer that was
 * not needed in the end is kept for the next wait: cancelling one costs more than the step it was about. There is never more
 * than one, and one listener for the signal, however often it is waited.
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

  /** Until it is rung, about `ms` have passed, or `signal` aborts; it may end early. True where it was rung. */
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

/** Without a reason, each abort makes one with a stack. */
const notNeeded = new Error('the timer is not needed')

const longestTimerMs = 2 ** 31 - 1
