/** Loads hits with their content, by the keys that were ranked. */
import type { RecallHit } from '@agentm/nodes'

export interface HitRow {
  readonly key: number
  readonly id: string
  readonly concept: string
  readonly partition: string
  readonly source: string
  readonly status: string | null
  readonly created_at: number
  readonly version: number | null
  readonly text: string
  readonly payload: string | null
}

/**
 * Reads the text of an item, and the data of a note or the newest version of a node. Heads are looked up one by one, whatever size the
 * planner expects.
 */
export function hitStatement(schema: string): string {
  return `select i.key, i.id, i.concept, i.partition, i.source, n.version, i.text, coalesce(n.payload, i.data) as payload,
      case when i.version is null then i.status else n.status end as status,
      coalesce(n.created_at, i.created_at) as created_at
    from unnest($1::bigint[]) u (key)
    cross join lateral (select * from ${schema}.items i where i.key = u.key offset 0) i
    left join lateral (
      select h.status, h.created_at, h.version, v.payload
      from ${schema}.heads h join ${schema}.nodes v on v.partition = h.partition and v.id = h.id and v.version = h.version
      where i.version is not null and h.id = i.id offset 0
    ) n on true`
}

export function hitOf(
  row: HitRow,
  signals: Pick<RecallHit, 'similarity' | 'lexical' | 'recency' | 'score'>,
): RecallHit {
  return {
    id: row.id,
    concept: row.concept,
    partition: row.partition,
    source: row.source,
    status: row.status ?? undefined,
    createdAt: row.created_at,
    payload: row.payload === null ? {} : JSON.parse(row.payload),
    text: row.text,
    version: row.version ?? undefined,
    ...signals,
  }
}
