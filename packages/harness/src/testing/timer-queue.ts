/** Waiting callers by the time at which they go on, then by the order in which they began to wait. */
export class TimerQueue {
  now: number
  readonly #timers: Timer[] = []

  constructor(now: number) {
    this.now = now
  }

  /** Resolves once `runNext` reached that time. Rejects with the reason of the signal. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason as Error)
      const timer: Timer = { at: this.now + Math.max(0, ms), run: resolve, cancelled: false }
      const abort = (): void => {
        timer.cancelled = true
        reject(signal?.reason as Error)
      }
      signal?.addEventListener('abort', abort, { once: true })
      timer.run = () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      this.#insert(timer)
    })
  }

  /** Sets the time to the next timer and runs it. If there is none until `limit`, sets the time to the limit and returns false. */
  runNext(limit: number): boolean {
    let next = this.#timers.at(-1)
    for (; next?.cancelled === true; next = this.#timers.at(-1)) this.#timers.pop()
    if (next === undefined || next.at > limit) {
      this.now = Math.max(this.now, limit)
      return false
    }
    this.#timers.pop()
    this.now = Math.max(this.now, next.at)
    next.run()
    return true
  }

  /** The first one to run stands last, where it is cheap to take. */
  #insert(timer: Timer): void {
    let [low, high] = [0, this.#timers.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#timers[middle]?.at ?? 0) > timer.at) low = middle + 1
      else high = middle
    }
    this.#timers.splice(low, 0, timer)
  }
}

interface Timer {
  readonly at: number
  run: () => void
  cancelled: boolean
}
