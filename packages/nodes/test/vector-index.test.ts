import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import wabt from 'wabt'
import {
  createDotScan,
  dot,
  packSegment,
  quantizeQuery,
  quantizeRow,
  errorBound,
  unitVector,
  unpackSegment,
  type VectorFacts,
  VectorIndex,
} from '@agentm/nodes'
import { int8DotWasm } from '../src/scan/int8-dot-wasm.ts'

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
  const text = await readFile(new URL('../src/scan/int8-dot.wat', import.meta.url), 'utf8')
  const tool = await wabt()
  const { buffer } = tool.parseWat('int8-dot.wat', text, { simd: true }).toBinary({})
  expect(Buffer.from(buffer).toString('base64')).toBe(int8DotWasm)
})

test('the SIMD scan and the scalar one give the same integers', () => {
  const random = seeded(7)
  for (const dimensions of [1, 15, 16, 17, 256, 300]) {
    const [simd, scalar] = [createDotScan(dimensions, 'simd'), createDotScan(dimensions, 'scalar')]
    const query = Int16Array.from({ length: dimensions }, () => Math.round((random() - 0.5) * 8190))
    const rows = Int8Array.from({ length: 40 * simd.stride }, (_, i) =>
      i % simd.stride < dimensions ? Math.round((random() - 0.5) * 254) : 0,
    )
    for (const scan of [simd, scalar]) {
      scan.reserve(40)
      scan.rows().set(rows)
      scan.setQuery(query)
    }
    expect([...simd.scan(3, 37)]).toEqual([...scalar.scan(3, 37)])
  }
})

test('extreme rows do not overflow', () => {
  const scan = createDotScan(4096, 'simd')
  scan.reserve(1)
  scan.rows().fill(127, 0, 4096)
  scan.setQuery(new Int16Array(4096).fill(4095))
  expect(scan.scan(0, 1)[0]).toBe(127 * 4095 * 4096)
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
        expect(outside.length === 0).toBe(bound === undefined)
        for (const key of outside) expect(score(key)).toBeLessThanOrEqual((bound ?? -1) + 1e-9)
        expect(keys).toHaveLength(Math.min(n, mine.length))
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
