/**
 * Selects the candidates of a recall in one statement, with the parts of their scores and the end of each list: the nearest, the best by
 * words, and the newest. Rows are reached by their keys, because with a wrong estimate the planner would read the whole table.
 */
import type { ConceptSet, RecallArguments } from '@agentm/nodes/store-kit'
import { anyConcept } from './weighted-concepts.ts'
import { matchRank, presentNames, scopeConditions, Values, withoutVector } from './recall-scope.ts'
import { vectorBytes } from './vector-bytes.ts'

/** The one row of the answer: the end of each list, and the candidates as JSON, which is parsed faster than as many rows. */
export interface ListsRow {
  /** The candidates as JSON, each a `Candidate`; null if there are none. */
  readonly candidates: string | null
  /** How many nodes in scope have no vector of the requested embedder. */
  readonly pending: number
  /** The concepts of the log of which the owner has at least one item. */
  readonly present: readonly string[] | null
  readonly near_count: number
  /** With the index, a cosine. With a comparison, the weighted sum of similarity and recency. */
  readonly near_end: number | null
  readonly lex_count: number
  readonly lex_end: number | null
  readonly lex_best: number | null
  readonly newest_count: number
  readonly newest_end: number | null
}

export type Candidate = readonly [
  key: number,
  concept: string,
  agesFrom: number,
  /** Computed by the server. For candidates of the scan, this process compares the vector. */
  similarity: number | null,
  /** The vector, in base64. */
  unit: string | null,
  rank: number,
  /** True if it changed after the scanned copy was read. */
  isFresh: boolean,
]

/** How the nearest items are found: by the server's index, by comparing all on the server, or by a scan of a copy in this process. */
export type Nearest =
  | {
      readonly by: 'index' | 'comparing'
      readonly type: { readonly extension: string; readonly name: string }
      readonly vector: Float32Array
    }
  | {
      readonly by: 'scan'
      readonly keys: readonly number[]
      /** Everything that this or a later transaction has changed is a candidate, whatever the copy contains. */
      readonly since: string | undefined
    }

export interface CandidateQuestion {
  /** The schema name, quoted. */
  readonly schema: string
  readonly concepts: ConceptSet
  readonly asked: RecallArguments
  readonly at: number
  /** Concepts with weights of their own, followed by `anyConcept`. */
  readonly names: readonly string[]
  /** The embedder's number; 0 if the store has no vector of it. */
  readonly embedder: number
  /** Whether the query has a vector. Without one, nothing is compared and no item counts as pending. */
  readonly hasVector: boolean
  readonly words: string
  /** The length of each list. */
  readonly size: number
  readonly nearest: Nearest
}

export function recallStatement(question: CandidateQuestion) {
  const { schema, concepts, asked, names, hasVector, nearest } = question
  const values = new Values()
  const scope = scopeConditions(asked, values, { schema, concepts })
  const words = `${values.put(question.words)}::tsquery`
  const limit = values.put(question.size, 'integer')
  const embedder = values.put(question.embedder, 'integer')
  const lacking = hasVector ? withoutVector(embedder) : 'true'
  const wordy = names.filter((name) => asked.weightsOf(name).wLex > 0)
  const always = !hasVector || wordy.some((name) => !concepts.has(name))
  const found =
    nearest.by === 'scan' ? scanned(nearest, values) : foundByServer(question, nearest, { values, scope, limit })
  const present = presentNames(schema, {
    owner: values.put(asked.owner, 'text'),
    names: values.put(
      names.filter((name) => concepts.has(name)),
      'text[]',
    ),
  })
  const text = `with lacking as materialized (
      ${hasVector ? `select count(*) as count from ${schema}.items i where ${scope} and ${lacking}` : 'select 0 as count'}
    ), present as materialized (${present}
    ), wordy as materialized (
      -- Ranking words is dear. Where they weigh nothing, only items without a vector need it.
      select ${values.put(always, 'boolean')} or (select count from lacking) > 0
        or exists (select from present where concept = any (${values.put(wordy, 'text[]')})) as yes
    ), lex as materialized (
      select i.key, ts_rank(i.lexemes, ${words}, 1) as rank from ${schema}.items i
      where ${scope} and i.lexemes @@ ${words} and (select yes from wordy) order by rank desc limit ${limit}
    ), newest as materialized (
      select i.key, i.ages_from from ${schema}.items i
      where ${scope} and ${nearest.by === 'index' ? 'true' : lacking} order by i.ages_from desc limit ${limit}
    ), ${found.lists}keys as materialized (
      select key, max(cosine) as cosine, max(rank) as rank from (
        ${found.keys}
        union all select key, null, null from newest union all select key, null, rank from lex
        union all select i.key, null, null from ${schema}.items i where ${found.changed}
      ) k group by key
    ), lists as materialized (
      select (select count from lacking) as pending, (select array_agg(concept) from present) as present, ${found.ends},
        (select count(*) from lex) as lex_count, (select min(rank) from lex) as lex_end,
        (select max(rank) from lex) as lex_best, (select count(*) from newest) as newest_count,
        (select min(ages_from) from newest) as newest_end
    ), candidates as (
      select i.key, i.concept, i.ages_from, coalesce(keys.cosine, ${found.cosine}) as similarity, ${found.unit} as unit,
        case when (select yes from wordy) then coalesce(keys.rank, ${matchRank(words)}) else 0 end as rank,
        ${found.changed} as fresh
      from keys cross join lateral (select i.* from ${schema}.items i where i.key = keys.key offset 0) i
      left join lateral (
        select v.* from ${schema}.vectors v where v.key = keys.key and keys.cosine is null and v.embedder = ${embedder} offset 0
      ) v on true
      where ${scope}
    )
    select lists.*, (
      select json_agg(json_build_array(key, concept, ages_from, similarity, unit, rank, fresh)) from candidates
    ) as candidates from lists`
  return { text, values: values.list }
}

