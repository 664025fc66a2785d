/**
 * Moves the time of a `TimerQueue`, one timer after another, each once nothing is left to do. However many callers want time to pass,
 * one loop moves it.
 */
import type { TimerQueue } from './timer-queue.ts'

/** Until when a caller wants time to pass: until the promise settles, and at the longest until `limit`. */
interface Goal {
  readonly limit: number
  readonly until?: Promise<unknown>
}

interface Waiter {
  readonly limit: number
  readonly tell: (isReached: boolean) => void
}

export class TimeDriver {
  readonly #timers: TimerQueue
  readonly #waiters = new Set<Waiter>()
  readonly #held = new Set<Promise<unknown>>()
  #isDriving = false

  constructor(timers: TimerQueue) {
    this.#timers = timers
  }

  /** Whether the promise settled before the limit. */
  drive({ limit, until }: Goal): Promise<boolean> {
    return new Promise((tell) => {
      const waiter = { limit, tell }
      this.#waiters.add(waiter)
      const settle = (): void => this.#end(waiter, true)
      until?.then(settle, settle)
      if (!this.#isDriving) void this.#loop()
    })
  }

  /** Time stands still until this work ends. */
  async hold<T>(work: Promise<T>): Promise<T> {
    this.#held.add(work)
    try {
      return await work
    } finally {
      this.#held.delete(work)
    }
  }

  async #loop(): Promise<void> {
    this.#isDriving = true
    for (;;) {
      await this.#untilQuiet()
      if (this.#waiters.size === 0) break
      const limit = Math.min(...[...this.#waiters].map((waiter) => waiter.limit))
      if (this.#timers.runNext(limit)) continue
      for (const waiter of this.#waiters) if (waiter.limit <= limit) this.#end(waiter, false)
    }
    this.#isDriving = false
  }

  /** Everything that can go on without time has gone on, or nobody wants time to pass any more. */
  async #untilQuiet(): Promise<void> {
    for (let turn = 0; turn < quietTurns && this.#waiters.size > 0; turn++) {
      if (this.#held.size > 0) {
        await Promise.allSettled(this.#held)
        turn = 0
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  #end(waiter: Waiter, isReached: boolean): void {
    if (this.#waiters.delete(waiter)) waiter.tell(isReached)
  }
}

/**
 * A write, the news of it, and what follows from the news are each handed on in a later turn of the event loop: on a file, a worker that
 * sets its next timer after a write takes some forty turns. With too few, time would pass before that timer is set. A turn in which
 * nothing happens takes microseconds.
 */
const quietTurns = 256
