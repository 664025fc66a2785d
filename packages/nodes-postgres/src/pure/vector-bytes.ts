/**
 * Vectors in the server's binary form. As text, each number would be printed here and parsed by the server, which costs more than the rest
 * of the write.
 */

/** A single `vector`: the number of dimensions, an unused field, and the numbers in big-endian order. */
export function vectorBytes(unit: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(4 + 4 * unit.length)
  writeVector(bytes, 0, unit)
  return bytes
}

/** An array of vectors, with `undefined` as null. `oid` is the number of the type in that database. */
export function vectorArrayBytes(units: readonly (Float32Array | undefined)[], oid: number): Buffer {
  const size = units.reduce((sum, unit) => sum + 4 + (unit === undefined ? 0 : 4 + 4 * unit.length), arrayHead)
  const bytes = Buffer.allocUnsafe(size)
  ;[1, units.includes(undefined) ? 1 : 0, oid, units.length, 1].forEach((value, i) => bytes.writeUInt32BE(value, 4 * i))
  let at = arrayHead
  for (const unit of units) {
    const length = unit === undefined ? -1 : 4 + 4 * unit.length
    bytes.writeInt32BE(length, at)
    if (unit !== undefined) writeVector(bytes, at + 4, unit)
    at += 4 + Math.max(0, length)
  }
  return bytes
}

/** Size of the array header: number of dimensions, null flag, type, length, first index. */
const arrayHead = 20

function writeVector(bytes: Buffer, at: number, unit: Float32Array): void {
  bytes.writeUInt16BE(unit.length, at)
  bytes.writeUInt16BE(0, at + 2)
  const view = new DataView(bytes.buffer, bytes.byteOffset + at + 4, 4 * unit.length)
  for (let i = 0; i < unit.length; i++) view.setFloat32(4 * i, unit[i] ?? 0)
}
