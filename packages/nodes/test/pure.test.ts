import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { composeId, deriveId, isNodesError, parseId, recallScore, recency, unitVector } from '@agentm/nodes'
import {
  ceilingOutside,
  ConceptSet,
  defaultWeights,
  fairPick,
  findCycle,
  isCertified,
  lexicalTerms,
  lexicalText,
  mergeProvenance,
  recallArguments,
} from '@agentm/nodes/store-kit'

describe('ids', () => {
  test('a bare short id is completed, a canonical one kept, another concept refused', () => {
    expect(composeId('v1:harness:step', 'a1')).toBe('v1:harness:step:a1')
    expect(composeId('v1:harness:step', 'v1:harness:step:a1')).toBe('v1:harness:step:a1')
    expect(parseId('v1:harness:step:a1')).toEqual({ concept: 'v1:harness:step', short: 'a1' })
    for (const bad of ['v1:harness:plan:a1', '', 'a b', 'a:b', '\ud800', 'v1:harness:step:'])
      expect(() => composeId('v1:harness:step', bad)).toThrow(/cannot be used as an id/)
    for (const bad of ['a1', 'step:a1', '']) expect(() => parseId(bad)).toThrow(/cannot be used as an id/)
  })

  test('derived ids depend on every part and on where parts end', () => {
    expect(deriveId('v1:a:b', 'x', 'y')).toBe(deriveId('v1:a:b', 'x', 'y'))
    expect(deriveId('v1:a:b', 'xy')).not.toBe(deriveId('v1:a:b', 'x', 'y'))
    expect(deriveId('v1:a:c', 'x', 'y').slice(7)).not.toBe(deriveId('v1:a:b', 'x', 'y').slice(7))
  })
})

describe('recall', () => {
  test('recency is 1 now and in the future, and halves per half-life', () => {
    const at = 10_000_000_000
    expect([0, 3600, 7200, -60].map((age) => recency(at - age * 1000, at, 3600))).toEqual([1, 0.5, 0.25, 1])
  })

  test('without words and with a vector the score is the seed formula', () => {
    expect(recallScore({ similarity: 0.5, lexical: 0.9, recency: 0.25 }, defaultWeights)).toBe(0.7 * 0.5 + 0.3 * 0.25)
  })

  test('without a vector its weight goes to the words', () => {
    const weights = { ...defaultWeights, wLex: 0.2 }
    expect(recallScore({ similarity: undefined, lexical: 0.5, recency: 0 }, weights)).toBeCloseTo(0.9 * 0.5)
  })

  test('numbers saturate and nonsense falls back to the defaults', () => {
    expect([0, -3, 1e9, Infinity, 2.9, Number.NaN].map((k) => args({ k }).k)).toEqual([1, 1, 1000, 1000, 2, 10])
    expect(args({ halfLife: 0 }).weightsOf('c').halfLife).toBe(1e-3)
    expect(args({ wSem: -1, wRec: Infinity }).weightsOf('c')).toMatchObject({ wSem: 0, wRec: 1e6 })
    expect(args({ window: 2 }).notBefore).toBe(-2000)
    expect(args({ window: 0 }).notBefore).toBeUndefined()
    expect(args({ weights: { c: { wSem: 1 } } }).weightsOf('c').wSem).toBe(1)
    expect(() => args({ text: '  ' })).toThrow(/text/)
    expect(() => args({ owner: ' ' })).toThrow(/owner/)
  })

  test('a certificate never holds for a wrong top k', () => {
    const item = fc.record({ cos: fc.double({ min: -1, max: 1, noNaN: true }), lex: unit(), rec: unit() })
    fc.assert(
      fc.property(
        fc.array(item, { minLength: 1, maxLength: 40 }),
        fc.nat(8),
        fc.integer({ min: 1, max: 5 }),
        (items, n, k) => {
          const weights = { wSem: 0.5, wLex: 0.3, wRec: 0.2 }
          const scores = items.map(({ cos, lex, rec }) => weights.wSem * cos + weights.wLex * lex + weights.wRec * rec)
          const partial = ({ cos, rec }: { cos: number; rec: number }) => weights.wSem * cos + weights.wRec * rec
          const byVector = items.map((_, i) => i).toSorted((a, b) => partial(items[b]!) - partial(items[a]!))
          const byWords = items.map((_, i) => i).toSorted((a, b) => items[b]!.lex - items[a]!.lex)
          const pool = new Set([...byVector.slice(0, n), ...byWords.slice(0, n)])
          const hits = [...pool].map((i) => scores[i]!).toSorted((a, b) => b - a)
          const vectorEnd = byVector[n]
          const ends = {
            vector: vectorEnd === undefined ? undefined : partial(items[vectorEnd]!),
            lexical: byWords[n] === undefined ? 0 : items[byWords[n]]!.lex,
            recency: undefined,
          }
          if (!isCertified(hits, k, ceilingOutside(ends, weights))) return
          const best = scores.toSorted((a, b) => b - a).slice(0, k)
          expect(hits.slice(0, k).map(rounded)).toEqual(best.map(rounded))
        },
      ),
    )
  })

  test('zero, endless and unreal vectors are refused; huge and tiny ones are not', () => {
    for (const bad of [[], [0, 0], [Number.NaN, 1], [Infinity, 1]])
      expect(() => unitVector(bad)).toThrow(expect.objectContaining({ code: 'INVALID_VECTOR' }))
    for (const fine of [
      [3e300, 4e300],
      [3e-300, 4e-300],
    ])
      expect([...unitVector(fine)].map((x) => x.toFixed(6))).toEqual(['0.600000', '0.800000'])
  })
})

