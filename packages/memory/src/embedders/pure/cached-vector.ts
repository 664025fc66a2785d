/**
 * A vector as it is cached: how much one step is, then eight bits for each number. An index of notes keeps no more of a vector, so it comes out
 * the same from the cache. Four bytes for each number would take most of the disk that agentm needs.
 */
import { quantizeRow } from '@agentm/nodes/store-kit'

const scaleBytes = 4

export function packCachedVector(vector: Float32Array): Uint8Array {
  const { values, scale } = quantizeRow(vector)
  const bytes = new Uint8Array(scaleBytes + values.length)
  new DataView(bytes.buffer).setFloat32(0, scale, true)
  bytes.set(new Uint8Array(values.buffer), scaleBytes)
  return bytes
}

/** `undefined` for anything that is not a vector of this length. Earlier versions cached four bytes for each number. */
export function cachedVectorIn(bytes: Uint8Array | undefined, dimensions: number): Float32Array | undefined {
  const vector = bytes === undefined ? undefined : numbersIn(bytes, dimensions)
  return vector?.every(Number.isFinite) === true ? vector : undefined
}

function numbersIn(bytes: Uint8Array, dimensions: number): Float32Array | undefined {
  // A copy, because a vector has to begin at a multiple of four bytes.
  if (bytes.byteLength === dimensions * Float32Array.BYTES_PER_ELEMENT)
    return new Float32Array(Uint8Array.from(bytes).buffer)
  if (bytes.byteLength !== scaleBytes + dimensions) return undefined
  const scale = new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true)
  return Float32Array.from(
    new Int8Array(bytes.buffer, bytes.byteOffset + scaleBytes, dimensions),
    (step) => step * scale,
  )
}
