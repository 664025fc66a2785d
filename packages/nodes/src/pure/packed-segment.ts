/**
 * Many rows in one blob, so that a cold process reads a hundred blobs and not a hundred thousand rows. Little-endian, all
 * parts aligned: a JSON header padded to 8 bytes, then the columns, then the 8-bit rows.
 */
import type { VectorFacts, VectorScope } from '../vector-index.ts'
import type { QuantizedRow } from './quantize.ts'

export interface PackedSegment {
  readonly count: number
  readonly dimensions: number
  readonly scopes: readonly VectorScope[]
  readonly keys: Float64Array
  readonly createdAt: Float64Array
  readonly agesFrom: Float64Array
  readonly scales: Float32Array
  readonly errors: Float32Array
  readonly scopeOf: Uint32Array
  readonly values: Int8Array
}

interface Header {
  readonly count: number
  readonly dimensions: number
  readonly scopes: readonly (readonly [string, string, string, string | null, boolean])[]
}

export function packSegment(
  rows: readonly { readonly facts: VectorFacts; readonly row: QuantizedRow }[],
  dimensions: number,
): Uint8Array {
  const scopeNumbers = new Map<string, number>()
  const scopes: Header['scopes'][number][] = []
  const scopeOf = rows.map(({ facts }) => {
    const scope = [facts.owner, facts.concept, facts.partition, facts.status ?? null, facts.active] as const
    const name = JSON.stringify(scope)
    const known = scopeNumbers.get(name)
    if (known !== undefined) return known
    scopeNumbers.set(name, scopes.length)
    return scopes.push(scope) - 1
  })
  const header = new TextEncoder().encode(JSON.stringify({ count: rows.length, dimensions, scopes } satisfies Header))
  const blob = new Uint8Array(columnsAt(header.length) + rows.length * (bytesPerRow + dimensions))
  new DataView(blob.buffer).setUint32(0, header.length, true)
  blob.set(header, 4)
  const columns = columnsOf(blob, columnsAt(header.length), rows.length, dimensions)
  rows.forEach(({ facts, row }, i) => {
    columns.keys[i] = facts.key
    columns.createdAt[i] = facts.createdAt
    columns.agesFrom[i] = facts.agesFrom
    columns.scales[i] = row.scale
    columns.errors[i] = row.error
    columns.scopeOf[i] = scopeOf[i] ?? 0
    columns.values.set(row.values, i * dimensions)
  })
  return blob
}

export function unpackSegment(blob: Uint8Array): PackedSegment {
  // Typed arrays need their alignment; a blob that is a view into some larger buffer may not have it.
  const bytes = blob.byteOffset % 8 === 0 ? blob : new Uint8Array(blob)
  const headerLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
  const header: Header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + headerLength)))
  const { count, dimensions } = header
  return {
    count,
    dimensions,
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

const bytesPerRow = 3 * 8 + 3 * 4

function columnsAt(headerLength: number): number {
  return Math.ceil((4 + headerLength) / 8) * 8
}

function columnsOf({ buffer, byteOffset }: Uint8Array, at: number, count: number, dimensions: number) {
  const start = byteOffset + at
  return {
    keys: new Float64Array(buffer, start, count),
    createdAt: new Float64Array(buffer, start + 8 * count, count),
    agesFrom: new Float64Array(buffer, start + 16 * count, count),
    scales: new Float32Array(buffer, start + 24 * count, count),
    errors: new Float32Array(buffer, start + 28 * count, count),
    scopeOf: new Uint32Array(buffer, start + 32 * count, count),
    values: new Int8Array(buffer, start + 36 * count, count * dimensions),
  }
}
