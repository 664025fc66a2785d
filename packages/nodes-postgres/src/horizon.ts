/**
 * How far the log is settled: below this sequence number nothing can appear any more. Numbers are handed out before
 * commits, so a transaction that commits late fills a gap below rows that are visible already. A stretch without gaps is
 * settled as it is. A gap is given up once every transaction that could still fill it has ended, which a snapshot taken
 * later tells: transactions get their own number before they take sequence numbers.
 */
import type { Database } from './database.ts'

interface Glance {
  readonly top: number
  readonly count: number
  readonly xmin: string
  readonly xmax: string
}

/** Once all transactions below `xmax` have ended, everything up to `top` is settled. */
interface Promised {
  readonly top: number
  readonly xmax: number
}

export class Horizon {
  readonly #database: Database
  #settled = -1
  #promised: Promised[] = []
  #unsettled = false
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(database: Database) {
    this.#database = database
  }

  /** Every version up to this number is visible, or never will be. */
  get settled(): number {
    return Math.max(0, this.#settled)
  }

  /** True while rows are visible behind a gap that may still be filled. */
  get unsettled(): boolean {
    return this.#unsettled
  }

  /** Looks again. What was committed before the call is taken into account; calls that wait for a look share it. */
  async advance(): Promise<void> {
    this.#next ??= this.#after(this.#running)
    return this.#next
  }

  async #after(running: Promise<void>): Promise<void> {
    await running.catch(() => undefined)
    this.#running = this.#look()
    this.#next = undefined
    return this.#running
  }

  async #look(): Promise<void> {
    const from = this.settled
    const first = this.#settled < 0
    const { top, count, xmin, xmax } = await this.#glance(from, first)
    const oldest = Number(xmin)
    for (const promised of this.#promised) if (promised.xmax <= oldest) this.#reach(promised.top)
    this.#promised = this.#promised.filter((promised) => promised.xmax > oldest)
    if (top <= this.settled) this.#reach(this.settled)
    else if (xmin === xmax || (!first && count === top - from)) this.#reach(top)
    else {
      if (this.#promised.at(-1)?.top !== top) this.#promised.push({ top, xmax: Number(xmax) })
      this.#reach(await this.#withoutGap(this.settled))
    }
    this.#unsettled = this.settled < top
    if (!this.#unsettled) this.#promised = []
  }

  #reach(seq: number): void {
    this.#settled = Math.max(this.#settled, seq)
  }

  /** One statement, so that the rows and the transactions that are still open are seen at one moment. */
  async #glance(from: number, first: boolean): Promise<Glance> {
    // The first look would count the whole log; it is settled by a snapshot instead, which most often takes no time.
    const count = first ? '0' : `(select count(*) from ${this.#database.schema}.nodes where seq > $1)`
    const [row] = await this.#database.read<Glance>({
      text: `select coalesce((select max(seq) from ${this.#database.schema}.nodes), 0) as top, ${count} as count,
        pg_snapshot_xmin(s)::text as xmin, pg_snapshot_xmax(s)::text as xmax from pg_current_snapshot() s
        where $1::bigint is not null`,
      values: [from],
    })
    if (row === undefined) throw new TypeError('a select without a table answers one row')
    return row
  }

  /** The end of the stretch without gaps that begins after `from`. */
  async #withoutGap(from: number): Promise<number> {
    const [row] = await this.#database.read<{ upto: number | null }>({
      text: `select max(seq) as upto from (
          select seq, seq - row_number() over (order by seq) as start from ${this.#database.schema}.nodes where seq > $1
        ) stretch where start = $1`,
      values: [from],
    })
    return row?.upto ?? from
  }
}
