/**
 * Leaves other processes their turn. Who waits puts a mark beside the lock; who has used a full hold and finds the mark
 * stays away for longer than any of us sleeps between two tries. The Python implementation leaves no mark and sleeps up
 * to 200 ms, so long unbroken use ends with a rest it cannot miss.
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

  /** Says that this process waits. A mark that cannot be made costs time, nothing else. */
  async ask(): Promise<void> {
    await this.#world.fs.mkdir(this.#mark).catch(() => {})
  }

  /** Whether somebody has put the mark there; takes it away. */
  async isAsked(): Promise<boolean> {
    return this.#world.fs.rmdir(this.#mark).then(
      () => true,
      () => false,
    )
  }

  /** How long to stay away after a full hold that began at `began` and has just been given back. */
  async rest(began: number): Promise<number> {
    const now = this.#world.runtime.monotonic()
    if (began - this.#until > unbrokenMs) this.#since = began
    const rest = restMs(now - this.#since, await this.isAsked())
    if (rest > unbrokenMs) this.#since = now + rest
    this.#until = now + rest
    return rest
  }
}
