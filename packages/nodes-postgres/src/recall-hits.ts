/** Loads hits with their content, by the keys that were ranked. */
import type { RecallHit } from '@agentm/nodes'

export interface HitRow {
  readonly key: number
  readonly id: string
  readonly concept: string
  readonly partition: string
  readonly status: string | null
  readonly created_at: number
  readonly version: number
  readonly text: string
  readonly payload: string
}

/** Reads the text of an item, and the newest version of its node. Heads are looked up one by one, whatever size the planner expects. */
export function hitStatement(schema: string): string {
  return `select i.key, i.id, i.concept, i.partition, i.text, n.version, n.payload, n.status, n.created_at
    from unnest($1::bigint[]) u (key)
    cross join lateral (select * from ${schema}.items i where i.key = u.key offset 0) i
    cross join lateral (
      select h.status, h.created_at, h.version, v.payload
      from ${schema}.heads h join ${schema}.nodes v on v.partition = h.partition and v.id = h.id and v.version = h.version
      where h.id = i.id offset 0
    ) n`
}

export function hitOf(
  row: HitRow,
  signals: Pick<RecallHit, 'similarity' | 'lexical' | 'recency' | 'score'>,
): RecallHit {
  return {
    id: row.id,
    concept: row.concept,
    partition: row.partition,
    status: row.status ?? undefined,
    createdAt: row.created_at,
    payload: JSON.parse(row.payload),
    text: row.text,
    version: row.version,
    ...signals,
  }
}
