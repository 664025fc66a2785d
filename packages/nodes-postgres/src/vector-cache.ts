/**
 * The small copies of all vectors of an embedder, in this process, as of a moment. What changed since then is asked for
 * with every question, by the transactions that were not finished at that moment; when it becomes much, the copy is
 * brought up to date.
 */
import { VectorIndex } from '@agentm/nodes'
import type { Database } from './database.ts'
import type { KnownEmbedder } from './embedders.ts'

export interface CachedVectors {
  readonly embedder: KnownEmbedder
  readonly index: VectorIndex
  /** The oldest transaction that was running when the copy was read; itself and later ones may have changed more. */
  since: string
}

interface VectorRow {
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

const pageSize = 20_000

export class VectorCache {
  readonly #database: Database
  readonly #cached = new Map<number, Promise<CachedVectors>>()
  #syncing: Promise<void> | undefined

  constructor(database: Database) {
    this.#database = database
  }

  async of(embedder: KnownEmbedder): Promise<CachedVectors> {
    const known = this.#cached.get(embedder.id)
    if (known !== undefined) {
      const cached = await known
      if (cached.embedder.dimensions === embedder.dimensions) return cached
    }
    const loading = this.#load(embedder)
    this.#cached.set(embedder.id, loading)
    loading.catch(() => this.#cached.delete(embedder.id))
    return loading
  }

  /** After a question: forgets candidates that are gone, and reads again when much has changed. */
  learn(
    cached: CachedVectors,
    candidates: readonly number[],
    rows: readonly { readonly item: number | null; readonly fresh: boolean }[],
    tooMany: number,
  ): void {
    const there = new Set(rows.map(({ item }) => item))
    // A row that left the scope meanwhile is among the changes of the next reading, and comes back with it.
    for (const key of candidates) if (!there.has(key)) cached.index.delete(key)
    if (rows.filter(({ fresh }) => fresh).length > tooMany && this.#syncing === undefined)
      this.#syncing = this.#sync(cached)
        .catch(() => undefined)
        .finally(() => {
          this.#syncing = undefined
        })
  }

  async #load(embedder: KnownEmbedder): Promise<CachedVectors> {
    const cached = { embedder, index: new VectorIndex(embedder.dimensions), since: await this.#oldestRunning() }
    for (let after: number | undefined = -1; after !== undefined;) {
      const page: readonly VectorRow[] = await this.#page(embedder, 'v.key > $2 order by v.key', after)
      for (const row of page) keep(cached.index, row)
      after = page.length < pageSize ? undefined : page.at(-1)?.key
    }
    return cached
  }

  async #sync(cached: CachedVectors): Promise<void> {
    const next = await this.#oldestRunning()
    for (let after: number | undefined = -1; after !== undefined;) {
      const since = `i.changed_in >= '${Number(cached.since)}'::xid8 and v.key > $2 order by v.key`
      const page: readonly VectorRow[] = await this.#page(cached.embedder, since, after, true)
      for (const row of page) keep(cached.index, row)
      after = page.length < pageSize ? undefined : page.at(-1)?.key
    }
    cached.since = next
  }

  async #oldestRunning(): Promise<string> {
    const [row] = await this.#database.read<{ xmin: string }>({
      text: 'select pg_snapshot_xmin(pg_current_snapshot())::text as xmin',
    })
    return row?.xmin ?? '0'
  }

  async #page(embedder: KnownEmbedder, rest: string, after: number, once = false): Promise<readonly VectorRow[]> {
    const { schema } = this.#database
    return this.#database.read<VectorRow>({
      text: `select i.key, i.owner, i.concept, i.partition, i.status, i.active, i.created_at, i.ages_from, v.quantized,
          v.scale, v.error
        from ${schema}.vectors v join ${schema}.items i on i.key = v.key
        where v.embedder = $1 and v.quantized is not null and ${rest} limit ${pageSize}`,
      values: [embedder.id, after],
      once,
    })
  }
}

export function unitOf(bytes: Buffer): Float32Array {
  // A buffer may be a view into a larger one that begins anywhere; floats need their alignment.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(bytes)
  if (aligned.byteOffset % 4 === 0) return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4)
  return new Float32Array(new Uint8Array(aligned).buffer)
}

function keep(index: VectorIndex, row: VectorRow): void {
  const { key, owner, concept, partition, active, quantized, scale, error } = row
  index.set(
    {
      key,
      owner,
      concept,
      partition,
      status: row.status ?? undefined,
      active,
      createdAt: row.created_at,
      agesFrom: row.ages_from,
    },
    { values: new Int8Array(quantized.buffer, quantized.byteOffset, quantized.byteLength), scale, error },
  )
}
