/**
 * The HNSW index of an embedder's vectors, built in the background once there are many. Inserting a vector into it takes longer than the
 * rest of an append. So new vectors wait beside the index, where recall compares them one by one, and this code inserts them before they
 * are too many.
 */
import type pg from 'pg'
import type { Database } from './database.ts'
import type { VectorType } from './vector-type.ts'

/** Up to this number, comparing all vectors takes a few milliseconds and needs no index. */
const fewVectors = 10_000
/** The most vectors that wait; comparing them takes about a millisecond. */
const mostWaiting = 2000
/** Vectors that one statement inserts. A writer of the same vectors waits only for these. */
const atOnce = 100
const betweenLooksMs = 5000

interface State {
  readonly ready: boolean
  /** Counted only up to the limit that matters. */
  readonly count: number
  readonly waiting: number
}

export class NearIndex {
  readonly #database: Database
  readonly #type: VectorType
  /** Whether an index is ready, and when that was last checked. */
  readonly #known = new Map<number, { readonly ready: boolean; readonly askedAt: number }>()
  readonly #lookedAt = new Map<number, number>()
  readonly #looks = new Map<number, NodeJS.Timeout>()
  #working: Promise<void> = Promise.resolve()
  #client: pg.Client | undefined
  #closed = false

  constructor(database: Database, type: VectorType) {
    this.#database = database
    this.#type = type
  }

  async isReady(embedder: number): Promise<boolean> {
    const known = this.#known.get(embedder)
    const isFresh = known !== undefined && (known.ready || performance.now() - known.askedAt < 1000)
    const ready = isFresh ? known.ready : (await this.#state(embedder)).ready
    this.grown(embedder)
    return ready
  }

  /** To be called when vectors were written: now and then checks whether to build the index or insert waiting vectors. */
  grown(embedder: number): void {
    if (this.#type.dimensions === 0 || this.#closed || this.#looks.has(embedder)) return
    const since = performance.now() - (this.#lookedAt.get(embedder) ?? -Infinity)
    const look = setTimeout(() => this.#work(embedder), Math.max(0, betweenLooksMs - since))
    // The timer does not keep the process alive; a later process checks too.
    this.#looks.set(embedder, look.unref())
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const look of this.#looks.values()) clearTimeout(look)
    await this.#database.disconnect(this.#client)
    await this.#working
  }

  async #state(embedder: number): Promise<State> {
    const { schema } = this.#database
    const [state = { ready: false, count: 0, waiting: 0 }] = await this.#database.read<State>({
      text: `select x.ready,
          (select count(*) from (select from ${schema}.vectors where embedder = $2 limit $3) v) as count,
          (select count(*) from (select from ${schema}.vectors where embedder = $2 and waits limit $4) w) as waiting
        from (select coalesce((select indisvalid from pg_index where indexrelid = to_regclass($1)), false) as ready) x`,
      values: [`${schema}.${indexName(embedder)}`, embedder, fewVectors + 1, mostWaiting + 1],
    })
    this.#known.set(embedder, { ready: state.ready, askedAt: performance.now() })
    return state
  }

  #work(embedder: number): void {
    this.#looks.delete(embedder)
    this.#lookedAt.set(embedder, performance.now())
    // One embedder after the other. Meanwhile vectors are compared one by one, which is slower and correct.
    this.#working = this.#working.then(async () => this.#look(embedder)).catch(() => undefined)
  }

  async #look(embedder: number): Promise<void> {
    if (this.#closed) return
    const { ready, count, waiting } = await this.#state(embedder)
    if (ready ? waiting <= mostWaiting : count <= fewVectors) return
    await this.#alone(embedder, async (client) => {
      if (ready && !(await this.#isBehind(client, embedder))) await this.#takeIn(client, embedder)
      else await this.#build(client, embedder)
    })
  }

  /** Runs `work` in only one process at a time. */
  async #alone(embedder: number, work: (client: pg.Client) => Promise<void>): Promise<void> {
    if (this.#closed) return
    const client = await this.#database.connect('agentm index')
    this.#client = client
    try {
      const lock = await client.query(`select pg_try_advisory_lock(hashtextextended($1, 0)) as mine`, [
        `${this.#database.schema}.${indexName(embedder)}`,
      ])
      if (lock.rows[0]?.mine === true) await work(client)
    } finally {
      this.#client = undefined
      await this.#database.disconnect(client)
    }
  }

  /**
   * Whether more vectors wait than the index contains, as after the first load of a store. Then building the index again is much faster.
   */
  async #isBehind(client: pg.Client, embedder: number): Promise<boolean> {
    const { rows } = await client.query(
      `select count(*) filter (where waits) > count(*) / 2 as behind from ${this.#database.schema}.vectors where embedder = $1`,
      [embedder],
    )
    return rows[0]?.behind === true
  }

  async #build(client: pg.Client, embedder: number): Promise<void> {
    const { schema } = this.#database
    const { extension } = this.#type
    const name = indexName(embedder)
    // From here on all new vectors wait, those of every embedder. Without an index they are compared one by one anyway.
    await client.query(`set lock_timeout = '2s'; alter table ${schema}.vectors alter column waits set default true`)
    // Drops an index that is behind, or the rest of an interrupted build.
    await client.query(`drop index concurrently if exists ${schema}.${name}`)
    this.#known.delete(embedder)
    await client.query(`update ${schema}.vectors set waits = false where embedder = $1 and waits`, [embedder])
    const dimensions = `select dimensions from ${schema}.embedders where id = $1`
    const { rows } = await client.query(dimensions, [embedder])
    await client.query(
      `create index concurrently if not exists ${name} on ${schema}.vectors
        using hnsw ((vec::${extension}.vector(${rows[0].dimensions})) ${extension}.vector_ip_ops)
        where embedder = ${embedder} and vec is not null and not waits`,
    )
    // An index from before vectors could wait would insert each one at once.
    await client.query(`drop index concurrently if exists ${schema}.vectors_near_${embedder}`)
    // If the planner believed that the tables are small, it would sort them and not use the index.
    await client.query(`analyze ${schema}.vectors, ${schema}.items`)
    this.#known.delete(embedder)
  }

  /** Inserts waiting vectors. After each statement it pauses for as long as the statement took, so that others can work. */
  async #takeIn(client: pg.Client, embedder: number): Promise<void> {
    const { schema, settings } = this.#database
    for (let taken = atOnce; taken === atOnce && !this.#closed;) {
      const began = performance.now()
      const { rowCount } = await client.query(
        `update ${schema}.vectors set waits = false where key in (
          select key from ${schema}.vectors where embedder = $1 and waits order by key limit ${atOnce} for update skip locked
        )`,
        [embedder],
      )
      taken = rowCount ?? 0
      await settings.runtime.sleep(performance.now() - began)
    }
  }
}

function indexName(embedder: number): string {
  return `vectors_nearest_${embedder}`
}
