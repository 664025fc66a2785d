/**
 * The server's clock as seen by this process: its last known value plus the time since then by a monotonic clock. This saves a query before
 * every append. Leases and timers are judged by the server itself.
 */
export class ServerClock {
  readonly #fixed: (() => number) | undefined
  #said = 0
  #saidAt = 0

  /** `fixed` replaces the server's clock in tests. */
  constructor(fixed: (() => number) | undefined) {
    this.#fixed = fixed
  }

  now(): number {
    if (this.#fixed !== undefined) return Math.floor(this.#fixed())
    return Math.floor(this.#said + performance.now() - this.#saidAt)
  }

  /** The value that statements pass as "now": null, so that the server uses its own clock. */
  get override(): number | null {
    return this.#fixed === undefined ? null : Math.floor(this.#fixed())
  }

  heard(milliseconds: number): void {
    this.#said = milliseconds
    this.#saidAt = performance.now()
  }

  /** True if the last value is so old that the two clocks may have drifted apart. */
  get stale(): boolean {
    return this.#fixed === undefined && performance.now() - this.#saidAt > 60_000
  }
}
