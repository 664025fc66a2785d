/**
 * The embedders of the store, and vectors in their stored form. An embedder keeps its number of dimensions as long as the store has a
 * vector of it.
 */
import { type ItemVector, unitVector } from '@agentm/nodes'
import { InvalidVectorError, quantizeRow } from '@agentm/nodes/store-kit'
import type { Database } from './database.ts'
import type { VectorOwner, VectorRow } from './pure/append-call.ts'
import { vectorArrayBytes } from './pure/vector-bytes.ts'
import type { VectorType } from './vector-type.ts'

export interface KnownEmbedder {
  readonly id: number
  readonly name: string
  readonly dimensions: number
}

export class Embedders {
  readonly #database: Database
  /** The vector type, for vectors up to its number of dimensions. */
  readonly type: VectorType
  readonly #known = new Map<string, KnownEmbedder>()
  readonly #onVectors: (embedder: number) => void

  /** `onVectors` is called with each embedder whose vectors are written. */
  constructor(database: Database, type: VectorType, onVectors: (embedder: number) => void) {
    this.#database = database
    this.type = type
    this.#onVectors = onVectors
  }

  /** The embedder; `undefined` if the store has never had a vector of it. */
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

  /** The embedder, added if it is new. Refused if its dimensions differ from those of its stored vectors. */
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

  /** The vectors in their stored form. */
  async rows(given: readonly (VectorOwner & { readonly vector: ItemVector })[]): Promise<readonly VectorRow[]> {
    const rows: VectorRow[] = []
    for (const { vector, ...whose } of given) {
      const { id: embedder, dimensions } = await this.ensure(vector.embedder, vector.values.length)
      rows.push({ ...whose, embedder, ...this.#stored(unitVector(vector.values), dimensions) })
    }
    for (const embedder of new Set(rows.map((row) => row.embedder))) this.#onVectors(embedder)
    return rows
  }

  /** The vectors in the form that the server accepts; null if there are none. */
  typed(units: readonly (Float32Array | undefined)[]): Buffer | null {
    return units.every((unit) => unit === undefined) ? null : vectorArrayBytes(units, this.type.oid)
  }

  #stored(unit: Float32Array, dimensions: number): Omit<VectorRow, keyof VectorOwner | 'embedder'> {
    if (dimensions <= this.type.dimensions)
      return { typed: unit, unit: undefined, quantized: undefined, scale: undefined, error: undefined }
    const { values, scale, error } = quantizeRow(unit)
    return { typed: undefined, unit: base64(unit), quantized: base64(values), scale, error }
  }
}

function base64(array: Float32Array | Int8Array): string {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64')
}
