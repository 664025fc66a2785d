/**
 * Everything in scope, or what the lists name, scored and ranked by the server in one statement. Rows are reached by their
 * keys where lists name them: a planner that has to guess reads the whole table instead.
 */
import type { ConceptSet, RecallArguments, RecallWeights } from '@agentm/nodes'
import { contentColumns, contentFrom, itemColumns, type ItemRow } from '../recall-question.ts'
import { anyConcept } from './heaviest.ts'
import { matchRank, presentNames, scopeConditions, Values, withoutVector } from './recall-scope.ts'
import { vectorBytes } from './vector-bytes.ts'

export interface RankedRow extends ItemRow {
  readonly item: number | null
  readonly similarity: number | null
  readonly lexical: number
  readonly recency: number
  readonly score: number
  readonly pending: number
  /** The log's concepts of which the owner has something. */
  readonly present: readonly string[] | null
  readonly near_count: number
  readonly near_end: number | null
  readonly lex_count: number
  readonly lex_end: number
  readonly newest_count: number
  readonly newest_end: number | null
}

export interface NamedWeights extends RecallWeights {
  readonly name: string
  readonly isLogged: boolean
}

export interface RankedQuestion {
  /** Quoted. */
  readonly schema: string
  readonly concepts: ConceptSet
  readonly vectorType: { readonly extension: string; readonly name: string }
  readonly asked: RecallArguments
  readonly at: number
  readonly weights: readonly NamedWeights[]
  readonly vector: Float32Array
  readonly embedder: number
  readonly dimensions: number
  readonly words: string
  /** How long the candidate lists are; without it, everything in scope is a candidate. */
  readonly listed: number | undefined
}

export function rankedStatement(question: RankedQuestion) {
  const { schema, concepts, asked, weights, listed } = question
  const values = new Values()
  const scope = scopeConditions(asked, values, { schema, concepts })
  const words = values.put(question.words, 'tsquery')
  const { extension, name } = question.vectorType
  const nearness = `operator(${extension}.<#>)`
  const vector = values.put(vectorBytes(question.vector), name)
  const embedder = values.put(question.embedder, 'integer')
  const at = values.put(question.at, 'float8')
  const weigh = weightCases(weights, values)
  const k = values.put(asked.k, 'integer')
  const limit = listed === undefined ? undefined : values.put(listed, 'integer')
  const distance = `(v.vec::${name}(${question.dimensions})) ${nearness} ${vector}::${name}(${question.dimensions})`
  const lists =
    limit === undefined ? '' : candidateLists({ schema, scope, distance, limit, embedder: question.embedder })
  const cosine = `-(v.vec ${nearness} ${vector})`
  const signals =
    limit === undefined
      ? { similarity: cosine, rank: 'lex.rank', from: everything(schema, scope, embedder) }
      : { similarity: `coalesce(keys.cosine, ${cosine})`, rank: matchRank(words), from: listedRows(schema, embedder) }
  const text = `with lacking as materialized (
      select count(*) as count from ${schema}.items i where ${scope} and ${withoutVector(embedder)}
    ), present as materialized (${presentNames(schema, {
      owner: values.put(asked.owner, 'text'),
      names: values.put(
        weights.filter(({ isLogged }) => isLogged).map((each) => each.name),
        'text[]',
      ),
    })}
    ), wordy as materialized (
      select (select count from lacking) > 0 or ${values.put(
        weights.some(({ isLogged, wLex }) => !isLogged && wLex > 0),
        'boolean',
      )} or exists (select from present where concept = any (${values.put(
        weights.filter(({ wLex }) => wLex > 0).map((each) => each.name),
        'text[]',
      )})) as yes
    ), lex as materialized (
      select i.key, ts_rank(i.lexemes, ${words}, 1)::float8 as rank from ${schema}.items i
      where ${scope} and i.lexemes @@ ${words} and (select yes from wordy) order by rank desc limit ${limit ?? 'all'}
    ), ${lists}meta as materialized (
      select (select count from lacking) as pending, (select array_agg(concept) from present) as present,
        coalesce((select max(rank) from lex), 0) as best, (select count(*) from lex) as lex_count,
        coalesce((select min(rank) / nullif(max(rank), 0) from lex), 0) as lex_end,
        ${
          limit === undefined
            ? '0 as near_count, null::float8 as near_end, 0 as newest_count, null::bigint as newest_end'
            : `(select count(*) from near) as near_count, greatest((select min(cosine) from near),
          (select case when count(*) >= ${limit} then min(cosine) end from waiting)) as near_end,
        (select count(*) from newest) as newest_count, (select min(ages_from) from newest) as newest_end`
        }
    ), signals as (
      select i.key, ${weigh.wSem} as sem, ${weigh.wLex} as lex, ${weigh.wRec} as rec,
        ${signals.similarity} as similarity,
        case when meta.best > 0 then coalesce((${signals.rank})::float8, 0) / meta.best else 0 end as lexical,
        power(2::float8, greatest(-1000, -greatest(0, ${at} - i.ages_from) / 1000 / ${weigh.halfLife})) as recency
      from ${signals.from}
      offset 0
    ), ranked as (
      -- Equal scores are told apart by what only the rows that are opened say.
      select key, similarity, lexical, recency, case
        when similarity is null then (sem + lex) * lexical + rec * recency
        else sem * similarity + lex * lexical + rec * recency end as score
      from signals order by score desc fetch first (${k}) rows with ties
    )
    select meta.*, ${itemColumns}, i.key as item, r.similarity, r.lexical, r.recency, r.score, ${contentColumns}
    from meta left join ranked r on true left join ${schema}.items i on i.key = r.key ${contentFrom(schema)}
    order by r.score desc, created_at desc, i.id limit ${k}`
  return { text, values: values.list }
}

