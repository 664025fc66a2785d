/** The same choices for the same seed, so that what a fuzz run found can be run again. */
import { seededRandom } from './pure/seeded-random.ts'

export class SeededChoice {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = seededRandom(seed)
  }

  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.#next() * end)
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0]
  }

  /** True in about this share of the calls. */
  chance(share: number): boolean {
    return this.#next() < share
  }
}
