import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import wabt from 'wabt'
import { dot, unitVector } from '@agentm/nodes'
import {
  createSift,
  packSegment,
  quantizeQuery,
  quantizeRow,
  errorBound,
  unpackSegment,
  type VectorFacts,
  VectorIndex,
} from '@agentm/nodes/store-kit'
import { int8SiftWasm } from '../src/scan/int8-sift-wasm.ts'

const component = fc.double({ min: -1, max: 1, noNaN: true })
const vectorOf = (dimensions: number) =>
  fc.array(component, { minLength: dimensions, maxLength: dimensions }).filter((v) => v.some((x) => Math.abs(x) > 1e-6))
const facts = (key: number, agesFrom = 0): VectorFacts => ({
  key,
  createdAt: agesFrom,
  agesFrom,
  owner: 'ada',
  concept: 'v1:test:note',
  partition: 'p',
  status: undefined,
  active: true,
})

test('the committed bytes are the text, assembled', async () => {
  const text = await readFile(new URL('../src/scan/int8-sift.wat', import.meta.url), 'utf8')
  const tool = await wabt()
  const { buffer } = tool.parseWat('int8-sift.wat', text, { simd: true }).toBinary({})
  expect(Buffer.from(buffer).toString('base64')).toBe(int8SiftWasm)
})

test('the SIMD sieve and the scalar one leave the same rows with the same bounds', () => {
  const random = seeded(7)
  for (const dimensions of [1, 15, 16, 17, 256, 300])
    for (const threshold of [-Infinity, 0, 0.05]) {
      const vector = () => unitVector(Array.from({ length: dimensions }, () => random() - 0.5))
      const query = quantizeQuery(vector())
      const rows = Array.from({ length: 40 }, () => quantizeRow(vector()))
      const [simd, scalar] = (['simd', 'scalar'] as const).map((kind) => {
        const sift = createSift(dimensions, kind)
        sift.reserve(40)
        rows.forEach((row, i) => sift.setRow(i, row))
        sift.setQuery(query)
        const { count, numbers, bounds } = sift.sift(3, 37, threshold)
        return Array.from({ length: count }, (_, i) => [numbers[2 * i], bounds[2 * i + 1]])
      })
      expect(simd).toEqual(scalar)
      expect(simd?.length).toBeGreaterThanOrEqual(threshold === -Infinity ? 37 : 0)
    }
})

test('extreme rows do not overflow', () => {
  const sift = createSift(4096, 'simd')
  sift.reserve(1)
  sift.setRow(0, { values: new Int8Array(4096).fill(127), scale: 2 ** -20, error: 0 })
  sift.setQuery({ values: new Int16Array(4096).fill(4095), scale: 1, error: 0 })
  expect(sift.sift(0, 1, 0).bounds[1]).toBeCloseTo((127 * 4095 * 4096) / 2 ** 20, 2)
})

test('the stored error bounds the true cosine', () => {
  fc.assert(
    fc.property(vectorOf(24), vectorOf(24), (a, b) => {
      const [x, q] = [unitVector(a), unitVector(b)]
      const [row, query] = [quantizeRow(x), quantizeQuery(q)]
      const approximate = dot(row.values, query.values) * row.scale * query.scale
      expect(Math.abs(dot(x, q) - approximate)).toBeLessThanOrEqual(errorBound(row.error, query.error) + 1e-6)
    }),
  )
})

test('candidates hold everything above their bound', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ vector: vectorOf(8), age: fc.nat(10_000), mine: fc.boolean() }), {
        minLength: 1,
        maxLength: 60,
      }),
      vectorOf(8),
      fc.integer({ min: 1, max: 10 }),
      (rows, query, n) => {
        const at = 1_000_000
        const index = new VectorIndex(8)
        rows.forEach(({ vector, age, mine }, key) =>
          index.set({ ...facts(key, at - age * 1000), owner: mine ? 'ada' : 'bob' }, unitVector(vector)),
        )
        const weights = { wSem: 0.7, wRec: 0.3, halfLife: 3600 }
        const { keys, bound } = index.candidates(query, {
          n,
          at,
          weightsOf: ({ owner }) => (owner === 'ada' ? weights : undefined),
        })
        const unit = unitVector(query)
        const mine = rows.flatMap(({ mine: own }, key) => (own ? [key] : []))
        expect(keys.every((key) => mine.includes(key))).toBe(true)
        const score = (key: number) =>
          0.7 * dot(unitVector(rows[key]?.vector ?? []), unit) + 0.3 * 2 ** (-(rows[key]?.age ?? 0) / 3600)
        const outside = mine.filter((key) => !keys.includes(key))
        expect(outside.length === 0 || bound !== undefined).toBe(true)
        for (const key of outside) expect(score(key)).toBeLessThanOrEqual((bound ?? -1) + 1e-9)
        expect(keys.length).toBeGreaterThanOrEqual(Math.min(n, mine.length))
        const best = mine.toSorted((a, b) => score(b) - score(a)).slice(0, n)
        const last = Math.min(...best.map(score))
        expect(outside.every((key) => score(key) <= last + 1e-6)).toBe(true)
      },
    ),
  )
})

test('rows can be replaced, removed, and loaded from packed segments, with the same answers', () => {
  const random = seeded(3)
  const vectors = Array.from({ length: 200 }, () => unitVector(Array.from({ length: 20 }, () => random() - 0.5)))
  const one = new VectorIndex(20)
  vectors.forEach((vector, key) => one.set(facts(key, key), vector))
  const packed = packSegment(
    vectors.map((vector, key) => ({ facts: facts(key, key), row: quantizeRow(vector) })),
    20,
  )
  const two = new VectorIndex(20, { scan: 'scalar' })
  two.load(unpackSegment(Buffer.concat([Buffer.from('x'), packed]).subarray(1)))
  for (const index of [one, two]) {
    index.delete(5)
    index.delete(199)
    index.set(facts(7, 7), vectors[8])
  }
  const ask = (index: VectorIndex) => index.candidates(vectors[8] ?? [], { n: 12, at: 0, weightsOf })
  expect(ask(two)).toEqual(ask(one))
  expect(
    ask(one)
      .keys.slice(0, 2)
      .toSorted((a, b) => a - b),
  ).toEqual([7, 8])
  expect(one.size).toBe(198)
})

const weightsOf = () => ({ wSem: 1, wRec: 0, halfLife: 1 })

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
