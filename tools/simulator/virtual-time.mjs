// @ts-check
/** Time that passes only when nobody has anything left to do. An hour of waiting costs nothing, and repeats exactly. */

/** @typedef {{ readonly at: number, readonly order: number, run: (() => void) | undefined }} Timer */

export class VirtualTime {
  now = Date.UTC(2026, 0, 1)
  events = 0
  /** A heap by time, then by order. @type {Timer[]} */
  #timers = []
  #order = 0

  /** @param {number} ms @param {() => void} run @returns {() => void} takes it back */
  after(ms, run) {
    /** @type {Timer} */
    const timer = { at: this.now + Math.max(0, ms), order: this.#order++, run }
    this.#push(timer)
    return () => (timer.run = undefined)
  }

  /** @param {number} ms @param {AbortSignal} [signal] @returns {Promise<void>} */
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const abort = () => reject(signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
      this.after(ms, () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      })
    })
  }

  /** Until `done` says so, which is true, or nothing more can happen before `deadline`. @param {() => boolean} done @param {number} deadline */
  async run(done, deadline) {
    for (;;) {
      await settled()
      if (done()) return true
      const next = this.#next()
      if (next === undefined || next.at > deadline) {
        // Nothing happens until then, and time passes all the same: leases end.
        this.now = Math.max(this.now, deadline)
        return false
      }
      this.#pop()
      this.events += 1
      this.now = Math.max(this.now, next.at)
      next.run?.()
    }
  }

  /** The first that was not taken back. */
  #next() {
    while (this.#timers[0]?.run === undefined && this.#timers.length > 0) this.#pop()
    return this.#timers[0]
  }

  /** @param {Timer} timer */
  #push(timer) {
    const heap = this.#timers
    let i = heap.push(timer) - 1
    for (let above = (i - 1) >> 1; i > 0 && isBefore(timer, heap[above]); above = (i - 1) >> 1) {
      heap[i] = /** @type {Timer} */ (heap[above])
      i = above
    }
    heap[i] = timer
  }

  #pop() {
    const heap = this.#timers
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let i = 0
    for (;;) {
      const [left, right] = [2 * i + 1, 2 * i + 2]
      const least = right < heap.length && isBefore(heap[right], heap[left]) ? right : left
      if (least >= heap.length || !isBefore(heap[least], last)) break
      heap[i] = /** @type {Timer} */ (heap[least])
      i = least
    }
    heap[i] = last
  }
}

/** @param {Timer | undefined} a @param {Timer | undefined} b */
function isBefore(a, b) {
  if (a === undefined || b === undefined) return a !== undefined
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}

/** Every promise that can go on has gone on. @returns {Promise<void>} */
function settled() {
  return new Promise((resolve) => void setImmediate(resolve))
}
