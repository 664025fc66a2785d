/**
 * Recall with vectors scanned in this process. The scan gives candidates and a bound for all others; one statement joins
 * them with the words, with what has no vector, and with whatever changed since the scan's copy was read, so that the
 * answer is that of one snapshot. The lists grow until nothing outside them can matter.
 */
import {
  byRank,
  type Candidates,
  ceilingOutside,
  dot,
  isCertified,
  type RecallAnswer,
  type RecallHit,
  recallScore,
  recency,
  scopeWeights,
} from '@agentm/nodes'
import { lexemeQuery } from './pure/lexemes.ts'
import { heaviest, presentConcepts, weightedConcepts } from './pure/heaviest.ts'
import { matchRank, presentNames, scopeConditions, Values, withoutVector } from './pure/recall-scope.ts'
import {
  contentColumns,
  contentFrom,
  hitOf,
  itemColumns,
  type ItemRow,
  type RecallQuestion,
} from './recall-question.ts'
import type { StoreParts } from './store-parts.ts'
import { unitOf, VectorCache } from './vector-cache.ts'

interface ScoredRow extends ItemRow {
  readonly item: number | null
  readonly unit: Buffer | null
  readonly rank: number
  readonly fresh: boolean
  readonly large: boolean
  readonly lex_count: number
  readonly lex_end: number | null
  readonly lex_best: number | null
  readonly newest_count: number
  readonly newest_end: number | null
  readonly pending: number
  /** The log's concepts of which the owner has something. */
  readonly present: readonly string[] | null
}

/** Beyond so many changes since the copy was read, reading them with every question costs more than reading them once. */
const changesBeforeSync = 256

export class RecallByScan {
  readonly #parts: StoreParts
  readonly #cache: VectorCache

  constructor(parts: StoreParts) {
    this.#parts = parts
    this.#cache = new VectorCache(parts.database)
  }

  async close(): Promise<void> {
    await this.#cache.close()
  }

  async recall(question: RecallQuestion): Promise<RecallAnswer> {
    for (let widened = 0; ; widened++) {
      const answer = await this.#attempt(question, widened)
      if (answer.certified) return { ...answer, widened }
    }
  }

  async #attempt(question: RecallQuestion, widened: number): Promise<Omit<RecallAnswer, 'widened'>> {
    const { asked, at, vector, embedder } = question
    const size = Math.max(64, 2 * asked.k) * 4 ** widened
    const cached = embedder === undefined ? undefined : await this.#cache.of(embedder)
    const found =
      cached === undefined || vector === undefined
        ? { keys: [], bound: undefined }
        : cached.index.candidates(vector, {
            n: size,
            at,
            weightsOf: (scope) => scopeWeights(asked, scope, this.#parts.concepts),
          })
    const rows = await this.#rows(question, { found, size, since: cached?.since })
    // By status or time, the statement may leave out what is there; that says nothing about the copy.
    const isFiltered = asked.status !== undefined || asked.notBefore !== undefined
    if (cached !== undefined) this.#cache.learn(cached, isFiltered ? [] : found.keys, rows, changesBeforeSync)
    return this.#judged(question, { rows, found, size })
  }

