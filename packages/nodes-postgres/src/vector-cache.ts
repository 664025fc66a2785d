/**
 * The small copies of all vectors of an embedder in this process, as of one moment. Each query also asks for the changes since then, which
 * are those of transactions that were not finished at that moment. After many changes, the copy is updated.
 */
import { unpackSegment, VectorIndex } from '@agentm/nodes/store-kit'
import type { Database, Run } from './database.ts'
import type { KnownEmbedder } from './embedders.ts'
import { SegmentPacker } from './segment-packer.ts'
import type { Candidate } from './pure/recall-statement.ts'
import { factsOf, quantizedOf, type VectorRow, vectorRows } from './vector-rows.ts'

export interface CachedVectors {
  readonly embedder: KnownEmbedder
  readonly index: VectorIndex
  /** The oldest transaction that was running when the copy was read; itself and later ones may have changed more. */
  since: string
}

const pageSize = 20_000

export class VectorCache {
  readonly #database: Database
  readonly #cached = new Map<number, Promise<CachedVectors>>()
  #syncing: Promise<void> | undefined
  readonly #packer: SegmentPacker

  constructor(database: Database) {
    this.#database = database
    this.#packer = new SegmentPacker(database)
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

  /** To be called after a query: removes candidates that no longer exist, and reloads after many changes. */
  learn(cached: CachedVectors, candidates: readonly number[], rows: readonly Candidate[], tooMany: number): void {
    const there = new Set(rows.map(([key]) => key))
    // A row that has only left the scope is among the changes of the next load, and returns with it.
    for (const key of candidates) if (!there.has(key)) cached.index.delete(key)
    if (rows.filter(([, , , , , , isFresh]) => isFresh).length > tooMany && this.#syncing === undefined)
      this.#syncing = this.#sync(cached)
        .then(
          () => undefined,
          () => undefined,
        )
        .finally(() => {
          this.#syncing = undefined
        })
  }

  /** Loads the packed vectors, then the changes since. If many are unpacked, it has them packed for the next process. */
  async #load(embedder: KnownEmbedder): Promise<CachedVectors> {
    const index = new VectorIndex(embedder.dimensions)
    const packed = await this.#packed(embedder)
    for (const { data } of packed) index.load(unpackSegment(Buffer.from(data, 'base64')))
    const since = packed.at(-1)?.since
    const cached = { embedder, index, since: since ?? (await this.#oldestRunning()) }
    const read = since === undefined ? await this.#read(cached) : await this.#sync(cached)
    this.#packer.consider(embedder, read)
    return cached
  }

  /** One statement, so that all segments are from one packing. The driver receives bytes only as text, and this form is shorter. */
  async #packed({ id }: KnownEmbedder): Promise<readonly { readonly since: string; readonly data: string }[]> {
    return this.#database.read({
      text: `select since::text as since, encode(data, 'base64') as data from ${this.#database.schema}.segments where embedder = $1 order by number`,
      values: [id],
    })
  }

  async #sync(cached: CachedVectors): Promise<number> {
    const [next, { since }] = [await this.#oldestRunning(), cached]
    const read = await this.#read(cached, since)
    cached.since = next
    return read
  }

  async #read({ embedder, index }: CachedVectors, since?: string): Promise<number> {
    const { schema } = this.#database
    const run: Run = async (statement) => this.#database.read(statement)
    let read = 0
    for (let after: number | undefined = -1; after !== undefined;) {
      const rows: readonly VectorRow[] = await vectorRows(run, { schema, embedder, after, since, limit: pageSize })
      for (const row of rows) index.set(factsOf(row), quantizedOf(row))
      read += rows.length
      after = rows.length < pageSize ? undefined : rows.at(-1)?.key
    }
    return read
  }

  async #oldestRunning(): Promise<string> {
    const [row] = await this.#database.read<{ xmin: string }>({
      text: 'select pg_snapshot_xmin(pg_current_snapshot())::text as xmin',
    })
    return row?.xmin ?? '0'
  }

  /** Resolves when no packing is running. */
  async close(): Promise<void> {
    await this.#packer.close()
  }
}

export function unitOf(bytes: Buffer): Float32Array {
  // A buffer may be an unaligned view into a larger one, and floats need alignment.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(bytes)
  if (aligned.byteOffset % 4 === 0) return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4)
  return new Float32Array(new Uint8Array(aligned).buffer)
}
