import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withinTwoErrors } from '../src/pure/within-two-errors.ts'

describe('withinTwoErrors', () => {
  it.each([
    ['same', 'same', 0],
    ['certificate', 'certifciate', 1],
    ['certificate', 'certifcate', 1],
    ['certificate', 'certifficate', 1],
    ['certificate', 'certificote', 1],
    ['certificate', 'cretifciate', 2],
    ['certificate', 'ceriicate', 2],
    ['certificate', 'ceriicatte', undefined],
    ['', 'ab', 2],
    ['', 'abc', undefined],
  ])('%s and %s: %s', (one, other, errors) => {
    expect(withinTwoErrors(one, other)).toBe(errors)
  })

  it('counts what a table of all distances counts', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 })
    fc.assert(
      fc.property(word, word, (one, other) => {
        const all = distance(one, other)
        expect(withinTwoErrors(one, other)).toBe(all > 2 ? undefined : all)
        expect(withinTwoErrors(other, one)).toBe(all > 2 ? undefined : all)
      }),
    )
  })
})

/** The usual table: errors between each two beginnings. */
function distance(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, i) =>
    Array.from({ length: other.length + 1 }, (__, j) => i + j),
  )
  const at = (i: number, j: number) => table[i]?.[j] ?? Infinity
  for (let i = 1; i <= one.length; i++)
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const tries = [
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + same,
        isSwap ? at(i - 2, j - 2) + 1 : Infinity,
      ]
      ;(table[i] as number[])[j] = Math.min(...tries)
    }
  return at(one.length, other.length)
}
