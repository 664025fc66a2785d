/** Reads the small copies of vectors, with the facts that a scan needs, page by page in the order of their keys. */
import type { QuantizedRow, VectorFacts } from '@agentm/nodes/store-kit'
import type { Run } from './database.ts'
import type { KnownEmbedder } from './embedders.ts'

export interface VectorRow {
  readonly key: number
  readonly owner: string
  readonly concept: string
  readonly partition: string
  readonly status: string | null
  readonly active: boolean
  readonly created_at: number
  readonly ages_from: number
  readonly quantized: Buffer
  readonly scale: number
  readonly error: number
}

interface Part {
  readonly schema: string
  readonly embedder: KnownEmbedder
  /** Only keys above this one. */
  readonly after: number
  /** Only items that this transaction or a later one changed. */
  readonly since?: string | undefined
  readonly limit: number
}

export async function vectorRows(run: Run, part: Part): Promise<readonly VectorRow[]> {
  const { schema, embedder, after, since, limit } = part
  return run<VectorRow>({
    text: `select i.key, i.owner, i.concept, i.partition, i.status, i.active, i.created_at, i.ages_from,
        v.quantized, v.scale, v.error
      from ${schema}.vectors v join ${schema}.items i on i.key = v.key
      where v.embedder = $1 and v.quantized is not null and v.key > $2
        ${since === undefined ? '' : `and i.changed_in >= '${Number(since)}'::xid8`} order by v.key limit $3`,
    values: [embedder.id, after, limit],
    once: since !== undefined,
  })
}

export function factsOf(row: VectorRow): VectorFacts {
  const { key, owner, concept, partition, active, status, created_at, ages_from } = row
  return {
    key,
    owner,
    concept,
    partition,
    status: status ?? undefined,
    active,
    createdAt: created_at,
    agesFrom: ages_from,
  }
}

export function quantizedOf({ quantized, scale, error }: VectorRow): QuantizedRow {
  return { values: new Int8Array(quantized.buffer, quantized.byteOffset, quantized.byteLength), scale, error }
}
