/**
 * Arrays in the server's binary form. As text, every element is quoted here and read out of the quotes there, which costs
 * an append of a few nodes more than everything else about sending it.
 */

export interface ElementOf {
  readonly text: string
  readonly bytea: Buffer
  readonly boolean: boolean
  readonly integer: number
  readonly bigint: number
  readonly float8: number
}

export type ElementType = keyof ElementOf

/** One dimension, as `T[]` takes it; what is `undefined` or `null` becomes null. Whole numbers must be safe integers. */
export function arrayBytes<T extends ElementType>(
  values: readonly (ElementOf[T] | null | undefined)[],
  type: T,
): Buffer {
  const { oid, size, write } = elements[type]
  let length = headLength
  let nulls = 0
  for (const value of values)
    if (value === null || value === undefined) {
      nulls = 1
      length += 4
    } else length += 4 + size(value)
  const bytes = Buffer.allocUnsafe(length)
  writeHead(bytes, { count: values.length, nulls, oid })
  let at = headLength
  for (const value of values)
    if (value === null || value === undefined) at = bytes.writeInt32BE(-1, at)
    else {
      const end = write(bytes, value, at + 4)
      bytes.writeInt32BE(end - at - 4, at)
      at = end
    }
  return bytes
}

/** Dimensions, whether there are nulls, the type; then how many, and the first index. */
const headLength = 20

function writeHead(bytes: Buffer, { count, nulls, oid }: { count: number; nulls: number; oid: number }): void {
  bytes.writeInt32BE(1, 0)
  bytes.writeInt32BE(nulls, 4)
  bytes.writeUInt32BE(oid, 8)
  bytes.writeInt32BE(count, 12)
  bytes.writeInt32BE(1, 16)
}

interface Element<V> {
  /** The type's number, the same in every database. */
  readonly oid: number
  readonly size: (value: V) => number
  /** Answers where it ends. */
  readonly write: (bytes: Buffer, value: V, at: number) => number
}

const elements: { readonly [T in ElementType]: Element<ElementOf[T]> } = {
  text: {
    oid: 25,
    size: (value) => Buffer.byteLength(value),
    write: (bytes, value, at) => at + bytes.write(value, at),
  },
  bytea: {
    oid: 17,
    size: (value) => value.length,
    write: (bytes, value, at) => at + value.copy(bytes, at),
  },
  boolean: { oid: 16, size: () => 1, write: (bytes, value, at) => bytes.writeUInt8(value ? 1 : 0, at) },
  integer: { oid: 23, size: () => 4, write: (bytes, value, at) => bytes.writeInt32BE(value, at) },
  bigint: {
    oid: 20,
    size: () => 8,
    write: (bytes, value, at) => bytes.writeUInt32BE(value >>> 0, bytes.writeInt32BE(Math.floor(value / 2 ** 32), at)),
  },
  float8: { oid: 701, size: () => 8, write: (bytes, value, at) => bytes.writeDoubleBE(value, at) },
}
