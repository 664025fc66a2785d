import type { LoopScope } from './tool.ts'

/** What is to be done when a loop ends. */
export class OpenScope implements LoopScope {
  readonly #ends: (() => Promise<void>)[] = []

  onEnd(end: () => Promise<void>): void {
    this.#ends.push(end)
  }

  /** Waits for all of them even if one throws. */
  async close(): Promise<void> {
    const ending = this.#ends.splice(0).map(async (end) => end())
    await Promise.allSettled(ending)
    await Promise.all(ending)
  }
}
