import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stemCode, stemOf, termCode } from '../../src/ranking/pure/term-code.ts'

test('the code of a term contains that of its stem, and tells its forms apart', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (stem, surface) => {
      expect(stemOf(termCode(stem, surface))).toBe(stemCode(stem))
    }),
  )
  expect(termCode('lock', 'locks')).not.toBe(termCode('lock', 'locked'))
})

test('a hundred thousand stems hardly ever share a code', () => {
  const codes = new Set(Array.from({ length: 100_000 }, (_, i) => stemCode(`stem${i.toString(36)}`)))
  expect(codes.size).toBeGreaterThan(99_950)
})
