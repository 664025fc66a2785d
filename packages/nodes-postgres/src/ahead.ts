/**
 * The steps that a worker of this process will probably get next, in the order that the server last returned. It is decided on
 * before the server
 * is asked, and the server checks every bit of it.
 */
import type { TakeOptions } from '@agentm/nodes'
import type { KnownHeadRow } from './rows.ts'

const fewest = 16
const most = 64

export class Ahead {
  #rows: readonly KnownHeadRow[] = []
  /** The server had no more than these. */
  #isAll = false
  #for = ''

  /** At most `k`. They are gone from here: whoever guesses at the same time guesses what comes after them. */
  draw(options: TakeOptions): readonly KnownHeadRow[] {
    if (this.#for !== questionOf(options)) this.#rows = []
    if (this.#rows.length < options.k && !this.#isAll) return []
    const drawn = this.#rows.slice(0, options.k)
    this.#rows = this.#rows.slice(options.k)
    return drawn
  }

  /** How many to ask for beside the claims: nothing while enough is known, but always something where none is guessed. */
  wanted({ k }: TakeOptions, guessed: boolean): number {
    return guessed && this.#rows.length >= k ? 0 : Math.min(most, Math.max(fewest, 2 * k))
  }

  /** The server was asked for so many, and had these. */
  saw(options: TakeOptions, rows: readonly KnownHeadRow[], asked: number): void {
    this.#for = questionOf(options)
    this.#rows = rows
    this.#isAll = rows.length < asked
  }
}

function questionOf({ owners, concepts, partition, parents, kinds }: TakeOptions): string {
  return JSON.stringify([owners, concepts, partition, parents, kinds])
}
