import type { Runtime } from './runtime.ts'

/**
 * Something to wait for that may be rung from anywhere; rings that come while nobody waits count as one. A timer that was
 * not needed in the end is kept for the next wait: cancelling one costs more than the step it was about.
 */
export class Wake {
  readonly #runtime: Pick<Runtime, 'now' | 'sleep'>
  #rung = false
  #resume: (() => void) | undefined
  /** When the timers under way end. */
  readonly #timers = new Set<number>()

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
      this.#setTimer(Math.min(ms, longestTimerMs), signal)
      await resumed
      this.#resume = undefined
    }
    const rung = this.#rung
    this.#rung = false
    return rung
  }

  #setTimer(ms: number, signal: AbortSignal): void {
    const at = this.#runtime.now() + ms
    for (const other of this.#timers) if (other <= at) return
    this.#timers.add(at)
    const end = () => {
      this.#timers.delete(at)
      this.#resume?.()
    }
    void this.#runtime.sleep(ms, signal).then(end, end)
  }
}

const longestTimerMs = 2 ** 31 - 1
