/**
 * Recall with vectors ranked by the server. Few vectors are compared one by one, which is exact. Many are found through
 * an HNSW index: the nearest, the newest and the best by words are candidates, scored in the same statement, and the
 * threshold certificate says whether anything else could matter; it is as good as the index. Where it does not hold, the
 * lists grow, and in the end everything is compared.
 */
import { ceilingOutside, isCertified, type RecallAnswer, type RecallHit, recency } from '@agentm/nodes'
import type pg from 'pg'
import type { KnownEmbedder } from './embedders.ts'
import { heaviest, presentConcepts, weightedConcepts } from './pure/heaviest.ts'
import { lexemeQuery } from './pure/lexemes.ts'
import { rankedStatement, type RankedRow } from './pure/ranked-statement.ts'
import { hitOf, type RecallQuestion } from './recall-question.ts'
import type { StoreParts } from './store-parts.ts'

type Answer = Omit<RecallAnswer, 'widened'>

/** Up to here, comparing all of them takes a few milliseconds and needs no index. */
const fewVectors = 10_000
const firstSize = 512
/** The index looks at no more candidates than this at once. */
const mostByIndex = 1024

export class RecallByServer {
  readonly #parts: StoreParts
  /** Whether an index is ready, and when that was last asked. */
  readonly #indexed = new Map<number, { readonly ready: boolean; readonly askedAt: number }>()
  readonly #triedAt = new Map<number, number>()
  #building: Promise<void> | undefined
  #builder: pg.Client | undefined
  #closed = false

  constructor(parts: StoreParts) {
    this.#parts = parts
  }

