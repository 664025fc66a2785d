import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cosineScale } from '../../src/ranking/pure/cosine-scale.ts'

it('gives the nearest 1, and what is no nearer than usual 0', () => {
  const scale = cosineScale([0.1, 0.1, 0.1, 0.3, 0.5])
  expect([0.05, 0.1, 0.3, 0.5, 0.9].map(scale)).toEqual([0, 0, expect.closeTo(0.5), 1, 1])
})

it('gives nothing where no cosine stands out', () => {
  for (const cosines of [[], [0.8], [0.7, 0.7, 0.7], [0.7, 0.70001]])
    expect([0, 0.7, 0.8].map(cosineScale(cosines))).toEqual([0, 0, 0])
})

it('counts narrow and wide cosines alike', () => {
  const cosine = fc.double({ min: -1, max: 1, noNaN: true })
  fc.assert(
    fc.property(
      fc.array(cosine, { minLength: 3, maxLength: 60 }),
      fc.double({ min: 0.2, max: 1, noNaN: true }),
      (wide, share) => {
        fc.pre(Math.max(...wide) - (wide.toSorted((a, b) => a - b)[Math.floor(wide.length / 2)] ?? 0) > 0.01)
        const narrow = wide.map((value) => 1 - share + share * value)
        const [ofWide, ofNarrow] = [wide.map(cosineScale(wide)), narrow.map(cosineScale(narrow))]
        for (const [i, value] of ofWide.entries()) expect(ofNarrow[i]).toBeCloseTo(value, 6)
      },
    ),
  )
})
