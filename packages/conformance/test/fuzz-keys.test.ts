import { fuzzKeys, InMemoryBackend } from '@agentm/conformance'
import { normalizeKey } from '@agentm/storage-seam'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'

const backend = new InMemoryBackend()

describe('fuzzKeys', () => {
  it('finds no key of the seam or the reference that leads out, and both accepts and refuses many', () => {
    for (const normalize of [normalizeKey, (text: string) => backend.resolve(text).key]) {
      const { accepted, refused } = fuzzKeys({ normalize, count: 20_000, seed: 1 })
      expect(accepted).toBeGreaterThan(4000)
      expect(refused).toBeGreaterThan(4000)
      expect(accepted + refused).toBe(20_000)
    }
  })

  it.each([
    ['leaves text as it is', (text: string) => text],
    ['resolves ".." as paths do', (text: string) => posix.normalize(text)],
    ['looks for ".." only at the start', (text: string) => (text.startsWith('..') ? normalizeKey(text) : text)],
    ['takes a backslash for a name', (text: string) => normalizeKey(text.replaceAll('\\', 'b')).replaceAll('b', '\\')],
    ['keeps a NUL', (text: string) => normalizeKey(text.replaceAll('\0', '')).concat(text.includes('\0') ? '\0' : '')],
  ])('finds one that %s', (_, normalize) => {
    expect(() => fuzzKeys({ normalize, count: 20_000, seed: 1 })).toThrow(/\(seed 1, \d+\)$/)
  })

  it('asks the same keys for the same seed', () => {
    const asked: string[][] = [1, 1, 2].map((seed) => {
      const texts: string[] = []
      fuzzKeys({ normalize: (text) => (texts.push(text), ''), count: 50, seed })
      return texts
    })
    expect(asked[0]).toEqual(asked[1])
    expect(asked[0]).not.toEqual(asked[2])
  })
})