  async recall(question: RecallQuestion): Promise<RecallAnswer> {
    const { embedder, asked } = question
    let widened = 0
    if (embedder !== undefined && (await this.#hasIndex(embedder)))
      for (let size = Math.max(firstSize, asked.k); size <= mostByIndex; size *= 2, widened++) {
        const answer = await this.#byIndex(question, embedder, size)
        if (answer.certified) return { ...answer, widened }
      }
    return { ...(await this.#byComparing(question)), widened }
  }

  /** Vectors were added; an index is built in the background once there are many. */
  grown(embedder: number): void {
    if (this.#indexed.get(embedder)?.ready === true || this.#building !== undefined || this.#closed) return
    if (performance.now() - (this.#triedAt.get(embedder) ?? -Infinity) < 5000) return
    this.#triedAt.set(embedder, performance.now())
    this.#building = this.#build(embedder)
      // Without an index, everything is compared: slower, and right.
      .catch(() => undefined)
      .finally(() => {
        this.#building = undefined
      })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#builder?.end().catch(() => undefined)
    await this.#building
  }

  async #hasIndex({ id }: KnownEmbedder): Promise<boolean> {
    const known = this.#indexed.get(id)
    if (known?.ready === true || (known !== undefined && performance.now() - known.askedAt < 1000)) return known.ready
    const [row] = await this.#parts.database.read<{ ready: boolean }>({
      text: `select coalesce((select indisvalid from pg_index where indexrelid = to_regclass($1)), false) as ready`,
      values: [`${this.#parts.database.schema}.${indexName(id)}`],
    })
    const ready = row?.ready === true
    this.#indexed.set(id, { ready, askedAt: performance.now() })
    if (!ready) this.grown(id)
    return ready
  }

  async #build(embedder: number): Promise<void> {
    const { database, embedders } = this.#parts
    const { extension } = embedders.type
    const { schema } = database
    const [count] = await database.read<{ count: number; dimensions: number }>({
      text: `select e.dimensions, (
          select count(*) from (select from ${schema}.vectors where embedder = $1 limit ${fewVectors + 1}) v
        ) as count from ${schema}.embedders e where e.id = $1`,
      values: [embedder],
    })
    if (count === undefined || count.count <= fewVectors || this.#closed) return
    this.#builder = await database.connect('agentm index')
    try {
      const name = indexName(embedder)
      await this.#builder.query('set statement_timeout = 0')
      const lock = await this.#builder.query(`select pg_try_advisory_lock(hashtextextended($1, 0)) as mine`, [
        `${schema}.${name}`,
      ])
      if (lock.rows[0]?.mine !== true) return
      const stale = `select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid`
      // What an interrupted build left behind is in the way of the next one.
      if ((await this.#builder.query(stale, [`${schema}.${name}`])).rowCount !== 0)
        await this.#builder.query(`drop index concurrently ${schema}.${name}`)
      await this.#builder.query(
        `create index concurrently if not exists ${name} on ${schema}.vectors
          using hnsw ((vec::${extension}.vector(${count.dimensions})) ${extension}.vector_ip_ops) where embedder = ${embedder} and vec is not null`,
      )
      // A planner that thinks the tables small would sort them and leave the index alone.
      await this.#builder.query(`analyze ${schema}.vectors, ${schema}.items`)
      this.#indexed.delete(embedder)
    } finally {
      await this.#builder.end().catch(() => undefined)
      this.#builder = undefined
    }
  }

  async #byIndex(question: RecallQuestion, embedder: KnownEmbedder, size: number): Promise<Answer> {
    const rows = await this.#ranked(question, { size, embedder })
    const answer = answerOf(question, rows)
    const ceiling = this.#ceiling(question, rows[0], size)
    if (ceiling === 'unknown') return { ...answer, certified: false }
    const scores = answer.hits.map(({ score }) => score)
    return { ...answer, certified: isCertified(scores, question.asked.k, ceiling) }
  }

  /** The most that anything outside the lists can score. */
  #ceiling(question: RecallQuestion, meta: RankedRow | undefined, size: number): number | undefined | 'unknown' {
    const { asked, at } = question
    if (meta === undefined || meta.newest_count < size) return undefined
    // An index that gave up before the list was full says nothing about what it did not reach.
    if (meta.near_count < size) return 'unknown'
    const names = presentConcepts(this.#names(question), this.#parts.concepts, meta.present)
    const most = heaviest(asked, names)
    const fresh = (halfLife: number) => recency(meta.newest_end ?? 0, at, halfLife)
    const nearest = names.map((name) => {
      const { wSem, wRec, halfLife } = asked.weightsOf(name)
      return wSem * (meta.near_end ?? 0) + wRec * fresh(halfLife)
    })
    const ends = {
      vector: Math.max(...nearest),
      lexical: meta.lex_count < size ? 0 : meta.lex_end,
      recency: meta.pending === 0 ? undefined : fresh(most.halfLife),
    }
    return ceilingOutside(ends, most)
  }

  async #byComparing(question: RecallQuestion): Promise<Answer> {
    return answerOf(question, await this.#ranked(question, undefined))
  }

  #names({ asked, query }: RecallQuestion): readonly string[] {
    return weightedConcepts(asked, this.#parts.concepts, query.weights)
  }

  /** Without a size, everything in scope is a candidate. */
  async #ranked(
    { asked, at, vector, embedder, query }: RecallQuestion,
    listed: { readonly size: number; readonly embedder: KnownEmbedder } | undefined,
  ): Promise<readonly RankedRow[]> {
    const { database, embedders, concepts } = this.#parts
    const names = weightedConcepts(asked, concepts, query.weights)
    const { text, values } = rankedStatement({
      schema: database.schema,
      vectorType: embedders.type,
      asked,
      at,
      weights: names.map((name) => ({ name, isLogged: concepts.has(name), ...asked.weightsOf(name) })),
      vector: vector ?? new Float32Array([1]),
      embedder: embedder?.id ?? 0,
      dimensions: embedder?.dimensions ?? 1,
      words: lexemeQuery(query.text) ?? '',
      listed: listed?.size,
    })
    return database.read<RankedRow>({ text, values })
  }
}

function answerOf({ named, at }: RecallQuestion, rows: readonly RankedRow[]): Answer {
  const hits = rows
    .filter(({ item }) => item !== null)
    .map((row): RecallHit =>
      hitOf(row, {
        similarity: row.similarity ?? undefined,
        lexical: row.lexical,
        recency: row.recency,
        score: row.score,
      }),
    )
  return { hits, pending: named ? (rows[0]?.pending ?? 0) : 0, certified: true, at }
}

function indexName(embedder: number): string {
  return `vectors_near_${embedder}`
}
