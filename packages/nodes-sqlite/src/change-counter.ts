/**
 * Numbers every change of the data that recall ranks, so that caches know which changes they have not seen. A new row's key is the number
 * of its change. Every other change is listed in `stirred`. So the newest number is the higher end of the two, and no key is used twice.
 */
import type { Connection } from './connection.ts'

export class ChangeCounter {
  readonly #writer: Connection
  #value: number | undefined
  #committed = 0

  constructor(writer: Connection) {
    this.#writer = writer
  }

  /** The number after the last commit of this process that changed something. */
  get committed(): number {
    return this.#committed
  }

  /** The next number. Only inside a write transaction. */
  next(): number {
    this.#value ??= latestChange(this.#writer)
    this.#value += 1
    return this.#value
  }

  /** Lists a row as changed or removed, so that caches read it again. */
  stir(key: number): void {
    this.#writer.run('insert into stirred (change, key) values (?, ?)', this.next(), key)
  }

  /** To be called after each transaction, committed or not. */
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
