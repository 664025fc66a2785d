/** Vectors in their stored form: 32-bit floats of unit length, so that a dot product is the cosine. */
import { InvalidVectorError } from '../errors.ts'

/** The most dimensions a vector may have. */
const maxDimensions = 4096

/** Throws for a vector that would spoil a ranking: zero length, NaN, or infinite values. */
export function checkVector(values: ArrayLike<number>, dimensions: number = values.length): void {
  if (values.length !== dimensions)
    throw new InvalidVectorError(`it has ${values.length} dimensions where ${dimensions} are expected`)
  if (values.length === 0 || values.length > maxDimensions)
    throw new InvalidVectorError(`it has ${values.length} dimensions; 1 to ${maxDimensions} are possible`)
  const largest = largestOf(values)
  if (!Number.isFinite(largest)) throw new InvalidVectorError('one of its values is not a finite number')
  if (largest === 0) throw new InvalidVectorError('all its values are zero, so it has no direction')
}

/**
 * The vector scaled to length 1, in 32-bit floats, so that a dot product is the cosine.
 *
 * @example
 * ```ts
 * import { dot, unitVector } from '@agentm/nodes'
 *
 * console.log(dot(unitVector([3, 4]), unitVector([3, 4])).toFixed(2)) // 1.00
 * ```
 */
export function unitVector(values: ArrayLike<number>): Float32Array {
  const squares = dot(values, values)
  // If the sum of squares neither overflows nor underflows, the simple formula is exact enough.
  const scale = squares > 1e-200 && squares < 1e200 ? 1 / Math.sqrt(squares) : carefulScale(values)
  if (values.length > maxDimensions) checkVector(values)
  const unit = new Float32Array(values.length)
  for (let i = 0; i < values.length; i++) unit[i] = (values[i] ?? 0) * scale
  return unit
}

/** Divides by the largest value first, so that huge and tiny vectors do not overflow or underflow in the sum of squares. */
function carefulScale(values: ArrayLike<number>): number {
  checkVector(values)
  const largest = largestOf(values)
  let squares = 0
  for (let i = 0; i < values.length; i++) squares += ((values[i] ?? 0) / largest) ** 2
  return 1 / Math.sqrt(squares) / largest
}

/**
 * The cosine of two unit vectors.
 *
 * @example
 * ```ts
 * import { dot } from '@agentm/nodes'
 *
 * console.log(dot([1, 0], [0.5, 0.5])) // 0.5
 * ```
 */
export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

/** The largest absolute value; NaN if a value is not a finite number. */
function largestOf(values: ArrayLike<number>): number {
  let largest = 0
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i] ?? Number.NaN)
    if (!Number.isFinite(size)) return Number.NaN
    if (size > largest) largest = size
  }
  return largest
}
