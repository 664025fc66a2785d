/**
 * The vectors of one embedder in the memory of one process: 8-bit rows, the facts that recall filters by, and a scan. The scan returns
 * candidates and a bound that no other row can exceed. The bound is certain because each row's error bound is stored. The store computes
 * exact cosines, for candidates only.
 */
import { errorBound, quantizeQuery, quantizeRow, type QuantizedRow, rowBytes } from './pure/quantize.ts'
import type { PackedSegment } from './pure/packed-segment.ts'
import { unitVector } from './pure/vector.ts'
import { createSift, type Sift, type SiftKind } from './scan/sift.ts'

/** The facts that many rows share. A filter is evaluated once per scope instead of once per row, because there are few scopes. */
export interface VectorScope {
  readonly owner: string
  readonly concept: string
  readonly partition: string
  /** May be older than in the head if the concept is not kept current. */
  readonly status: string | undefined
  readonly active: boolean
}

/** The facts that a scan knows about a row besides its vector. */
export interface VectorFacts extends VectorScope {
  readonly key: number
  readonly createdAt: number
  readonly agesFrom: number
}

/** The weights for the rows of a scope; `undefined` if they are filtered out. */
export type ScopeWeights =
  | {
      readonly wSem: number
      readonly wRec: number
      readonly halfLife: number
      /** Only items created at this time or later, in epoch milliseconds. */
      readonly notBefore?: number | undefined
    }
  | undefined

/** Rows that may be among the best, and a bound that no other row exceeds. */
export interface Candidates {
  readonly keys: readonly number[]
  /** No other row in scope has a higher `wSem·cosine + wRec·recency`; absent if there is no other row. */
  readonly bound: number | undefined
}

/** The vectors of one embedder, in memory. */
export class VectorIndex {
  readonly dimensions: number
  readonly #sift: Sift
  /** Created on first use, because a process that runs only one query never needs it. */
  #rowOf: Map<number, number> | undefined
  #highestKey = -Infinity
  #largestError = 0
  readonly #scopes: VectorScope[] = []
  readonly #scopeNumbers = new Map<string, number>()
  #room = 0
  #count = 0
  #keys = new Float64Array(0)
  #createdAt = new Float64Array(0)
  #agesFrom = new Float64Array(0)
  #scopeOf = new Uint32Array(0)
  readonly #newestIn: number[] = []

  constructor(dimensions: number, { scan }: { readonly scan?: SiftKind } = {}) {
    this.dimensions = dimensions
    this.#sift = createSift(dimensions, scan)
  }

  get size(): number {
    return this.#count
  }

  get kind(): SiftKind {
    return this.#sift.kind
  }

  /** Adds or replaces one row. `vector` may be omitted if only the facts changed and the row exists. */
  set(facts: VectorFacts, vector: Float32Array | QuantizedRow | undefined): void {
    const known = this.#find(facts.key)
    if (known === undefined && vector === undefined) return
    const row = known ?? this.#append(facts.key)
    this.#createdAt[row] = facts.createdAt
    this.#age(row, facts.agesFrom)
    this.#scopeOf[row] = this.#scopeNumber(facts)
    if (vector !== undefined) this.#setVector(row, vector instanceof Float32Array ? quantizeRow(vector) : vector)
  }

