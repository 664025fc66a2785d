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

export const itemColumns =
  'i.key, i.id, i.concept, i.partition, i.source, i.status, i.created_at, i.ages_from, i.version'

/** The content of an item: its text, and the node's payload or what was put with a note. */
export function contentFrom(schema: string): string {
  return `left join ${schema}.nodes n on i.version is not null and n.partition = i.partition and n.id = i.id and n.version = i.version`
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
