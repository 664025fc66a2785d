/**
 * How far the log is settled: no version with a lower sequence number can appear later. Numbers are assigned before commits, so a
 * transaction that commits late fills a gap below visible rows. A stretch without gaps is settled. A gap is skipped once every transaction
 * that could fill it has ended. A later snapshot shows this, because transactions get their own number before they take sequence numbers.
 */
import type { Database } from './database.ts'
import { nodeColumns, type NodeRow } from './rows.ts'

/** The new versions that a feed wants; each check returns them too. */
export interface Interest {
  readonly owners: readonly string[]
  /** Default: all of them. */
  readonly concepts: readonly string[] | undefined
}

interface Glance {
  readonly top: number
  readonly count: number
  readonly xmin: string
  readonly xmax: string
}

/** A version or none: the position is returned even without new versions. */
type GlanceRow = Glance & (NodeRow | { readonly seq: null })

/** The versions between two numbers that the last check returned, for the feeds that were registered then. */
interface Tail {
  readonly from: number
  readonly upto: number
  readonly rows: readonly NodeRow[]
  readonly interests: ReadonlySet<Interest>
}

/** When all transactions below `xmax` have ended, everything up to `top` is settled. */
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
  readonly #interests = new Set<Interest>()
  #tail: Tail | undefined

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

  /** Checks again. Everything committed before the call is included. Calls that wait for a check share it. */
  async advance(): Promise<void> {
    this.#next ??= this.#after(this.#running)
    return this.#next
  }

  /** Registers a feed: from now on checks also return the versions it wants. */
  join(interest: Interest): void {
    this.#interests.add(interest)
  }

  leave(interest: Interest): void {
    this.#interests.delete(interest)
  }

  /** The settled versions after `after`, if the last check returned all of them. */
  seenBehind(after: number, interest: Interest): readonly NodeRow[] | undefined {
    const tail = this.#tail
    if (tail === undefined || !tail.interests.has(interest)) return undefined
    if (tail.from > after || tail.upto !== this.settled) return undefined
    return tail.rows.filter(({ seq, owner, concept }) => seq > after && wants(interest, { owner, concept }))
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
    const interests = new Set(this.#interests)
    const { glance, rows } = await this.#glance(from, { first, interests })
    const { top, count, xmin, xmax } = glance
    const oldest = Number(xmin)
    for (const promised of this.#promised) if (promised.xmax <= oldest) this.#reach(promised.top)
    this.#promised = this.#promised.filter((promised) => promised.xmax > oldest)
    if (top <= this.settled) this.#reach(this.settled)
    else if (xmin === xmax || (!first && count === top - from)) this.#reach(top)
    // Up to here, the settled range and the rows come from the same snapshot.
    const upto = this.settled
    this.#tail =
      first || rows.length >= tailLength
        ? undefined
        : { from, upto, rows: rows.filter(({ seq }) => seq <= upto), interests }
    if (upto < top) {
      if (this.#promised.at(-1)?.top !== top) this.#promised.push({ top, xmax: Number(xmax) })
      this.#reach(await this.#withoutGap(upto))
    }
    this.#unsettled = this.settled < top
    if (!this.#unsettled) this.#promised = []
  }

  #reach(seq: number): void {
    this.#settled = Math.max(this.#settled, seq)
  }

  /** One statement, so that the rows and the open transactions are from one moment. */
  async #glance(
    from: number,
    { first, interests }: { readonly first: boolean; readonly interests: ReadonlySet<Interest> },
  ): Promise<{ readonly glance: Glance; readonly rows: readonly NodeRow[] }> {
    const { schema } = this.#database
    // The first check would count the whole log. It uses a snapshot instead, which usually takes no time.
    const count = first ? '0' : `(select count(*) from ${schema}.nodes where seq > $1)`
    const glance = `select coalesce((select max(seq) from ${schema}.nodes), 0) as top, ${count} as count,
        pg_snapshot_xmin(s)::text as xmin, pg_snapshot_xmax(s)::text as xmax from pg_current_snapshot() s
        where $1::bigint is not null`
    const found = await this.#database.read<GlanceRow>(
      first || interests.size === 0
        ? { text: `select g.*, null as seq from (${glance}) g`, values: [from] }
        : {
            text: `select g.*, n.* from (${glance}) g left join lateral (
                select ${nodeColumns} from ${schema}.nodes n
                where n.seq > $1 and n.owner = any ($2) and ($3::text[] is null or n.concept = any ($3))
                order by n.seq limit ${tailLength}
              ) n on true order by n.seq`,
            values: [from, ...wantedBy(interests)],
          },
    )
    const [row] = found
    if (row === undefined) throw new TypeError('a select without a table answers one row')
    return { glance: row, rows: found.flatMap((each) => (each.seq === null ? [] : [each])) }
  }

  /** The end of the stretch without gaps that starts after `from`. */
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

/** Beyond this number of versions each feed reads its own pages. */
const tailLength = 200

function wants({ owners, concepts }: Interest, { owner, concept }: Pick<NodeRow, 'owner' | 'concept'>): boolean {
  return owners.includes(owner) && (concepts === undefined || concepts.includes(concept))
}

function wantedBy(interests: ReadonlySet<Interest>): readonly [readonly string[], readonly string[] | null] {
  const all = [...interests]
  const owners = new Set(all.flatMap((each) => each.owners))
  const concepts = all.some((each) => each.concepts === undefined)
    ? null
    : new Set(all.flatMap((each) => each.concepts ?? []))
  return [[...owners], concepts === null ? null : [...concepts]]
}
