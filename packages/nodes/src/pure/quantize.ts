/**
 * A unit vector in 8 bits (rows) or 13 bits (queries) per number, with the length of the quantisation error. For unit vectors x and q, |x·q
 * − x̂·q̂| ≤ e_x + (1 + e_x)·e_q, so the true cosine can be bounded by integer arithmetic.
 */
export interface QuantizedRow {
  readonly values: Int8Array
  readonly scale: number
  /** ‖x − x̂‖, rounded up. */
  readonly error: number
}

export interface QuantizedQuery {
  readonly values: Int16Array
  readonly scale: number
  readonly error: number
}

/** A unit vector in 8 bits for each number, with its error. */
export function quantizeRow(unit: Float32Array): QuantizedRow {
  const values = new Int8Array(unit.length)
  return { values, ...quantize(unit, values, 127) }
}

/** A unit vector in 13 bits for each number, with its error. */
export function quantizeQuery(unit: Float32Array): QuantizedQuery {
  const values = new Int16Array(unit.length)
  return { values, ...quantize(unit, values, 4095) }
}

/** Bytes of a row in scans and segments: the values padded to 16, the scale, the error, and 8 unused bytes. */
export function rowBytes(dimensions: number): number {
  return paddedTo16(dimensions) + 16
}

/** Writes a row in that layout. */
export function writeRow(into: ArrayBufferLike, at: number, { values, scale, error }: QuantizedRow): void {
  const width = paddedTo16(values.length)
  const place = new Int8Array(into, at, width)
  place.set(values)
  place.fill(0, values.length)
  const floats = new Float32Array(into, at + width, 2)
  floats[0] = scale
  floats[1] = error
}

export function paddedTo16(dimensions: number): number {
  return Math.ceil(dimensions / 16) * 16
}

/** The largest error of a quantised cosine. */
export function errorBound(row: number, query: number): number {
  return row + (1 + row) * query
}

// Both are stored as 32-bit floats. The scale is rounded before it is used; the error is rounded up after it was computed.
function quantize(unit: Float32Array, values: Int8Array | Int16Array, most: number) {
  let largest = 0
  for (const value of unit) largest = Math.max(largest, Math.abs(value))
  const scale = Math.fround(largest / most) || Number.MIN_VALUE
  let lost = 0
  for (let i = 0; i < unit.length; i++) {
    const exact = unit[i] ?? 0
    const whole = Math.max(-most, Math.min(most, Math.round(exact / scale)))
    values[i] = whole
    lost += (exact - whole * scale) ** 2
  }
  return { scale, error: Math.fround(Math.sqrt(lost) * (1 + 1e-6) + 1e-7) }
}
