/**
 * Many 8-bit rows in one block of memory and the dot products of a query with all of them: by WebAssembly SIMD where the
 * engine has it, by plain JavaScript otherwise, with the same results.
 */
import { int8DotWasm } from './int8-dot-wasm.ts'

export type ScanKind = 'simd' | 'scalar'

/** Rows per call; their results fit between the query and the rows. */
export const scanBlock = 8192

export interface DotScan {
  readonly kind: ScanKind
  /** Bytes per row: the dimensions rounded up to a multiple of 16. */
  readonly stride: number
  /** Makes room for so many rows. Views taken before are no longer valid. */
  reserve(rows: number): void
  /** The row area; valid until the next `reserve`. */
  rows(): Int8Array
  setQuery(query: Int16Array): void
  /** Dot products of rows `from` to `from + count`, at most `scanBlock`; valid until the next call. */
  scan(from: number, count: number): Int32Array
}

export function createDotScan(dimensions: number, kind: ScanKind = bestKind()): DotScan {
  const stride = Math.ceil(dimensions / 16) * 16
  return kind === 'simd' ? simdScan(stride) : scalarScan(stride)
}

const page = 65_536
const queryAt = 0
const outAt = 16_384
const rowsAt = page

/** The little of WebAssembly that is used here; the language's own libraries do not declare it. */
interface Engine {
  validate(bytes: Uint8Array): boolean
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { readonly exports: object }
}

interface Int8Dot {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  readonly scan: (query: number, rows: number, count: number, stride: number, out: number) => void
}

const { WebAssembly: engine } = globalThis as unknown as { readonly WebAssembly?: Engine }

let compiled: object | null | undefined

function bestKind(): ScanKind {
  return simdModule() === undefined ? 'scalar' : 'simd'
}

function simdModule(): object | undefined {
  if (compiled === undefined) {
    const bytes = Buffer.from(int8DotWasm, 'base64')
    compiled = engine?.validate(bytes) === true ? new engine.Module(bytes) : null
  }
  return compiled ?? undefined
}

function simdScan(stride: number): DotScan {
  const module = simdModule()
  if (engine === undefined || module === undefined)
    throw new TypeError('this engine has no WebAssembly SIMD; ask for the scalar scan')
  const { memory, scan } = new engine.Instance(module).exports as Int8Dot
  return {
    kind: 'simd',
    stride,
    reserve(rows) {
      const missing = rowsAt + rows * stride - memory.buffer.byteLength
      if (missing > 0) memory.grow(Math.ceil(missing / page))
    },
    rows: () => new Int8Array(memory.buffer, rowsAt),
    setQuery: (query) => {
      const place = new Int16Array(memory.buffer, queryAt, stride)
      place.fill(0)
      place.set(query)
    },
    scan(from, count) {
      scan(queryAt, rowsAt + from * stride, count, stride, outAt)
      return new Int32Array(memory.buffer, outAt, count)
    },
  }
}

function scalarScan(stride: number): DotScan {
  let rows = new Int8Array(0)
  const query = new Int16Array(stride)
  const out = new Int32Array(scanBlock)
  return {
    kind: 'scalar',
    stride,
    reserve(count) {
      if (count * stride <= rows.length) return
      const larger = new Int8Array(count * stride)
      larger.set(rows)
      rows = larger
    },
    rows: () => rows,
    setQuery: (next) => {
      query.fill(0)
      query.set(next)
    },
    scan(from, count) {
      for (let row = 0; row < count; row++) {
        const at = (from + row) * stride
        let sum = 0
        for (let i = 0; i < stride; i++) sum += (rows[at + i] ?? 0) * (query[i] ?? 0)
        out[row] = sum
      }
      return out.subarray(0, count)
    },
  }
}
