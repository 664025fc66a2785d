/**
 * Recall with vectors ranked by the server. Few vectors are compared one by one, which is exact. Many are found through
 * an HNSW index: the nearest, the newest and the best by words are candidates, scored in the same statement, and the
 * threshold certificate says whether anything else could matter; it is as good as the index. Where it does not hold, the
 * lists grow, and in the end everything is compared.
 */
import { ceilingOutside, isCertified, type RecallAnswer, type RecallHit, recency } from '@agentm/nodes'
import type pg from 'pg'
import type { Run } from './database.ts'
import type { KnownEmbedder } from './embedders.ts'
import { anyConcept, heaviest, weightedConcepts } from './pure/heaviest.ts'
import { lexemeQuery } from './pure/lexemes.ts'
import { matchRank, scopeConditions, Values, withoutVector } from './pure/recall-scope.ts'
import { vectorBytes } from './pure/vector-bytes.ts'
import {
  contentColumns,
  contentFrom,
  hitOf,
  itemColumns,
  type ItemRow,
  type RecallQuestion,
} from './recall-question.ts'
import type { StoreParts } from './store-parts.ts'

interface RankedRow extends ItemRow {
  readonly item: number | null
  readonly similarity: number | null
  readonly lexical: number
  readonly recency: number
  readonly score: number
  readonly pending: number
  readonly near_count: number
  readonly near_end: number | null
  readonly lex_count: number
  readonly lex_end: number
  readonly newest_count: number
  readonly newest_end: number | null
}

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
    const rows = await this.#parts.database.transaction(async (run) => {
      await run({
        text: `select set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', 'relaxed_order', true)`,
        values: [String(Math.min(1000, size))],
      })
      return this.#ranked(run, question, { size, embedder })
    }, 'read committed read only')
    const [meta] = rows
    const { asked, at, query } = question
    const names = weightedConcepts(asked, this.#parts.concepts, query.weights)
    const most = heaviest(asked, names)
    const newestIsAll = (meta?.newest_count ?? 0) < size
    const fresh = newestIsAll ? 0 : recency(meta?.newest_end ?? 0, at, most.halfLife)
    // An index that gave up before the list was full says nothing about what it did not reach.
    if ((meta?.near_count ?? 0) < size && !newestIsAll) return { ...answerOf(question, rows), certified: false }
    const nearest = names.map((name) => {
      const { wSem, wRec, halfLife } = asked.weightsOf(name)
      return wSem * (meta?.near_end ?? 0) + wRec * (newestIsAll ? 0 : recency(meta?.newest_end ?? 0, at, halfLife))
    })
    const ceiling = newestIsAll
      ? undefined
      : ceilingOutside(
          {
            vector: Math.max(...nearest),
            lexical: (meta?.lex_count ?? 0) < size ? 0 : (meta?.lex_end ?? 0),
            recency: fresh,
          },
          most,
        )
    const answer = answerOf(question, rows)
    const scores = answer.hits.map(({ score }) => score)
    return { ...answer, certified: isCertified(scores, asked.k, ceiling) }
  }

  async #byComparing(question: RecallQuestion): Promise<Answer> {
    const rows = await this.#ranked(async (statement) => this.#parts.database.read(statement), question, undefined)
    return answerOf(question, rows)
  }

  /** Without a size, everything in scope is a candidate. */
  async #ranked(
    run: Run,
    { asked, at, vector, embedder, query }: RecallQuestion,
    listed: { readonly size: number; readonly embedder: KnownEmbedder } | undefined,
  ): Promise<readonly RankedRow[]> {
    const { schema } = this.#parts.database
    const values = new Values()
    const scope = scopeConditions(asked, values)
    const words = `${values.put(lexemeQuery(query.text) ?? '')}::tsquery`
    const { extension, name: vectorName } = this.#parts.embedders.type
    const nearness = `operator(${extension}.<#>)`
    const type = `${vectorName}(${embedder?.dimensions ?? 1})`
    const question = values.put(vectorBytes(vector ?? new Float32Array([1])), vectorName)
    const distance = `(v.vec::${type}) ${nearness} ${question}::${type}`
    const id = values.put(embedder?.id ?? 0, 'integer')
    const names = weightedConcepts(asked, this.#parts.concepts, query.weights)
    const weights = names.map((name) => ({ name, ...asked.weightsOf(name) }))
    const wordsMatter = heaviest(asked, names).wLex > 0
    const wanted = wordsMatter ? '' : 'and (select count from lacking) > 0'
    const limit = listed === undefined ? 'all' : values.put(listed.size, 'integer')
    const near =
      listed === undefined
        ? ''
        : `near as materialized (
          select v.key, -(${distance}) as cosine
          from ${schema}.vectors v join ${schema}.items i on i.key = v.key
          where v.embedder = ${listed.embedder.id} and v.vec is not null and ${scope}
          order by ${distance} limit ${limit}
        ), newest as materialized (
          select i.key, i.ages_from from ${schema}.items i where ${scope} order by i.ages_from desc limit ${limit}
        ), keys as (select key from near union select key from newest union select key from lex), `
    const text = `with weights as materialized (
        select * from unnest(${values.put(
          weights.map(({ name }) => name),
          'text[]',
        )}, ${values.put(
          weights.map(({ wSem }) => wSem),
          'float8[]',
        )},
          ${values.put(
            weights.map(({ wLex }) => wLex),
            'float8[]',
          )}, ${values.put(
            weights.map(({ wRec }) => wRec),
            'float8[]',
          )},
          ${values.put(
            weights.map(({ halfLife }) => halfLife),
            'float8[]',
          )}) as w (concept, sem, lex, rec, half)
      ), lacking as materialized (
        select count(*) as count from ${schema}.items i where ${scope} and ${withoutVector(id)}
      ), lex as materialized (
        select i.key, ts_rank(i.lexemes, ${words}, 1)::float8 as rank from ${schema}.items i
        where ${scope} and i.lexemes @@ ${words} ${wanted} order by rank desc limit ${limit}
      ), ${near} meta as (
        select (select count from lacking) as pending, coalesce((select max(rank) from lex), 0) as best,
          (select count(*) from lex) as lex_count,
          coalesce((select min(rank) / nullif(max(rank), 0) from lex), 0) as lex_end,
          ${listed === undefined ? '0 as near_count, null::float8 as near_end, 0 as newest_count, null::bigint as newest_end' : '(select count(*) from near) as near_count, (select min(cosine) from near) as near_end, (select count(*) from newest) as newest_count, (select min(ages_from) from newest) as newest_end'}
      ), signals as (
        select i.key, i.concept, i.created_at, i.id,
          case when v.key is not null then -(v.vec ${nearness} ${question}) end as similarity,
          case when meta.best > 0 then (${matchRank(words)})::float8 / meta.best else 0 end as lexical,
          power(2::float8, greatest(-1000, -greatest(0, ${values.put(at, 'float8')} - i.ages_from) / 1000 / w.half)) as recency,
          w.sem, w.lex, w.rec
        from ${listed === undefined ? `${schema}.items i` : `keys join ${schema}.items i on i.key = keys.key`}
        cross join meta
        join weights w on w.concept = ${conceptOfWeights('i.concept', asked.concepts === undefined || asked.concepts.length === 0)}
        left join ${schema}.vectors v on v.key = i.key and v.embedder = ${id} and v.vec is not null
        where ${scope}
      ), ranked as (
        select key, concept, created_at, id, similarity, lexical, recency, case
          when similarity is null then (sem + lex) * lexical + rec * recency
          else sem * similarity + lex * lexical + rec * recency end as score
        from signals order by score desc, created_at desc, id limit ${values.put(asked.k, 'integer')}
      )
      select meta.*, ${itemColumns}, i.key as item, r.similarity, r.lexical, r.recency, r.score, ${contentColumns}
      from meta left join ranked r on true left join ${schema}.items i on i.key = r.key ${contentFrom(schema)}
      order by r.score desc, r.created_at desc, r.id`
    return run<RankedRow>({ text, values: values.list })
  }
}

function conceptOfWeights(concept: string, open: boolean): string {
  return open
    ? `case when ${concept} in (select concept from weights) then ${concept} else '${anyConcept}' end`
    : concept
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
