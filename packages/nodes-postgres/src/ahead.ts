/**
 * What a worker of this process will probably get next, as the server said when it last answered: the oldest ready heads, in
 * fair order where several partitions wait. It is decided on before the server is asked, and the server checks every bit of it.
 */
import type { TakeOptions } from '@agentm/nodes'
import type { HeadRow } from './node-rows.ts'

export interface AheadRow extends HeadRow {
  readonly first_created_at: number
}

const fewest = 16
const most = 64
/** After a wrong guess the next claims are not guessed, and more of them each time. */
const longestPause = 64

export class Ahead {
  #rows: readonly AheadRow[] = []
  /** The server had no more than these. */
  #isAll = false
  #for = ''
  #pause = 0
  #left = 0

  /** Whether a guess is worth its question; counts the claims that pass without one. */
  mayGuess(): boolean {
    if (this.#left === 0) return true
    this.#left -= 1
    return false
  }

  /**
   * At most `k`, in the order the server would give them; nothing where they are not of one owner. They are gone from
   * here: whoever guesses at the same time guesses what comes after them.
   */
  draw(options: TakeOptions): readonly AheadRow[] {
    if (this.#for !== questionOf(options)) this.#rows = []
    if (this.#rows.length < options.k && !this.#isAll) return []
    const drawn = this.#rows.slice(0, options.k)
    // One statement writes for one owner.
    if (drawn.some(({ owner }) => owner !== drawn[0]?.owner)) return []
    this.#rows = this.#rows.slice(options.k)
    return drawn
  }

  /** How many to ask for along with the claims: nothing while enough is known, but always something where none is guessed. */
  wanted({ k }: TakeOptions, guessed: boolean): number {
    return guessed && this.#rows.length >= k ? 0 : Math.min(most, Math.max(fewest, 2 * k))
  }

  /** What was drawn and not claimed comes first again. */
  wasRight(unclaimed: readonly AheadRow[]): void {
    this.#rows = [...unclaimed, ...this.#rows]
    this.#pause = 0
  }

  /** The server was asked for so many, and had these. */
  saw(options: TakeOptions, rows: readonly AheadRow[], asked: number): void {
    this.#for = questionOf(options)
    this.#rows = rows
    this.#isAll = rows.length < asked
  }

  wasWrong(): void {
    this.#rows = []
    this.#isAll = false
    this.#pause = Math.min(longestPause, Math.max(1, this.#pause * 2))
    this.#left = this.#pause
  }
}

function questionOf({ owners, concepts, partition, parents, kinds }: TakeOptions): string {
  return JSON.stringify([owners, concepts, partition, parents, kinds])
}