/** The parts of the statement that depend on how the nearest items are found. */
interface Found {
  readonly lists: string
  readonly keys: string
  readonly ends: string
  readonly cosine: string
  readonly unit: string
  readonly changed: string
}

function scanned({ keys, since }: Nearest & { readonly by: 'scan' }, values: Values): Found {
  return {
    lists: '',
    keys: `select unnest(${values.put(keys, 'bigint[]')}) as key, null::float8 as cosine, null::float4 as rank`,
    ends: '0 as near_count, null::float8 as near_end',
    cosine: 'null',
    unit: `encode(v.unit, 'base64')`,
    changed: since === undefined ? 'false' : `i.changed_in >= ${values.put(since, 'text')}::xid8`,
  }
}

function foundByServer(
  question: CandidateQuestion,
  { by, type, vector }: Nearest & { readonly by: 'index' | 'comparing' },
  { values, scope, limit }: { readonly values: Values; readonly scope: string; readonly limit: string },
): Found {
  const { schema, embedder } = question
  const sized = `${type.name}(${vector.length})`
  const nearness = `operator(${type.extension}.<#>)`
  const distance = `(v.vec::${sized}) ${nearness} ${values.put(vectorBytes(vector), type.name)}::${sized}`
  const inScope = `${schema}.vectors v join ${schema}.items i on i.key = v.key
        where v.embedder = ${embedder} and v.vec is not null and ${scope}`
  const lists =
    by === 'index' ? indexed({ distance, inScope, limit }) : compared(question, values, { distance, inScope, limit })
  return { ...lists, cosine: `-(${distance})`, unit: 'null', changed: 'false' }
}

interface Comparison {
  readonly distance: string
  readonly inScope: string
  readonly limit: string
}

/** Uses the index. Its settings are set first in the same statement. Vectors that are not in the index yet are compared one by one. */
function indexed({ distance, inScope, limit }: Comparison) {
  const nearest = (condition: string) =>
    `select v.key, -(${distance}) as cosine from ${inScope} ${condition} order by ${distance} limit ${limit}`
  return {
    lists: `settings as materialized (
      select set_config('hnsw.ef_search', least(1000, ${limit})::text, true) as width,
        set_config('hnsw.iterative_scan', 'relaxed_order', true) as mode
    ), near as materialized (
      select n.* from settings s
      cross join lateral (${nearest('and not v.waits and s.width is not null and s.mode is not null')}) n
    ), waiting as materialized (${nearest('and v.waits')}), `,
    keys: 'select key, cosine, null::float4 as rank from near union all select key, cosine, null from waiting',
    ends: `(select count(*) from near) as near_count, greatest((select min(cosine) from near),
        (select case when count(*) >= ${limit} then min(cosine) end from waiting)) as near_end`,
  }
}

/**
 * Compares all items in scope by the weighted sum of similarity and recency. The end of this list is a bound for all other items with a
 * vector.
 */
function compared({ asked, at, names }: CandidateQuestion, values: Values, { distance, inScope, limit }: Comparison) {
  const weights = names.map((name) => asked.weightsOf(name))
  const column = (pick: (each: (typeof weights)[number]) => number) => values.put(weights.map(pick), 'float8[]')
  const named = values.put(names, 'text[]')
  const age = `greatest(0, ${values.put(at, 'float8')} - n.ages_from) / 1000 / w.half_life`
  return {
    lists: `near as materialized (
      select n.key, n.cosine, w.sem * n.cosine + w.rec * power(2::float8, greatest(-1000, -${age})) as worth
      from (select v.key, i.concept, i.ages_from, -(${distance}) as cosine from ${inScope} offset 0) n
      join unnest(${named}, ${column(({ wSem }) => wSem)}, ${column(({ wRec }) => wRec)}, ${column(({ halfLife }) => halfLife)})
        as w (name, sem, rec, half_life) on w.name = case when n.concept = any (${named}) then n.concept else '${anyConcept}' end
      order by worth desc limit ${limit}
    ), `,
    keys: 'select key, cosine, null::float4 as rank from near',
    ends: '(select count(*) from near) as near_count, (select min(worth) from near) as near_end',
  }
}