describe('words', () => {
  test('questions lose words without meaning, unless there are no others', () => {
    expect(lexicalTerms('What is the lock for?')).toEqual([['lock']])
    expect(lexicalTerms('to be or not')).toEqual([['to'], ['be'], ['or'], ['not']])
  })

  test('compound identifiers and scripts without spaces can be found by their parts', () => {
    expect(lexicalText('parseHTTPHeader')).toBe('parseHTTPHeader\nparse HTTP Header')
    expect(lexicalTerms('東京都')).toEqual([
      ['東', '京'],
      ['京', '都'],
    ])
    expect(lexicalText('東京').trim().split(/\s+/)).toEqual(['東', '京'])
  })
})

test('provenance is a union in first-seen order without empty ids', () => {
  expect(mergeProvenance(['b', 'a', ''], ['c', 'a', 'B'])).toEqual(['b', 'a', 'c', 'B'])
})

test('a circle is found wherever there is one, and only then', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 14 }), (edges) => {
      const targets = (id: string) => edges.filter(([from]) => `${from}` === id).map(([, to]) => `${to}`)
      const cycle = findCycle(
        Array.from({ length: 8 }, (_, i) => `${i}`),
        targets,
      )
      expect(cycle !== undefined).toBe(hasCycle(edges))
      cycle?.forEach((id, i) => expect(targets(id)).toContain(cycle[(i + 1) % cycle.length]))
    }),
  )
})

describe('fairness', () => {
  test('a crowd does not hold up small tenants', () => {
    const small = Array.from({ length: 9 }, (_, i) => queue(`t${i}`, 1))
    const { picks } = fairPick([queue('crowd', 10_000), ...small], { k: 12, perPartition: 4, clock: 0 })
    expect(picks.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 3])
  })

  test('shares are equal, limits hold, and nobody hoards credit while idle', () => {
    const share = fairPick([queue('a', 100), queue('b', 100)], { k: 30, perPartition: 100, clock: 0 })
    expect(share.picks.map(({ count }) => count)).toEqual([15, 15])
    const limited = fairPick([queue('a', 9, { running: 3 }), queue('b', 9, { running: 4 })], {
      k: 9,
      perPartition: 4,
      clock: 0,
    })
    expect(limited.picks.map(({ partition, count }) => [partition, count])).toEqual([['a', 1]])
    const late = fairPick([queue('late', 9), queue('busy', 9, { virtualTime: 50 })], {
      k: 4,
      perPartition: 9,
      clock: 50,
    })
    expect(late.picks.map(({ count }) => count)).toEqual([2, 2])
  })
})

test('errors are recognised by code, also from another copy of the package', () => {
  expect(isNodesError(Object.assign(new Error('x'), { code: 'GUARD_REFUSED' }), 'GUARD_REFUSED')).toBe(true)
  expect(isNodesError(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBe(false)
})

function args(query: object) {
  return recallArguments({ owner: 'a', text: 't', ...query }, new ConceptSet([]), 0)
}

function queue(partition: string, ready: number, more = {}) {
  return { partition, ready, running: 0, virtualTime: 0, ...more }
}

function unit() {
  return fc.double({ min: 0, max: 1, noNaN: true })
}

function rounded(score: number): number {
  return Math.round(score * 1e7)
}

function hasCycle(edges: readonly (readonly [number, number])[]): boolean {
  let left = edges
  for (;;) {
    const next = left.filter(([, to]) => left.some(([from]) => from === to))
    if (next.length === left.length) return left.length > 0
    left = next
  }
}
