/**
 * Numbers every change of what recall ranks, so that caches know what they have not seen. A new row's key is the number of
 * its change, and every other change is listed in `stirred`; so the newest number is the higher end of the two, and no key is
 * ever used again.
 */
import type { Connection } from './connection.ts'

export class ChangeCounter {
  readonly #writer: Connection
  #value: number | undefined
  #committed = 0

  constructor(writer: Connection) {
    this.#writer = writer
  }

  /** As of the last commit of this process that changed something. */
  get committed(): number {
    return this.#committed
  }

  /** Inside a write transaction only. */
  next(): number {
    this.#value ??= latestChange(this.#writer)
    this.#value += 1
    return this.#value
  }

  /** A row that was changed, or is gone: whoever has it in memory looks again. */
  stir(key: number): void {
    this.#writer.run('insert into stirred (change, key) values (?, ?)', this.next(), key)
  }

  /** After the transaction, whatever became of it. */
  forget({ committed }: { readonly committed: boolean }): void {
    if (committed && this.#value !== undefined) this.#committed = this.#value
    this.#value = undefined
  }
}

export function latestChange(connection: Connection): number {
  return connection.number(
    'select max(coalesce((select max(key) from recall), 0), coalesce((select max(change) from stirred), 0))',
  )
}
