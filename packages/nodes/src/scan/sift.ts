/**
 * Many 8-bit rows in one block of memory, and a filter for the rows whose cosine with a query may reach a threshold. It uses WebAssembly
 * SIMD if the engine supports it, otherwise JavaScript with the same results.
 */
import { paddedTo16, type QuantizedQuery, type QuantizedRow, rowBytes, writeRow } from '../pure/quantize.ts'
import { int8SiftWasm } from './int8-sift-wasm.ts'

export type SiftKind = 'simd' | 'scalar'

/** Rows per call. The results fit in the memory between the query and the rows. */
export const siftBlock = 8192

/** Row numbers relative to the block, and upper bounds of the cosine. Valid until the next call. */
export interface Survivors {
  readonly count: number
  /** Alternately a row number and a bound. */
  readonly numbers: Int32Array
  readonly bounds: Float32Array
}

export interface Sift {
  readonly kind: SiftKind
  /** Allocates memory for this number of rows. */
  reserve(rows: number): void
  setRow(row: number, values: QuantizedRow): void
  /** Rows in the layout of `writeRow`, one after the other. */
  setRows(from: number, rows: Uint8Array): void
  copyRow(from: number, to: number): void
  setQuery(query: QuantizedQuery): void
  /** The matching rows among rows `from` to `from + count`; `count` is at most `siftBlock`. */
  sift(from: number, count: number, threshold: number): Survivors
}

/** Finds the rows whose cosine with a query may reach a threshold, by WebAssembly SIMD where possible. */
export function createSift(dimensions: number, kind: SiftKind = bestKind()): Sift {
  return kind === 'simd' ? simdSift(dimensions) : scalarSift(dimensions)
}

const page = 65_536
const queryAt = 0
const outAt = page
const rowsAt = 2 * page

/** The part of the WebAssembly API that is used here, because TypeScript's standard libraries do not declare it. */
interface Engine {
  validate(bytes: Uint8Array): boolean
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { readonly exports: object }
}

interface Int8Sift {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  readonly sift: (
    query: number,
    rows: number,
    count: number,
    width: number,
    out: number,
    queryScale: number,
    queryError: number,
    threshold: number,
  ) => number
}

const { WebAssembly: engine } = globalThis as unknown as { readonly WebAssembly?: Engine }

let compiled: object | null | undefined

function bestKind(): SiftKind {
  return simdModule() === undefined ? 'scalar' : 'simd'
}

function simdModule(): object | undefined {
  if (compiled === undefined) {
    const bytes = Buffer.from(int8SiftWasm, 'base64')
    compiled = engine?.validate(bytes) === true ? new engine.Module(bytes) : null
  }
  return compiled ?? undefined
}

function simdSift(dimensions: number): Sift {
  const [width, bytes] = [paddedTo16(dimensions), rowBytes(dimensions)]
  const module = simdModule()
  if (engine === undefined || module === undefined)
    throw new TypeError('this engine has no WebAssembly SIMD; ask for the scalar sieve')
  const { memory, sift } = new engine.Instance(module).exports as Int8Sift
  let query = { scale: 0, error: 0 }
  return {
    kind: 'simd',
    reserve(count) {
      const missing = rowsAt + count * bytes - memory.buffer.byteLength
      if (missing > 0) memory.grow(Math.ceil(missing / page))
    },
    setRow: (row, values) => writeRow(memory.buffer, rowsAt + row * bytes, values),
    setRows: (from, rows) => new Uint8Array(memory.buffer).set(rows, rowsAt + from * bytes),
    copyRow(from, to) {
      const start = rowsAt + from * bytes
      new Uint8Array(memory.buffer).copyWithin(rowsAt + to * bytes, start, start + bytes)
    },
    setQuery(next) {
      const place = new Int16Array(memory.buffer, queryAt, width)
      place.fill(0)
      place.set(next.values)
      query = next
    },
    sift(from, count, threshold) {
      const at = rowsAt + from * bytes
      const kept = sift(queryAt, at, count, width, outAt, query.scale, query.error, threshold)
      return {
        count: kept,
        numbers: new Int32Array(memory.buffer, outAt, 2 * kept),
        bounds: new Float32Array(memory.buffer, outAt, 2 * kept),
      }
    },
  }
}

function scalarSift(dimensions: number): Sift {
  const [width, bytes] = [paddedTo16(dimensions), rowBytes(dimensions)]
  let buffer = new ArrayBuffer(0)
  const query = new Int16Array(width)
  let [queryScale, queryError] = [0, 0]
  const out = new ArrayBuffer(8 * siftBlock)
  const [numbers, bounds] = [new Int32Array(out), new Float32Array(out)]
  return {
    kind: 'scalar',
    reserve(count) {
      if (count * bytes <= buffer.byteLength) return
      const larger = new Uint8Array(count * bytes)
      larger.set(new Uint8Array(buffer))
      buffer = larger.buffer
    },
    setRow: (row, values) => writeRow(buffer, row * bytes, values),
    setRows: (from, rows) => new Uint8Array(buffer).set(rows, from * bytes),
    copyRow(from, to) {
      new Uint8Array(buffer).copyWithin(to * bytes, from * bytes, (from + 1) * bytes)
    },
    setQuery(next) {
      query.fill(0)
      query.set(next.values)
      queryScale = Math.fround(next.scale)
      queryError = Math.fround(next.error)
    },
    sift(from, count, threshold) {
      const values = new Int8Array(buffer)
      const floats = new Float32Array(buffer)
      const least = Math.fround(threshold)
      let kept = 0
      for (let row = 0; row < count; row++) {
        const at = (from + row) * bytes
        let dot = 0
        for (let i = 0; i < width; i++) dot += (values[at + i] ?? 0) * (query[i] ?? 0)
        const [scale = 0, error = 0] = [floats[(at + width) / 4], floats[(at + width) / 4 + 1]]
        const upper = upperBound(Math.fround(dot), scale, error, queryScale, queryError)
        if (upper < least) continue
        numbers[2 * kept] = row
        bounds[2 * kept + 1] = upper
        kept += 1
      }
      return { count: kept, numbers, bounds }
    },
  }
}

/** Computed in 32-bit steps, in the same order as the WebAssembly code. The margin covers rounding errors. */
function upperBound(dot: number, scale: number, error: number, queryScale: number, queryError: number): number {
  const { fround } = Math
  const cosine = fround(fround(dot * scale) * queryScale)
  const lost = fround(fround(error * fround(1 + queryError)) + queryError)
  return fround(cosine + fround(lost + 2 ** -18))
}
