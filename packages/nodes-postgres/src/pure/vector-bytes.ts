/**
 * Vectors in the server's binary form. As text, every number is printed here and read again there, which costs more than
 * everything else about writing it.
 */

/** A single `vector`: how many numbers, a field without use, the numbers, high bytes first. */
export function vectorBytes(unit: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(4 + 4 * unit.length)
  writeVector(bytes, 0, unit)
  return bytes
}

/** An array of them, `undefined` as null; `oid` is the type's number in that database. */
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

/** Dimensions, whether there are nulls, the type; then how many, and the first index. */
const arrayHead = 20

function writeVector(bytes: Buffer, at: number, unit: Float32Array): void {
  bytes.writeUInt16BE(unit.length, at)
  bytes.writeUInt16BE(0, at + 2)
  const view = new DataView(bytes.buffer, bytes.byteOffset + at + 4, 4 * unit.length)
  for (let i = 0; i < unit.length; i++) view.setFloat32(4 * i, unit[i] ?? 0)
}
