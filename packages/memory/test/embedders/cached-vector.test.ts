import { describe, expect, test } from 'vitest'
import { cachedVectorIn, packCachedVector } from '../../src/embedders/pure/cached-vector.ts'
import { packVector } from '../../src/index/note-vectors.ts'

const vectorOf = (seed: number, dimensions: number) =>
  Float32Array.from({ length: dimensions }, (_, i) => Math.sin(seed * 31 + i * i) * (1 + (i % 7)))

describe('a cached vector', () => {
  test('takes a quarter of the space, and each number is right to half a step', () => {
    const vector = vectorOf(1, 384)
    const bytes = packCachedVector(vector)
    expect(bytes.byteLength).toBe(388)
    const step = Math.max(...vector.map(Math.abs)) / 127
    const read = cachedVectorIn(bytes, 384) ?? new Float32Array()
    expect(Math.max(...read.map((value, i) => Math.abs(value - (vector[i] ?? 0))))).toBeLessThan(step * 0.501)
  })

  test('gives the numbers of an index that the vector itself gives', () => {
    for (let seed = 0; seed < 50; seed++) {
      const vector = vectorOf(seed, 48)
      const read = cachedVectorIn(packCachedVector(vector), 48) ?? new Float32Array()
      expect(packVector(read).subarray(0, 48)).toEqual(packVector(vector).subarray(0, 48))
    }
  })

  test('is read from any address, also in the form of earlier versions', () => {
    const vector = Float32Array.from([0.5, -1, 0.25])
    const before = Buffer.concat([Buffer.from([7]), new Uint8Array(vector.buffer)]).subarray(1)
    expect(cachedVectorIn(before, 3)).toEqual(vector)
    const now = Buffer.concat([Buffer.from([7]), packCachedVector(vector)]).subarray(1)
    expect([...(cachedVectorIn(now, 3) ?? [])].map((value) => value.toFixed(2))).toEqual(['0.50', '-1.00', '0.25'])
  })

  test('of zeros stays one, and anything else counts as absent', () => {
    expect(cachedVectorIn(packCachedVector(new Float32Array(5)), 5)).toEqual(new Float32Array(5))
    expect(cachedVectorIn(undefined, 5)).toBeUndefined()
    expect(cachedVectorIn(new Uint8Array(8), 5)).toBeUndefined()
    const endless = packCachedVector(Float32Array.from([1, 2, 3, 4, 5]))
    new DataView(endless.buffer).setFloat32(0, Number.POSITIVE_INFINITY, true)
    expect(cachedVectorIn(endless, 5)).toBeUndefined()
  })
})
