import { describe, expect, it } from 'vitest'
import { fittedWeights, probabilityWith } from '../eval/floor/fit.mjs'
import { reliabilityText, rowsOf } from '../eval/floor/report.mjs'
import { vaultsOf } from '../eval/floor/vaults.mjs'

const nothing = {
  core: 0,
  mass: 0,
  best: 0,
  focus: 0,
  pairs: 0,
  whole: 0,
  title: 0,
  strange: 0,
  length: 0.3,
  asks: 0,
  time: 0,
  similarity: undefined,
}

/** Questions whose answers hold most of their words, and ordinary prompts that share few with any note. */
function gathered() {
  return Array.from({ length: 200 }, (_, i) => {
    const isAnswered = i % 2 === 0
    const core = ((isAnswered ? 45 : 5) + ((i * 37) % 50)) / 100
    const one = { isGold: isAnswered, evidence: { ...nothing, core, whole: core }, probability: core }
    const kind = isAnswered ? 'answer in a vault' : 'ordinary prompt'
    return { kind, world: 'made up', half: 'tuning' as const, text: `${i}`, isAnswered, found: [one] }
  })
}

describe('the vaults', () => {
  const halves = [vaultsOf(1, 'tuning'), vaultsOf(1, 'kept')] as const

  it('have 40, 300 and 2,000 notes, 1,000 ordinary prompts for each half, and 100 that one note answers', () => {
    for (const vaults of halves) {
      expect(vaults.map(({ corpus }) => corpus.length)).toEqual([40, 300, 2000])
      const asked = vaults.at(-1)?.asked ?? []
      expect(new Set(asked.filter(({ gold }) => gold.length === 0).map(({ text }) => text)).size).toBe(1000)
      expect(asked.filter(({ gold }) => gold.length === 1)).toHaveLength(100)
    }
  })

  it('share no prompt between the halves, and are the same for the same seed', () => {
    const [tuning, kept] = halves.map((vaults) => new Set(vaults.flatMap(({ asked }) => asked.map(({ text }) => text))))
    expect([...(tuning ?? [])].filter((text) => kept?.has(text))).toEqual([])
    expect(vaultsOf(1, 'kept')).toEqual(halves[1])
    expect(vaultsOf(2, 'kept')[0]?.corpus).not.toEqual(halves[1][0]?.corpus)
  })
})

describe('the fit', () => {
  it('gives the same weights each time, and they tell answers from prompts', () => {
    const weights = fittedWeights(gathered())
    expect(fittedWeights(gathered())).toEqual(weights)
    expect(weights['core']).toBeGreaterThan(1)
    expect(probabilityWith(weights, { ...nothing, core: 0.9, whole: 0.9 })).toBeGreaterThan(0.7)
    expect(probabilityWith(weights, { ...nothing, core: 0.1, whole: 0.1 })).toBeLessThan(0.3)
  })
})

describe('the report', () => {
  it('counts what each floor shows', () => {
    const rows = rowsOf(gathered())
    expect(rows.map(({ what, questions }) => [what, questions])).toEqual([
      ['answer in a vault: still shown', 100],
      ['answer in a vault: shown first', 100],
      ['no answer, ordinary prompt: silent', 100],
    ])
    const silent = rows.at(-1)?.shares
    expect(silent?.off.every((share) => share === 0)).toBe(true)
    expect(silent?.strict.every((share) => share === 1)).toBe(true)
    expect(reliabilityText(gathered())).toContain('0.05 to')
  })
})
