/** What earlier passes of a run recorded, by position, and in the order in which the function was given it. */
import { isSettled } from './entry.ts'
import type { Asked } from './function-errors.ts'
import type { Recorded } from './function-log.ts'

export class Journal {
  readonly #known: ReadonlyMap<number, Recorded>
  /** What the function was given, in order. */
  readonly given: readonly Recorded[]

  constructor(entries: readonly Recorded[]) {
    this.#known = new Map(entries.map((recorded) => [recorded.entry.position, recorded]))
    this.given = entries.filter(({ entry }) => isSettled(entry)).toSorted((a, b) => a.seq - b.seq)
  }

  at(position: number): Recorded | undefined {
    return this.#known.get(position)
  }

  /** What was recorded at or behind a position, if anything was. */
  behind(position: number): Recorded | undefined {
    return [...this.#known.values()].find(({ entry }) => entry.position >= position)
  }

  /** What stands where the function asks for something else now. */
  otherThan({ position, op, name }: Asked): Recorded | undefined {
    const known = this.#known.get(position)
    return known === undefined || (known.entry.op === op && known.entry.name === name) ? undefined : known
  }

  /** The numbers of the messages that signals have taken. */
  get taken(): readonly number[] {
    return this.given.flatMap(({ entry }) => entry.message ?? [])
  }

  get isCancelled(): boolean {
    return this.given.some(({ entry }) => entry.op === 'cancel')
  }
}
