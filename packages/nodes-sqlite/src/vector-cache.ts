/**
 * The vectors of an embedder in this process, updated to the state that a snapshot sees: first the packed segments, then the changes since.
 * Must be called inside the snapshot of the recall statement.
 */
import { quantizeRow, unpackSegment, type VectorFacts, VectorIndex } from '@agentm/nodes/store-kit'
import { latestChange } from './change-counter.ts'
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
    const [epoch, change] = [epochOf(this.#reader), latestChange(this.#reader)]
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

function epochOf(connection: Connection): number {
  return connection.number("select value from counters where name = 'epoch'")
}

function loadSegments(reader: Connection, index: VectorIndex, embedder: number): number {
  let upto = 0
  for (const row of reader.iterate('select upto, data from segments where embedder = ? order by number', embedder)) {
    if (row['data'] instanceof Uint8Array) index.load(unpackSegment(row['data']))
    upto = Number(row['upto'])
  }
  // Segments are never edited. Rows that were removed after packing are found only in the list of changes.
  if (upto > 0) for (const { key } of reader.iterate(gone, upto)) index.delete(Number(key))
  return upto
}

// Compares two lists, because a lookup per key would read nearly every row.
const gone = 'select key from stirred where change <= ? except select key from recall indexed by recall_newest'

function loadChanges(reader: Connection, index: VectorIndex, embedder: number, since: number): void {
  const take = (row: Row) => {
    if (row['embedder'] === embedder) index.set(factsOf(row), quantizeRow(floatsOf(row['unit'])))
    else index.delete(Number(row['key']))
  }
  for (const row of reader.iterate(stirredRows, since, since)) take(row)
  for (const row of reader.iterate(newRows, since)) if (row['embedder'] === embedder) take(row)
}

const rowColumns = 'r.owner, r.concept, r.partition, r.status, r.active, r.created_at, r.ages_from, r.embedder, r.unit'

/** Older rows that were changed or removed. */
const stirredRows = `select s.key, ${rowColumns} from (select distinct key from stirred where change > ? and key <= ?) s
  left join recall r on r.key = s.key`

const newRows = `select r.key, ${rowColumns} from recall r where r.key > ? order by r.key`

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
