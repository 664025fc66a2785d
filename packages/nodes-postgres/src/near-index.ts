/**
 * The HNSW index of an embedder's vectors, built in the background once there are many. To enter a vector into it takes
 * longer than everything else of an append, so writers leave that: what is new waits beside the index, where recall
 * compares it one by one, and is taken in here before that would be much.
 */
import type pg from 'pg'
import type { Database } from './database.ts'
import type { VectorType } from './vector-type.ts'

/** Up to here, comparing all of them takes a few milliseconds and needs no index. */
const fewVectors = 10_000
/** So many may wait: to compare them takes about a millisecond. */
const mostWaiting = 2000
/** Taken in by one statement; a writer of the same vectors waits no longer than for these. */
const atOnce = 100
const betweenLooksMs = 5000

interface State {
  readonly ready: boolean
  /** No more of either is counted than is needed to know. */
  readonly count: number
  readonly waiting: number
}

export class NearIndex {
  readonly #database: Database
  readonly #type: VectorType
  /** Whether an index is ready, and when that was last asked. */
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

  /** Vectors come or came: now and then somebody looks whether the index is to be built, or to take some in. */
  grown(embedder: number): void {
    if (this.#type.dimensions === 0 || this.#closed || this.#looks.has(embedder)) return
    const since = performance.now() - (this.#lookedAt.get(embedder) ?? -Infinity)
    const look = setTimeout(() => this.#work(embedder), Math.max(0, betweenLooksMs - since))
    // A process that is done does not stay for it: whoever comes next looks too.
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
    // Of several embedders one after the other. Without an index, and with many that wait, everything is compared: slower, and right.
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

  /** One process of all does it. */
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

  /** More wait than are in it, as after the first load of a store: built anew, each costs a fraction. */
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
    // From here on new vectors wait, those of every embedder: what has no index yet is compared one by one in any case.
    await client.query(`set lock_timeout = '2s'; alter table ${schema}.vectors alter column waits set default true`)
    // One that is behind, or what an interrupted build left.
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
    // Made before vectors could wait, it would take in every one at once.
    await client.query(`drop index concurrently if exists ${schema}.vectors_near_${embedder}`)
    // A planner that thinks the tables small would sort them and leave the index alone.
    await client.query(`analyze ${schema}.vectors, ${schema}.items`)
    this.#known.delete(embedder)
  }

  /** With a rest after each statement as long as it took, so that others get on. */
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
