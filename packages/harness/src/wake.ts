import type { Runtime } from './runtime.ts'

/** Something to wait for that may be rung from anywhere; rings that come while nobody waits count as one. */
export class Wake {
  readonly #runtime: Pick<Runtime, 'sleep'>
  #rung = false
  #waiting: AbortController | undefined

  constructor(runtime: Pick<Runtime, 'sleep'>) {
    this.#runtime = runtime
  }

  ring(): void {
    this.#rung = true
    this.#waiting?.abort()
  }

  /** Until it is rung, `ms` have passed, or `signal` aborts. True where it was rung. */
  async wait(ms: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#rung && !signal.aborted) await this.#sleep(ms, signal)
    const rung = this.#rung
    this.#rung = false
    return rung
  }

  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    const controller = new AbortController()
    this.#waiting = controller
    try {
      await this.#runtime.sleep(Math.min(ms, 2 ** 31 - 1), AbortSignal.any([controller.signal, signal]))
    } catch (error) {
      if (!controller.signal.aborted && !signal.aborted) throw error
    } finally {
      this.#waiting = undefined
    }
  }
}