  delete(key: number): void {
    const row = this.#find(key)
    if (row === undefined) return
    this.#rowOf?.delete(key)
    this.#count -= 1
    if (row !== this.#count) this.#move(this.#count, row)
  }

  /** Adds the rows of a packed segment. Rows with a known key are replaced. */
  load(segment: PackedSegment): void {
    const numbers = segment.scopes.map((scope) => this.#scopeNumber(scope))
    this.#largestError = Math.max(this.#largestError, segment.largestError)
    if (segment.keys.some((key) => this.#find(key) !== undefined)) this.#loadOneByOne(segment, numbers)
    else this.#loadAtOnce(segment, numbers)
  }

  /**
   * The `n` best rows in scope by `wSem·cosine + wRec·recency`, and all rows whose upper bound is within the rounding error of the n-th
   * best.
   */
  candidates(query: ArrayLike<number>, question: CandidateQuestion): Candidates {
    const { n, at, weightsOf } = question
    const weights = this.#scopes.map(weightsOf)
    const quantized = quantizeQuery(unitVector(query))
    const isLimited = weights.some((weight) => weight?.notBefore !== undefined)
    const mostSem = weights.reduce((most, weight) => Math.max(most, weight?.wSem ?? 0), 0)
    const best = new BestRows(n, 2 * mostSem * (errorBound(this.#largestError, quantized.error) + 2 * rounding))
    const [createdAt, agesFrom, scopeOf] = [this.#createdAt, this.#agesFrom, this.#scopeOf]
    this.#sift.setQuery(quantized)
    // Rows are mostly added by age. Starting at the newest block, the threshold rises early and most old blocks are skipped.
    for (let block = Math.ceil(this.#count / blockRows) - 1; block >= 0; block--) {
      const from = block * blockRows
      const size = Math.min(blockRows, this.#count - from)
      const least = leastCosine(weights, best.floor, at - (this.#newestIn[block] ?? 0))
      const { count, numbers, bounds } = this.#sift.sift(from, size, least)
      if (count < size) best.missed(best.floor)
      for (let i = 0; i < count; i++) {
        const row = from + (numbers[2 * i] ?? 0)
        const weight = weights[scopeOf[row] ?? 0]
        if (weight === undefined || (isLimited && (createdAt[row] ?? 0) < (weight.notBefore ?? -Infinity))) continue
        const similar = weight.wSem * (bounds[2 * i + 1] ?? 0)
        if (similar + weight.wRec < best.floor) best.missed(similar + weight.wRec)
        else best.offer(similar + fresh(at - (agesFrom[row] ?? 0), weight) + rounding, row)
      }
    }
    const { rows, bound } = best.result()
    return { keys: rows.map((row) => this.#keys[row] ?? 0), bound }
  }

  /**
   * Updates the age of the row's block. A block never counts as older than its newest row. After a row was removed, it may count as newer.
   */
  #age(row: number, agesFrom: number): void {
    this.#agesFrom[row] = agesFrom
    const block = Math.floor(row / blockRows)
    this.#newestIn[block] = Math.max(this.#newestIn[block] ?? -Infinity, agesFrom)
  }

  /** A new key is usually higher than all others; then no lookup is needed. */
  #find(key: number): number | undefined {
    if (key > this.#highestKey) return undefined
    this.#rowOf ??= new Map(Array.from(this.#keys.subarray(0, this.#count), (each, row) => [each, row]))
    return this.#rowOf.get(key)
  }

  #append(key: number): number {
    const row = this.#count
    this.#reserve(row + 1)
    this.#keys[row] = key
    this.#rowOf?.set(key, row)
    this.#highestKey = Math.max(this.#highestKey, key)
    this.#count += 1
    return row
  }

  #loadAtOnce({ count, keys, createdAt, agesFrom, scopeOf, rows }: PackedSegment, numbers: readonly number[]): void {
    const from = this.#count
    this.#reserve(from + count)
    this.#sift.setRows(from, rows)
    this.#keys.set(keys, from)
    this.#createdAt.set(createdAt, from)
    for (let i = 0; i < count; i++) {
      const key = keys[i] ?? 0
      this.#scopeOf[from + i] = numbers[scopeOf[i] ?? 0] ?? 0
      this.#age(from + i, agesFrom[i] ?? 0)
      this.#rowOf?.set(key, from + i)
      if (key > this.#highestKey) this.#highestKey = key
    }
    this.#count += count
  }

  #loadOneByOne({ count, keys, createdAt, agesFrom, scopeOf, rows }: PackedSegment, numbers: readonly number[]): void {
    const bytes = rowBytes(this.dimensions)
    for (let i = 0; i < count; i++) {
      const key = keys[i] ?? 0
      const row = this.#find(key) ?? this.#append(key)
      this.#createdAt[row] = createdAt[i] ?? 0
      this.#age(row, agesFrom[i] ?? 0)
      this.#scopeOf[row] = numbers[scopeOf[i] ?? 0] ?? 0
      this.#sift.setRows(row, rows.subarray(i * bytes, (i + 1) * bytes))
    }
  }

  #setVector(row: number, values: QuantizedRow): void {
    if (values.values.length !== this.dimensions)
      throw new TypeError(`a row of ${values.values.length} in ${this.dimensions} dimensions`)
    this.#sift.setRow(row, values)
    this.#largestError = Math.max(this.#largestError, values.error)
  }

  #move(from: number, to: number): void {
    this.#sift.copyRow(from, to)
    for (const column of [this.#keys, this.#createdAt, this.#scopeOf]) column[to] = column[from] ?? 0
    this.#age(to, this.#agesFrom[from] ?? 0)
    this.#rowOf?.set(this.#keys[to] ?? 0, to)
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
    this.#sift.reserve(this.#room)
    this.#keys = grown(this.#keys, new Float64Array(this.#room))
    this.#createdAt = grown(this.#createdAt, new Float64Array(this.#room))
    this.#agesFrom = grown(this.#agesFrom, new Float64Array(this.#room))
    this.#scopeOf = grown(this.#scopeOf, new Uint32Array(this.#room))
  }
}

export interface CandidateQuestion {
  readonly n: number
  /** The time from which age is computed, in epoch milliseconds. */
  readonly at: number
  readonly weightsOf: (scope: VectorScope) => ScopeWeights
}

/** Rows per block. A whole block is skipped if its newest row cannot score high enough. */
const blockRows = 2048

/** The cosine that a row needs at least to score above the threshold, in any scope, if no row is younger than `age`. */
function leastCosine(weights: readonly ScopeWeights[], floor: number, age: number): number {
  let least = Infinity
  for (const weight of weights) {
    if (weight === undefined) continue
    const needed = floor - fresh(age, weight)
    // If similarity has no weight, the cosine does not matter.
    least = Math.min(least, weight.wSem > 0 ? needed / weight.wSem : needed > 0 ? Infinity : -Infinity)
  }
  // The margin is subtracted because a 32-bit float may round up, and no row must be lost by that.
  return least === Infinity ? 2 : least - rounding
}

/** An upper bound of the recency term, for an age in milliseconds. */
function fresh(age: number, { wRec, halfLife }: NonNullable<ScopeWeights>): number {
  return age <= 0 ? wRec : wRec * Math.exp(-age * (Math.LN2 / 1000 / halfLife))
}

/** A margin for the difference between two orders of floating-point operations. */
const rounding = 1e-6

function grown<T extends Float64Array | Uint32Array>(from: T, to: T): T {
  to.set(from)
  return to
}

/** The n highest rows, the rows within `band` of them, and the highest of the others. */
class BestRows {
  readonly #n: number
  readonly #band: number
  readonly #lowestOfBest: Float64Array
  #held = 0
  #kept: { readonly upper: number; readonly row: number }[] = []
  #tidyAt: number
  #highestMissed = -Infinity

  constructor(n: number, band: number) {
    this.#n = n
    this.#band = band
    this.#lowestOfBest = new Float64Array(n)
    this.#tidyAt = 4 * n + 256
  }

  /** A row below this value cannot be among the best. */
  get floor(): number {
    return this.#held < this.#n ? -Infinity : (this.#lowestOfBest[0] ?? 0) - this.#band
  }

  missed(upper: number): void {
    if (upper > this.#highestMissed) this.#highestMissed = upper
  }

  offer(upper: number, row: number): void {
    if (upper < this.floor) {
      this.missed(upper)
      return
    }
    this.#kept.push({ upper, row })
    this.#count(upper)
    if (this.#kept.length >= this.#tidyAt) this.#tidy()
  }

  result(): { readonly rows: readonly number[]; readonly bound: number | undefined } {
    this.#tidy()
    const rows = this.#kept.toSorted((a, b) => b.upper - a.upper).map(({ row }) => row)
    // Rows skipped in a block were below the threshold of that moment, and the threshold only rises.
    const bound = this.#highestMissed === -Infinity ? undefined : Math.min(this.#highestMissed, this.floor)
    return { rows, bound }
  }

  #tidy(): void {
    const { floor } = this
    const kept = this.#kept.filter(({ upper }) => upper >= floor)
    if (kept.length < this.#kept.length) this.missed(floor)
    this.#kept = kept
    this.#tidyAt = Math.max(this.#tidyAt, 2 * kept.length)
  }

  /** Adds a value to a heap of the n highest, with the lowest of them on top. */
  #count(upper: number): void {
    if (this.#held < this.#n) this.#rise(upper)
    else if (upper > (this.#lowestOfBest[0] ?? 0)) this.#sink(upper)
  }

  #rise(upper: number): void {
    const heap = this.#lowestOfBest
    let at = this.#held
    this.#held += 1
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = heap[above] ?? 0
      if (parent <= upper) break
      heap[at] = parent
      at = above
    }
    heap[at] = upper
  }

  #sink(upper: number): void {
    const heap = this.#lowestOfBest
    let at = 0
    for (let below = 1; below < this.#n; below = 2 * at + 1) {
      if (below + 1 < this.#n && (heap[below + 1] ?? 0) < (heap[below] ?? 0)) below += 1
      const child = heap[below] ?? 0
      if (child >= upper) break
      heap[at] = child
      at = below
    }
    heap[at] = upper
  }
}
