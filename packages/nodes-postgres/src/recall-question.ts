import type { RecallArguments, RecallHit, RecallQuery } from '@agentm/nodes'
import type { KnownEmbedder } from './embedders.ts'

/** A recall with everything looked up that ranking needs. */
export interface RecallQuestion {
  readonly query: RecallQuery
  readonly asked: RecallArguments
  readonly at: number
  readonly vector: Float32Array | undefined
  /** There is a vector, so items without one of this embedder are pending. */
  readonly named: boolean
  /** Absent when the store holds no vector of it. */
  readonly embedder: KnownEmbedder | undefined
}

export interface ItemRow {
  readonly key: number
  readonly id: string
  readonly concept: string
  readonly partition: string
  readonly source: string
  readonly status: string | null
  readonly created_at: number
  readonly ages_from: number
  readonly version: number | null
  readonly text: string | null
  readonly payload: string | null
}

export const itemColumns = `i.key, i.id, i.concept, i.partition, i.source,
  case when i.version is null then i.status else n.status end as status, coalesce(n.created_at, i.created_at) as created_at,
  i.ages_from, n.version`

/**
 * The content of an item: its text, and what was put with a note, or the newest version of the node, which the item may be
 * older than. Looked up one by one, whatever the planner takes the tables to be.
 */
export function contentFrom(schema: string): string {
  return `left join lateral (
      select h.status, h.created_at, h.version, v.payload
      from ${schema}.heads h join ${schema}.nodes v on v.partition = h.partition and v.id = h.id and v.version = h.version
      where i.version is not null and h.id = i.id offset 0
    ) n on true`
}

export const contentColumns = 'i.text, coalesce(n.payload, i.data) as payload'

export function hitOf(
  row: ItemRow,
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
    text: row.text ?? '',
    version: row.version ?? undefined,
    ...signals,
  }
}
