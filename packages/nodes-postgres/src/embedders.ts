/**
 * Which embedders the store knows, and vectors as it keeps them. One embedder has one number of dimensions for as long as
 * a vector of it is kept.
 */
import { InvalidVectorError, type ItemVector, quantizeRow, unitVector } from '@agentm/nodes'
import type { Database } from './database.ts'
import type { VectorRow } from './pure/append-arguments.ts'
import type { VectorType } from './vector-type.ts'

export interface KnownEmbedder {
  readonly id: number
  readonly name: string
  readonly dimensions: number
}

export class Embedders {
  readonly #database: Database
  /** Vectors of up to so many dimensions go into a column of the vector type. */
  readonly type: VectorType
  readonly #known = new Map<string, KnownEmbedder>()
  readonly #onVectors: (embedder: number) => void

  /** `onVectors` is told whose vectors are being written. */
  constructor(database: Database, type: VectorType, onVectors: (embedder: number) => void) {
    this.#database = database
    this.type = type
    this.#onVectors = onVectors
  }

  /** The embedder as the store knows it, or nothing when it never saw a vector of it. */
  async find(name: string): Promise<KnownEmbedder | undefined> {
    const cached = this.#known.get(name)
    if (cached !== undefined) return cached
    const [row] = await this.#database.read<KnownEmbedder>({
      text: `select id, name, dimensions from ${this.#database.schema}.embedders where name = $1`,
      values: [name],
    })
    if (row !== undefined) this.#known.set(name, row)
    return row
  }

  /** The embedder, made known where it is new; refused when its dimensions are others than those of its vectors here. */
  async ensure(name: string, dimensions: number): Promise<KnownEmbedder> {
    const cached = await this.find(name)
    if (cached?.dimensions === dimensions) return cached
    const { schema } = this.#database
    const [row] = await this.#database.write<KnownEmbedder>({
      text: `insert into ${schema}.embedders as e (name, dimensions) values ($1, $2)
        on conflict (name) do update set dimensions = case
          when exists (select from ${schema}.items i where i.embedder = e.id) then e.dimensions else excluded.dimensions end
        returning id, name, dimensions`,
      values: [name, dimensions],
    })
    if (row === undefined) throw new TypeError('an upsert answers its row')
    this.#known.set(name, row)
    if (row.dimensions !== dimensions)
      throw new InvalidVectorError(`${name} has ${row.dimensions} dimensions here, not ${dimensions}`)
    return row
  }

  async rows(given: readonly { readonly id: string; readonly vector: ItemVector }[]): Promise<readonly VectorRow[]> {
    const rows: VectorRow[] = []
    for (const { id, vector } of given) {
      const { id: embedder, dimensions } = await this.ensure(vector.embedder, vector.values.length)
      rows.push({ id, embedder, ...this.#stored(unitVector(vector.values), dimensions) })
    }
    for (const embedder of new Set(rows.map((row) => row.embedder))) this.#onVectors(embedder)
    return rows
  }

  #stored(unit: Float32Array, dimensions: number): Omit<VectorRow, 'id' | 'embedder'> {
    if (dimensions <= this.type.dimensions)
      return { typed: unit, unit: undefined, quantized: undefined, scale: undefined, error: undefined }
    const { values, scale, error } = quantizeRow(unit)
    return { typed: undefined, unit: bytesOf(unit), quantized: bytesOf(values), scale, error }
  }
}

function bytesOf(array: Float32Array | Int8Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength)
}