  async #judged(
    question: RecallQuestion,
    { rows, found, size }: { readonly rows: readonly ScoredRow[]; readonly found: Candidates; readonly size: number },
  ): Promise<Omit<RecallAnswer, 'widened'>> {
    const { asked, at, vector, named } = question
    const [meta] = rows
    const best = meta?.lex_best ?? 0
    const scored = rows
      .filter(({ item }) => item !== null)
      .map((row) => {
        const weights = asked.weightsOf(row.concept)
        const signals = {
          similarity: row.unit === null || vector === undefined ? undefined : dot(unitOf(row.unit), vector),
          lexical: best > 0 ? row.rank / best : 0,
          recency: recency(row.ages_from, at, weights.halfLife),
        }
        return { row, signals, id: row.id, createdAt: row.created_at, score: recallScore(signals, weights) }
      })
      .toSorted(byRank)
    const names = presentConcepts(this.#names(question), this.#parts.concepts, meta?.present ?? null)
    const most = heaviest(asked, names)
    const ceiling = ceilingOutside(
      {
        vector: found.bound,
        lexical: best > 0 && (meta?.lex_count ?? 0) >= size ? (meta?.lex_end ?? 0) / best : 0,
        recency: (meta?.newest_count ?? 0) < size ? undefined : recency(meta?.newest_end ?? 0, at, most.halfLife),
      },
      most,
    )
    const top = scored.slice(0, asked.k)
    const certified = isCertified(
      scored.map(({ score }) => score),
      asked.k,
      ceiling,
    )
    const hits = certified ? await this.#withContent(top) : []
    return { hits, pending: named ? (meta?.pending ?? 0) : 0, certified, at }
  }

  async #rows(
    question: RecallQuestion,
    { found, size, since }: { readonly found: Candidates; readonly size: number; readonly since: string | undefined },
  ): Promise<readonly ScoredRow[]> {
    const { asked, embedder, named, query } = question
    const { schema } = this.#parts.database
    const values = new Values()
    const scope = scopeConditions(asked, values, { schema, concepts: this.#parts.concepts })
    const words = `${values.put(lexemeQuery(query.text) ?? '')}::tsquery`
    const limit = values.put(size, 'integer')
    const embedderId = values.put(embedder?.id ?? 0, 'integer')
    const lacking = named ? withoutVector(embedderId) : 'true'
    // An item changed by a transaction the copy could not see in full is a candidate, whatever the copy says of it.
    const changed = since === undefined ? 'false' : `i.changed_in >= ${values.put(since, 'text')}::xid8`
    const { concepts } = this.#parts
    const names = this.#names(question)
    const wordy = names.filter((name) => asked.weightsOf(name).wLex > 0)
    const always = !named || wordy.some((name) => !concepts.has(name))
    const text = `with lacking as materialized (
        ${named ? `select count(*) as count from ${schema}.items i where ${scope} and ${lacking}` : 'select 0 as count'}
      ), present as materialized (${presentNames(schema, {
        owner: values.put(asked.owner, 'text'),
        names: values.put(
          names.filter((name) => concepts.has(name)),
          'text[]',
        ),
      })}
      ), wordy as materialized (
        -- Ranking words is dear. Where they weigh nothing, only items without a vector need it.
        select ${values.put(always, 'boolean')} or (select count from lacking) > 0
          or exists (select from present where concept = any (${values.put(wordy, 'text[]')})) as yes
      ), lex as materialized (
        select i.key, ts_rank(i.lexemes, ${words}, 1) as rank from ${schema}.items i
        where ${scope} and i.lexemes @@ ${words} and (select yes from wordy) order by rank desc limit ${limit}
      ), newest as materialized (
        select i.key, i.ages_from from ${schema}.items i where ${scope} and ${lacking} order by i.ages_from desc limit ${limit}
      ), keys as (
        select unnest(${values.put(found.keys, 'bigint[]')}) as key union select key from lex union select key from newest
        union select i.key from ${schema}.items i where ${changed}
      ), meta as (
        select (select count(*) from lex) as lex_count, (select min(rank) from lex) as lex_end,
          (select max(rank) from lex) as lex_best, (select count(*) from newest) as newest_count,
          (select min(ages_from) from newest) as newest_end,
          (select count from lacking) as pending, (select array_agg(concept) from present) as present
      ), rows as (
        select ${itemColumns}, i.key as item, v.unit, ${matchRank(words)} as rank, ${changed} as fresh,
          pg_column_size(i.text) + coalesce(pg_column_size(n.payload), 0) + coalesce(pg_column_size(i.data), 0) > ${largeBytes} as large,
          i.text, n.payload as node_payload, i.data
        from keys cross join lateral (select i.* from ${schema}.items i where i.key = keys.key offset 0) i
        left join ${schema}.vectors v on v.key = i.key and v.embedder = ${embedderId}
        ${contentFrom(schema)} where ${scope}
      )
      select meta.*, r.key, r.id, r.concept, r.partition, r.source, r.status, r.created_at, r.ages_from, r.version, r.item,
        r.unit, r.rank, r.fresh, r.large, case when not r.large then r.text end as text,
        case when not r.large then coalesce(r.node_payload, r.data) end as payload
      from meta left join rows r on true`
    return this.#parts.database.read<ScoredRow>({ text, values: values.list })
  }

  #names({ asked, query }: RecallQuestion): readonly string[] {
    return weightedConcepts(asked, this.#parts.concepts, query.weights)
  }

  /** Large texts come for the hits alone. */
  async #withContent(
    top: readonly { readonly row: ScoredRow; readonly signals: Signals; readonly score: number }[],
  ): Promise<readonly RecallHit[]> {
    const { schema } = this.#parts.database
    const keys = top.flatMap(({ row }) => (row.large ? [row.key] : []))
    const contents =
      keys.length === 0
        ? []
        : await this.#parts.database.read<{ key: number; text: string; payload: string | null }>({
            text: `select i.key, ${contentColumns} from ${schema}.items i ${contentFrom(schema)} where i.key = any ($1)`,
            values: [keys],
          })
    const byKey = new Map(contents.map((content) => [content.key, content]))
    return top.map(({ row, signals, score }) => hitOf({ ...row, ...byKey.get(row.key) }, { ...signals, score }))
  }
}

type Signals = Pick<RecallHit, 'similarity' | 'lexical' | 'recency'>

const largeBytes = 8192
