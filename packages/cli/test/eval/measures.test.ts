import { describe, expect, it } from 'vitest'
import { chanceOf, intervalOf } from '../../src/eval/pure/intervals.ts'
import { meanScores, scoresOf } from '../../src/eval/pure/scores.ts'

describe('scoresOf', () => {
  it('counts the share of right notes near the top, and the place of the first one', () => {
    const scores = scoresOf(['x', 'a', 'y', 'z', 'w', 'v', 'b'], { gold: ['a', 'b'] })
    expect(scores).toMatchObject({ recallAt1: 0, recallAt5: 0.5, recallAt10: 1, mrr: 0.5 })
    expect(scores.ndcgAt10).toBeCloseTo((1 / Math.log2(3) + 1 / Math.log2(8)) / (1 + 1 / Math.log2(3)))
  })

  it('gives 0 for an empty ranking and 1 for a perfect one', () => {
    expect(scoresOf([], { gold: ['a'] })).toEqual({ recallAt1: 0, recallAt5: 0, recallAt10: 0, mrr: 0, ndcgAt10: 0 })
    expect(scoresOf(['a'], { gold: ['a'] })).toEqual({ recallAt1: 1, recallAt5: 1, recallAt10: 1, mrr: 1, ndcgAt10: 1 })
  })

  it('wants the better of two right notes first, if they have grades', () => {
    const question = { gold: ['good', 'fair'], grades: { good: 2, fair: 1 } }
    expect(scoresOf(['good', 'fair'], question).ndcgAt10).toBe(1)
    expect(scoresOf(['fair', 'good'], question).ndcgAt10).toBeLessThan(1)
  })

  it('is averaged over the questions', () => {
    const [one, none] = [scoresOf(['a'], { gold: ['a'] }), scoresOf([], { gold: ['a'] })]
    expect(meanScores([one, none]).mrr).toBe(0.5)
  })
})

describe('intervalOf', () => {
  it('is about 1.96 standard errors wide on both sides', () => {
    const { low, high } = intervalOf(halves(400))
    expect(low).toBeCloseTo(0.5 - 1.96 * 0.025, 2)
    expect(high).toBeCloseTo(0.5 + 1.96 * 0.025, 2)
  })

  it('is narrower with more questions, and a point if all values are alike', () => {
    expect(width(intervalOf(halves(400)))).toBeLessThan(width(intervalOf(halves(40))))
    expect(intervalOf([0.5, 0.5, 0.5])).toEqual({ low: 0.5, high: 0.5 })
    expect(intervalOf([])).toEqual({ low: 0, high: 0 })
  })
})

describe('chanceOf', () => {
  it('is 1 if nothing differs, and high if gains and losses balance', () => {
    expect(chanceOf([0, 0])).toBe(1)
    expect(chanceOf([1, -1, 1, -1])).toBeGreaterThan(0.5)
  })

  it('is that of the same side in every toss of a coin', () => {
    expect(chanceOf(Array.from({ length: 5 }, () => 1))).toBeCloseTo(2 / 32, 2)
    expect(chanceOf(Array.from({ length: 20 }, () => 0.5))).toBeLessThan(0.001)
  })

  it('is the same for the same differences', () => {
    const differences = [0.1, -0.4, 0.25, 1, 0, -0.1]
    expect(chanceOf(differences)).toBe(chanceOf(differences))
  })
})

function halves(many: number): number[] {
  return Array.from({ length: many }, (_, i) => i % 2)
}

function width({ low, high }: ReturnType<typeof intervalOf>): number {
  return high - low
}