function everything(schema: string, scope: string, embedder: string): string {
  return `meta cross join ${schema}.items i
        left join ${schema}.vectors v on v.key = i.key and v.embedder = ${embedder} and v.vec is not null
        left join lex on lex.key = i.key
      where ${scope}`
}

/** Here `offset 0` keeps the planner from joining the tables as a whole; above, from computing a signal twice. */
function listedRows(schema: string, embedder: string): string {
  return `meta cross join keys
        cross join lateral (select i.* from ${schema}.items i where i.key = keys.key offset 0) i
        left join lateral (
          select v.vec from ${schema}.vectors v
          where keys.cosine is null and v.key = keys.key and v.embedder = ${embedder} and v.vec is not null offset 0
        ) v on true`
}

interface Lists {
  readonly schema: string
  readonly scope: string
  readonly distance: string
  readonly limit: string
  readonly embedder: number
}

/** The index answers by settings of the moment, so these are made first, in the same statement. */
function candidateLists({ schema, scope, distance, limit, embedder }: Lists): string {
  return `settings as materialized (
      select set_config('hnsw.ef_search', least(1000, ${limit})::text, true) as width,
        set_config('hnsw.iterative_scan', 'relaxed_order', true) as mode
    ), near as materialized (
      select n.key, n.cosine from settings s cross join lateral (
        select v.key, -(${distance}) as cosine from ${schema}.vectors v join ${schema}.items i on i.key = v.key
        where s.width is not null and s.mode is not null
          and v.embedder = ${embedder} and v.vec is not null and not v.waits and ${scope}
        order by ${distance} limit ${limit}
      ) n
    ), waiting as materialized (
      select v.key, -(${distance}) as cosine from ${schema}.vectors v join ${schema}.items i on i.key = v.key
      where v.embedder = ${embedder} and v.vec is not null and v.waits and ${scope}
      order by ${distance} limit ${limit}
    ), newest as materialized (
      select i.key, i.ages_from from ${schema}.items i where ${scope} order by i.ages_from desc limit ${limit}
    ), keys as materialized (
      select key, max(cosine) as cosine from (
        select key, cosine from near union all select key, cosine from waiting
        union all select key, null from newest union all select key, null from lex
      ) k group by key
    ), `
}

type Cases = Readonly<Record<keyof RecallWeights, string>>

/** Weights as expressions over `i.concept`: plain numbers where all concepts in scope have the same. */
function weightCases(weights: readonly NamedWeights[], values: Values): Cases {
  const groups = new Map<string, { readonly weights: RecallWeights; readonly names: string[] }>()
  for (const { name, wSem, wLex, wRec, halfLife } of weights) {
    const key = JSON.stringify([wSem, wLex, wRec, halfLife])
    const group = groups.get(key) ?? { weights: { wSem, wLex, wRec, halfLife }, names: [] }
    group.names.push(name)
    groups.set(key, group)
  }
  // What stands for all others comes last; where nothing does, any of them will do.
  const [last, ...named] = [...groups.values()].toSorted((a, b) => openness(b.names) - openness(a.names))
  const tests = named.map(({ names }) => `i.concept = any (${values.put(names, 'text[]')})`)
  const expression = (pick: (weights: RecallWeights) => number) => {
    const other = values.put(last === undefined ? 0 : pick(last.weights), 'float8')
    const cases = named.map((group, i) => `when ${tests[i]} then ${values.put(pick(group.weights), 'float8')}`)
    return cases.length === 0 ? other : `case ${cases.join(' ')} else ${other} end`
  }
  return {
    wSem: expression(({ wSem }) => wSem),
    wLex: expression(({ wLex }) => wLex),
    wRec: expression(({ wRec }) => wRec),
    halfLife: expression(({ halfLife }) => halfLife),
  }
}

function openness(names: readonly string[]): number {
  return names.includes(anyConcept) ? 1 : 0
}
