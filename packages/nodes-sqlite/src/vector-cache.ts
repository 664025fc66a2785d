/**
 * The vectors of an embedder in this process, brought up to the state a snapshot sees: packed segments first, then whatever
 * changed since. Called inside the snapshot that the recall statement runs in.
 */
import { quantizeRow, unpackSegment, type VectorFacts, VectorIndex } from '@agentm/nodes'
import type { Connection } from './connection.ts'
import type { Row } from './database.ts'
import { optionalText } from './rows.ts'

interface Cached {
  readonly index: VectorIndex
  readonly epoch: number
  change: number
}

export interface KnownEmbedder {
  readonly number: number
  readonly dimensions: number
}

export class VectorCache {
  readonly #reader: Connection
  readonly #cached = new Map<number, Cached>()

  constructor(reader: Connection) {
    this.#reader = reader
  }

  current({ number, dimensions }: KnownEmbedder): VectorIndex {
    const [epoch, change] = [counter(this.#reader, 'epoch'), counter(this.#reader, 'change')]
    let cached = this.#cached.get(number)
    if (cached === undefined || cached.epoch !== epoch) {
      cached = { index: new VectorIndex(dimensions), epoch, change: 0 }
      cached.change = loadSegments(this.#reader, cached.index, number)
      this.#cached.set(number, cached)
    }
    if (cached.change !== change) loadChanges(this.#reader, cached.index, number, cached.change)
    cached.change = change
    return cached.index
  }
}

export function counter(connection: Connection, name: 'epoch' | 'change'): number {
  return connection.number('select value from counters where name = ?', name)
}

function loadSegments(reader: Connection, index: VectorIndex, embedder: number): number {
  let upto = 0
  for (const row of reader.iterate('select upto, data from segments where embedder = ? order by number', embedder)) {
    if (row['data'] instanceof Uint8Array) index.load(unpackSegment(row['data']))
    upto = Number(row['upto'])
  }
  // Segments are never edited: what went after a row was packed is only in the list of the gone.
  if (upto > 0) for (const { key } of reader.iterate('select key from gone')) index.delete(Number(key))
  return upto
}

function loadChanges(reader: Connection, index: VectorIndex, embedder: number, since: number): void {
  for (const { key } of reader.iterate('select key from gone where change > ?', since)) index.delete(Number(key))
  const rows = reader.iterate(
    `select r.key, r.owner, r.concept, r.partition, r.status, r.active, r.created_at, r.ages_from, r.embedder, v.unit
      from recall r left join vectors v on v.key = r.key where r.change > ?`,
    since,
  )
  for (const row of rows)
    if (row['embedder'] === embedder) index.set(factsOf(row), quantizeRow(floatsOf(row['unit'])))
    else index.delete(Number(row['key']))
}

export function factsOf(row: Row): VectorFacts {
  return {
    key: Number(row['key']),
    owner: String(row['owner']),
    concept: String(row['concept']),
    partition: String(row['partition']),
    status: optionalText(row['status']),
    active: row['active'] === 1,
    createdAt: Number(row['created_at']),
    agesFrom: Number(row['ages_from']),
  }
}

export function floatsOf(blob: unknown): Float32Array {
  if (!(blob instanceof Uint8Array)) throw new TypeError('a vector is stored as a blob')
  const bytes = blob.byteOffset % 4 === 0 ? blob : new Uint8Array(blob)
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
}
