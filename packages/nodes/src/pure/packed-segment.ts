/**
 * Many rows in one blob, so that a cold process reads a hundred blobs instead of a hundred thousand rows. The layout is little-endian and
 * aligned: a JSON header padded to 16 bytes, the rows in the layout of the scan, then the columns.
 */
import type { VectorFacts, VectorScope } from '../vector-index.ts'
import { type QuantizedRow, rowBytes, writeRow } from './quantize.ts'

/** The content of a block of quantised vectors. */
export interface PackedSegment {
  readonly count: number
  readonly dimensions: number
  /** The largest quantisation error of any row. */
  readonly largestError: number
  readonly scopes: readonly VectorScope[]
  readonly keys: Float64Array
  readonly createdAt: Float64Array
  readonly agesFrom: Float64Array
  readonly scopeOf: Uint32Array
  /** The rows, each `rowBytes(dimensions)` long. */
  readonly rows: Uint8Array
}

interface Header {
  readonly count: number
  readonly dimensions: number
  readonly largestError: number
  readonly scopes: readonly (readonly [string, string, string, string | null, boolean])[]
}

/** Many quantised vectors in one block of bytes. */
export function packSegment(
  rows: readonly { readonly facts: VectorFacts; readonly row: QuantizedRow }[],
  dimensions: number,
): Uint8Array {
  const scopeNumbers = new Map<string, number>()
  const scopes: Header['scopes'][number][] = []
  const scopeOf = rows.map(({ facts }) => {
    const { owner, concept, partition, status, active } = facts
    const scope = [owner, concept, partition, status ?? null, active] as const
    const name = JSON.stringify(scope)
    const known = scopeNumbers.get(name)
    if (known !== undefined) return known
    scopeNumbers.set(name, scopes.length)
    return scopes.push(scope) - 1
  })
  const largestError = rows.reduce((most, { row }) => Math.max(most, row.error), 0)
  const header = new TextEncoder().encode(
    JSON.stringify({ count: rows.length, dimensions, largestError, scopes } satisfies Header),
  )
  const blob = new Uint8Array(columnsAt(header.length) + rows.length * (rowBytes(dimensions) + bytesPerFacts))
  new DataView(blob.buffer).setUint32(0, header.length, true)
  blob.set(header, 4)
  const columns = columnsOf(blob, columnsAt(header.length), rows.length, dimensions)
  rows.forEach(({ facts, row }, i) => {
    columns.keys[i] = facts.key
    columns.createdAt[i] = facts.createdAt
    columns.agesFrom[i] = facts.agesFrom
    columns.scopeOf[i] = scopeOf[i] ?? 0
    writeRow(blob.buffer, columns.rows.byteOffset + i * rowBytes(dimensions), row)
  })
  return blob
}

/** Reads what `packSegment` wrote. */
export function unpackSegment(blob: Uint8Array): PackedSegment {
  // Typed arrays need alignment, and a blob that is a view into a larger buffer may be unaligned. Such a blob is copied.
  const bytes = blob.byteOffset % 8 === 0 ? blob : new Uint8Array(blob)
  const headerLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
  const header: Header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + headerLength)))
  const { count, dimensions, largestError } = header
  return {
    count,
    dimensions,
    largestError,
    scopes: header.scopes.map(([owner, concept, partition, status, active]) => ({
      owner,
      concept,
      partition,
      status: status ?? undefined,
      active,
    })),
    ...columnsOf(bytes, columnsAt(headerLength), count, dimensions),
  }
}

const bytesPerFacts = 3 * 8 + 4

function columnsAt(headerLength: number): number {
  return Math.ceil((4 + headerLength) / 16) * 16
}

function columnsOf({ buffer, byteOffset }: Uint8Array, at: number, count: number, dimensions: number) {
  const start = byteOffset + at
  const facts = start + count * rowBytes(dimensions)
  return {
    rows: new Uint8Array(buffer, start, count * rowBytes(dimensions)),
    keys: new Float64Array(buffer, facts, count),
    createdAt: new Float64Array(buffer, facts + 8 * count, count),
    agesFrom: new Float64Array(buffer, facts + 16 * count, count),
    scopeOf: new Uint32Array(buffer, facts + 24 * count, count),
  }
}
