/**
 * The vectors of one embedder in memory, for one process: 8-bit rows, what recall filters by, and a scan that gives the
 * candidates together with a bound no other row can exceed. Certainty comes from stored error bounds; exact cosines are
 * computed by the store, for candidates only.
 */
import { errorBound, quantizeQuery, quantizeRow, type QuantizedRow } from './pure/quantize.ts'
import type { PackedSegment } from './pure/packed-segment.ts'
import { unitVector } from './pure/vector.ts'
import { createDotScan, scanBlock, type DotScan, type ScanKind } from './scan/dot-scan.ts'

/** What rows have in common; few, so a filter is decided once per scope and not once per row. */
export interface VectorScope {
  readonly owner: string
  readonly concept: string
  readonly partition: string
  readonly status: string | undefined
  readonly active: boolean
}

export interface VectorFacts extends VectorScope {
  readonly key: number
  readonly createdAt: number
  readonly agesFrom: number
}

/** How rows of a scope count, or nothing where they are filtered out. */
export type ScopeWeights = { readonly wSem: number; readonly wRec: number; readonly halfLife: number } | undefined

export interface Candidates {
  readonly keys: readonly number[]
  /** No other row in scope has a higher `wSem·cosine + wRec·recency`; absent when there is no other. */
  readonly bound: number | undefined
}

export class VectorIndex {
  readonly dimensions: number
  readonly #scan: DotScan
  readonly #rowOf = new Map<number, number>()
  readonly #scopes: VectorScope[] = []
  readonly #scopeNumbers = new Map<string, number>()
  #room = 0
  #count = 0
  #keys = new Float64Array(0)
  #createdAt = new Float64Array(0)
  #agesFrom = new Float64Array(0)
  #scales = new Float32Array(0)
  #errors = new Float32Array(0)
  #scopeOf = new Uint32Array(0)

  constructor(dimensions: number, { scan }: { readonly scan?: ScanKind } = {}) {
    this.dimensions = dimensions
    this.#scan = createDotScan(dimensions, scan)
  }

  get size(): number {
    return this.#count
  }

  get kind(): ScanKind {
    return this.#scan.kind
  }

  /** Adds or replaces one row. `vector` may be left out where only the facts changed and the row is known. */
  set(facts: VectorFacts, vector: Float32Array | QuantizedRow | undefined): void {
    const known = this.#rowOf.get(facts.key)
    if (known === undefined && vector === undefined) return
    const row = known ?? this.#append(facts.key)
    this.#createdAt[row] = facts.createdAt
    this.#agesFrom[row] = facts.agesFrom
    this.#scopeOf[row] = this.#scopeNumber(facts)
    if (vector !== undefined) this.#setVector(row, vector instanceof Float32Array ? quantizeRow(vector) : vector)
  }

