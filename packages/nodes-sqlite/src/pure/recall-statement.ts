/**
 * Recall as one statement. It pools the candidates of the vector scan, the best matches by words, and the newest items without a comparable
 * vector. It scores them by the formula and ranks them. It also returns where each list ended, for the certificate. A cosine requires
 * reading a vector, so it is computed only for items that could reach the top with any cosine. Word scores are also looked up for pooled
 * items outside the lexical list. The rank of other items cannot change.
 */
import { limitedBy } from './limited.ts'

export interface StatementShape {
  readonly words: boolean
  readonly similarity: boolean
  readonly concepts: boolean
  readonly partitions: boolean
  readonly status: boolean
  readonly window: boolean
  /** Concepts whose recall rows have the status and time of the newest version. */
  readonly current: readonly string[]
  /** How to find the newest items without a comparable vector: there are none, few, or possibly most items. */
  readonly newest: 'none' | 'few' | 'many'
}

/** Reads only the entries of an index, in its order. */
const newestBy = {
  none: 'select null, null where 0',
  few: 'select r.key, r.ages_from from recall r indexed by recall_pending where r.embedder is null',
  many: 'select r.key, r.ages_from from recall r indexed by recall_newest where r.embedder is not ?9',
}

/** Parameters, in order: owner, concepts, partitions, status, notBefore, candidates, match, n, embedder, at, k, weights, wSem, wLex, wRec, halfLife. */
export function recallStatement(shape: StatementShape): string {
  const filter = filterOf(shape)
  const lexical = shape.words
    ? `select words.rowid, -words.rank from words cross join recall r on r.key = words.rowid
        where words match ?7 and ${filter} order by words.rank ${limitedBy('?8')}`
    : 'select null, null where ?7 is not null and 0'
  // An empty phrase matches no text. Without this case, the statement would scan all texts and find nothing.
  const exact = shape.words
    ? `select words.rowid, -words.rank from words
        where words match iif(exists (select 1 from unsure), ?7, '""') and +words.rowid in (select key from unsure)`
    : 'select null, null where 0'
  const newest =
    shape.newest === 'none'
      ? newestBy.none
      : `${newestBy[shape.newest]} and ${filter} order by r.ages_from desc ${limitedBy('?8')}`
  const comparable = shape.similarity ? 'coalesce(r.embedder = ?9, 0)' : '0'
  // The lexical list has more items than are returned. Only items that can be among the hits are read in full; that also gives the values
  // by which equal scores are ordered.
  const opened = shape.words
    ? 'ranked.score >= coalesce((select score from ranked order by score desc limit 1 offset ?11 - 1), -1e308)'
    : 'true'
  return `
    with
    weights (concept, sem, lex, rec, half) as materialized (
      select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 from json_each(?12)),
    lexical (key, raw) as materialized (${lexical}),
    newest (key, ages_from) as materialized (${newest}),
    pool (key) as materialized (
      select value from json_each(?6) union select key from lexical union select key from newest),
    ends (best, lex, newest) as materialized (
      select (select max(raw) from lexical),
        (select case when count(*) < ?8 then 0.0 else min(raw) / max(raw) end from lexical),
        (select case when count(*) < ?8 then null else min(ages_from) end from newest)),
    weighed as materialized (
      select r.key, lexical.raw, ${comparable} as comparable,
        coalesce(w.sem, ?13) as sem, coalesce(w.lex, ?14) as lex, coalesce(w.rec, ?15) as rec,
        pow(2.0, -max(0.0, ?10 - r.ages_from) / 1000.0 / coalesce(w.half, ?16)) as recency
      from pool cross join recall r on r.key = pool.key
        left join weights w on w.concept = r.concept
        left join lexical on lexical.key = r.key
      where ${filter}),
    bounded as materialized (
      select key, raw, comparable, recency, sem, rec, case when comparable then lex else sem + lex end as words,
        case when comparable then 1.001 * sem else 0.0 end as reach
      from weighed),
    least (score) as materialized (
      select coalesce(
        (select rec * recency - reach + words * coalesce(raw / ends.best, 0.0) as low from bounded, ends
          order by low desc limit 1 offset ?11 - 1), -1e308)),
    similar as materialized (
      select b.key, b.raw, b.recency, b.sem, b.rec, b.words,
        case when b.comparable then unit_dot(r.unit) end as similarity
      from bounded b cross join ends cross join least cross join recall r on r.key = b.key
      where b.rec * b.recency + b.reach + b.words * coalesce(b.raw / ends.best, ends.lex) >= least.score),
    scored as materialized (
      select key, raw, similarity, recency, words,
        case when similarity is null then rec * recency else sem * similarity + rec * recency end as base
      from similar),
    low as materialized (
      select key, raw, words, base + words * coalesce(raw / ends.best, 0.0) as score from scored, ends),
    unsure (key) as materialized (
      select low.key from low, ends where low.raw is null and ends.lex > 0 and low.words > 0
        and low.score + low.words * ends.lex >= coalesce(
          (select score from low order by score desc limit 1 offset ?11 - 1), -1e308)),
    exact (key, raw) as materialized (${exact}),
    ranked as ${shape.words ? 'materialized ' : ''}(
      select s.key, s.similarity, s.recency, coalesce(coalesce(s.raw, exact.raw) / ends.best, 0.0) as lexical,
        s.base + s.words * coalesce(coalesce(s.raw, exact.raw) / ends.best, 0.0) as score,
        ends.lex as lex_end, ends.newest as newest_end
      from scored s join ends left join exact on exact.key = s.key)
    select ranked.similarity, ranked.recency, ranked.lexical, ranked.score, ranked.lex_end, ranked.newest_end,
      r.id, r.concept, r.partition, n.status, n.created_at as made_at, n.version, n.payload
    from ranked cross join recall r on r.key = ranked.key
      cross join heads h on h.id = r.id cross join nodes n on n.seq = h.seq
    where ${opened}
    order by ranked.score desc, made_at desc, r.id ${limitedBy('?11')}`
}

type Filters = Pick<StatementShape, 'concepts' | 'partitions' | 'status' | 'window' | 'current'>

export function filterOf({ concepts, partitions, status, window, current }: Filters): string {
  return [
    'r.owner = ?1',
    concepts ? 'r.concept in (select value from json_each(?2))' : '?2 is null',
    partitions ? 'r.partition in (select value from json_each(?3))' : '?3 is null',
    status ? `${ofHead('status', current)} in (select value from json_each(?4))` : 'r.active = 1 and ?4 is null',
    window ? `${ofHead('created_at', current)} >= ?5` : '?5 is null',
  ].join(' and ')
}

/** Rows of current concepts have the value themselves. For other nodes only the head has it. */
function ofHead(column: 'status' | 'created_at', current: readonly string[]): string {
  const names = current.map((name) => `'${name.replaceAll("'", "''")}'`).join(', ')
  return `iif(r.concept in (${names}), r.${column},
    (select n.${column} from heads h join nodes n on n.seq = h.seq where h.id = r.id))`
}
