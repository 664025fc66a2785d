/**
 * The server's clock as this process sees it: what the server last said, plus the time since by a clock that never jumps.
 * It saves a question before every append; leases and timers are judged by the server itself.
 */
export class ServerClock {
  readonly #fixed: (() => number) | undefined
  #said = 0
  #saidAt = 0

  /** `fixed` is asked instead of the server, for tests that say when. */
  constructor(fixed: (() => number) | undefined) {
    this.#fixed = fixed
  }

  now(): number {
    if (this.#fixed !== undefined) return Math.floor(this.#fixed())
    return Math.floor(this.#said + performance.now() - this.#saidAt)
  }

  /** What a statement passes for "now": nothing, so that the server uses its own. */
  get override(): number | null {
    return this.#fixed === undefined ? null : Math.floor(this.#fixed())
  }

  heard(milliseconds: number): void {
    this.#said = milliseconds
    this.#saidAt = performance.now()
  }

  /** True when the last answer is old enough for two clocks to have drifted apart by something. */
  get stale(): boolean {
    return this.#fixed === undefined && performance.now() - this.#saidAt > 60_000
  }
}