  delete(key: number): void {
    const row = this.#rowOf.get(key)
    if (row === undefined) return
    this.#rowOf.delete(key)
    this.#count -= 1
    if (row !== this.#count) this.#move(this.#count, row)
  }

  /** Adds the rows of a packed segment, in place of those it knows already. */
  load(segment: PackedSegment): void {
    if (segment.keys.some((key) => this.#rowOf.has(key))) this.#loadOneByOne(segment)
    else this.#loadAtOnce(segment)
  }

  /**
   * At least the best `n` rows in scope by upper bound of `wSem·cosine + wRec·recency`. Without a query, similarity
   * counts nothing.
   */
  candidates(
    query: ArrayLike<number>,
    {
      n,
      at,
      notBefore = -Infinity,
      weightsOf,
    }: {
      readonly n: number
      readonly at: number
      readonly notBefore?: number | undefined
      readonly weightsOf: (scope: VectorScope) => ScopeWeights
    },
  ): Candidates {
    const quantized = quantizeQuery(unitVector(query))
    const weights = this.#scopes.map(weightsOf)
    const best = new BestRows(n)
    this.#scan.setQuery(quantized.values)
    for (let from = 0; from < this.#count; from += scanBlock) {
      const count = Math.min(scanBlock, this.#count - from)
      const dots = this.#scan.scan(from, count)
      for (let i = 0; i < count; i++) {
        const row = from + i
        const weight = weights[this.#scopeOf[row] ?? 0]
        if (weight === undefined || (this.#createdAt[row] ?? 0) < notBefore) continue
        const error = errorBound(this.#errors[row] ?? 0, quantized.error)
        const cosine = (dots[i] ?? 0) * (this.#scales[row] ?? 0) * quantized.scale + error + rounding
        let upper = weight.wSem * cosine
        if (upper + weight.wRec <= best.floor) {
          best.missed(upper + weight.wRec)
          continue
        }
        const age = at - (this.#agesFrom[row] ?? 0)
        upper += age <= 0 ? weight.wRec : weight.wRec * 2 ** (-age / 1000 / weight.halfLife)
        best.offer(upper + rounding, row)
      }
    }
    return { keys: best.rows().map((row) => this.#keys[row] ?? 0), bound: best.bound() }
  }

  #loadOneByOne(segment: PackedSegment): void {
    for (let i = 0; i < segment.count; i++) {
      const scope = segment.scopes[segment.scopeOf[i] ?? 0]
      if (scope === undefined) throw new TypeError('a packed row names a scope that its segment does not have')
      const [key = 0, createdAt = 0, agesFrom = 0] = [segment.keys[i], segment.createdAt[i], segment.agesFrom[i]]
      const values = segment.values.subarray(i * this.dimensions, (i + 1) * this.dimensions)
      const row = { values, scale: segment.scales[i] ?? 0, error: segment.errors[i] ?? 0 }
      this.set({ ...scope, key, createdAt, agesFrom }, row)
    }
  }

  #loadAtOnce(segment: PackedSegment): void {
    const { stride } = this.#scan
    const { count } = segment
    const from = this.#count
    this.#reserve(from + count)
    const numbers = segment.scopes.map((scope) => this.#scopeNumber(scope))
    for (let i = 0; i < count; i++) {
      this.#rowOf.set(segment.keys[i] ?? 0, from + i)
      this.#scopeOf[from + i] = numbers[segment.scopeOf[i] ?? 0] ?? 0
    }
    this.#keys.set(segment.keys, from)
    this.#createdAt.set(segment.createdAt, from)
    this.#agesFrom.set(segment.agesFrom, from)
    this.#scales.set(segment.scales, from)
    this.#errors.set(segment.errors, from)
    const rows = this.#scan.rows()
    if (stride === this.dimensions) rows.set(segment.values, from * stride)
    else
      for (let i = 0; i < count; i++)
        rows.set(segment.values.subarray(i * this.dimensions, (i + 1) * this.dimensions), (from + i) * stride)
    this.#count += count
  }

  #append(key: number): number {
    const row = this.#count
    this.#reserve(row + 1)
    this.#keys[row] = key
    this.#rowOf.set(key, row)
    this.#count += 1
    return row
  }

  #setVector(row: number, { values, scale, error }: QuantizedRow): void {
    if (values.length !== this.dimensions)
      throw new TypeError(`a row of ${values.length} in ${this.dimensions} dimensions`)
    this.#scan.rows().set(values, row * this.#scan.stride)
    this.#scales[row] = scale
    this.#errors[row] = error
  }

  #move(from: number, to: number): void {
    const { stride } = this.#scan
    this.#scan.rows().copyWithin(to * stride, from * stride, (from + 1) * stride)
    for (const column of [this.#keys, this.#createdAt, this.#agesFrom, this.#scales, this.#errors, this.#scopeOf])
      column[to] = column[from] ?? 0
    this.#rowOf.set(this.#keys[to] ?? 0, to)
  }

  #scopeNumber({ owner, concept, partition, status, active }: VectorScope): number {
    const name = JSON.stringify([owner, concept, partition, status, active])
    const known = this.#scopeNumbers.get(name)
    if (known !== undefined) return known
    this.#scopeNumbers.set(name, this.#scopes.length)
    return this.#scopes.push({ owner, concept, partition, status, active }) - 1
  }

  #reserve(rows: number): void {
    if (rows <= this.#room) return
    this.#room = Math.max(rows, this.#room * 2, 1024)
    this.#scan.reserve(this.#room)
    this.#keys = grown(this.#keys, new Float64Array(this.#room))
    this.#createdAt = grown(this.#createdAt, new Float64Array(this.#room))
    this.#agesFrom = grown(this.#agesFrom, new Float64Array(this.#room))
    this.#scales = grown(this.#scales, new Float32Array(this.#room))
    this.#errors = grown(this.#errors, new Float32Array(this.#room))
    this.#scopeOf = grown(this.#scopeOf, new Uint32Array(this.#room))
  }
}

/** Covers the difference between one order of floating-point additions and another. */
const rounding = 1e-6

function grown<T extends Float64Array | Float32Array | Uint32Array>(from: T, to: T): T {
  to.set(from)
  return to
}

/** The n highest offers, as a heap with the lowest on top, and the highest that did not make it. */
class BestRows {
  readonly #n: number
  readonly #heap: { readonly upper: number; readonly row: number }[] = []
  #highestMissed = -Infinity

  constructor(n: number) {
    this.#n = n
  }

  /** Anything at or below this has no chance. */
  get floor(): number {
    return this.#heap.length < this.#n ? -Infinity : (this.#heap[0]?.upper ?? -Infinity)
  }

  missed(upper: number): void {
    if (upper > this.#highestMissed) this.#highestMissed = upper
  }

  offer(upper: number, row: number): void {
    if (upper <= this.floor) {
      this.missed(upper)
      return
    }
    if (this.#heap.length === this.#n) this.missed(this.#replaceLowest({ upper, row }))
    else this.#push({ upper, row })
  }

  rows(): readonly number[] {
    return this.#heap.toSorted((a, b) => b.upper - a.upper).map(({ row }) => row)
  }

  /** What was missed can be bounded by the lowest that was kept as well: take the tighter of the two. */
  bound(): number | undefined {
    return this.#highestMissed === -Infinity
      ? undefined
      : Math.min(this.#highestMissed, this.#heap[0]?.upper ?? Infinity)
  }

  #push(entry: { readonly upper: number; readonly row: number }): void {
    const heap = this.#heap
    let at = heap.push(entry) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || parent.upper <= entry.upper) break
      heap[at] = parent
      at = above
    }
    heap[at] = entry
  }

  #replaceLowest(entry: { readonly upper: number; readonly row: number }): number {
    const heap = this.#heap
    const lowest = heap[0]?.upper ?? -Infinity
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      const [left, right] = [heap[below], heap[below + 1]]
      if (left === undefined) break
      if (right !== undefined && right.upper < left.upper) below += 1
      const child = heap[below]
      if (child === undefined || child.upper >= entry.upper) break
      heap[at] = child
      at = below
    }
    heap[at] = entry
    return lowest
  }
}
