/**
 * The steps that a worker of this process will probably claim next, in the order that the server last returned. Claims are decided by them
 * before the server is asked, and the server checks each one.
 */
import type { TakeOptions } from '@agentm/nodes'
import type { KnownHeadRow } from './rows.ts'

const fewest = 16
const most = 64

export class Ahead {
  #rows: readonly KnownHeadRow[] = []
  /** True if the server had no more ready steps than these. */
  #isAll = false
  #for = ''

  /** Removes and returns at most `k` steps, so that a concurrent claim gets the steps after them. */
  draw(options: TakeOptions): readonly KnownHeadRow[] {
    if (this.#for !== questionOf(options)) this.#rows = []
    if (this.#rows.length < options.k && !this.#isAll) return []
    const drawn = this.#rows.slice(0, options.k)
    this.#rows = this.#rows.slice(options.k)
    return drawn
  }

  /** How many next steps to request with the claims: 0 while enough are cached, but at least one if the claim uses no cached step. */
  wanted({ k }: TakeOptions, guessed: boolean): number {
    return guessed && this.#rows.length >= k ? 0 : Math.min(most, Math.max(fewest, 2 * k))
  }

  /** Caches the steps that the server returned; `asked` is the number that was requested. */
  saw(options: TakeOptions, rows: readonly KnownHeadRow[], asked: number): void {
    this.#for = questionOf(options)
    this.#rows = rows
    this.#isAll = rows.length < asked
  }
}

function questionOf({ owners, concepts, partition, parents, kinds }: TakeOptions): string {
  return JSON.stringify([owners, concepts, partition, parents, kinds])
}
