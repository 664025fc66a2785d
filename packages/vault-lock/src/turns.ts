/**
 * Gives other processes their turn. A waiting process puts a mark beside the lock. A process that has used a full hold and finds the mark
 * pauses for longer than any process of this package sleeps between two attempts. The Python implementation leaves no mark and sleeps up to
 * 200 ms, so after long unbroken use the pause is long enough for it too.
 */
import { dirname, join } from 'node:path'
import { restMs, unbrokenMs } from './pure/rest.ts'
import type { World } from './world.ts'

export class Turns {
  readonly #mark: string
  readonly #world: World
  #since = 0
  #until = 0

  constructor(lockDirectory: string, world: World) {
    this.#mark = join(dirname(lockDirectory), 'waiting')
    this.#world = world
  }

  /** Puts the mark that this process waits. If that fails, the process only waits longer. */
  async ask(): Promise<void> {
    await this.#world.fs.mkdir(this.#mark).catch(() => {})
  }

  /** Whether another process has put the mark. Removes the mark. */
  async isAsked(): Promise<boolean> {
    return this.#world.fs.rmdir(this.#mark).then(
      () => true,
      () => false,
    )
  }

  /** How long to pause after a full hold that began at `began` and was just released. */
  async rest(began: number): Promise<number> {
    const now = this.#world.runtime.monotonic()
    if (began - this.#until > unbrokenMs) this.#since = began
    const rest = restMs(now - this.#since, await this.isAsked())
    if (rest > unbrokenMs) this.#since = now + rest
    this.#until = now + rest
    return rest
  }
}
