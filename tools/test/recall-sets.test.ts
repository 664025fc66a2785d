import { describe, expect, it } from 'vitest'
import { datedSet } from '../eval/recall/dated-set.mjs'
import { eventsSet } from '../eval/recall/events-set.mjs'
import { halfOf } from '../eval/recall/half-of.mjs'
import { headingsSet } from '../eval/recall/headings-set.mjs'
import { languageSet } from '../eval/recall/language-set.mjs'
import { mistypedSet } from '../eval/recall/mistyped-set.mjs'

describe('the sets that are built for recall', () => {
  it.each([
    ['dated', datedSet],
    ['languages', languageSet],
    ['headings', headingsSet],
    ['events', eventsSet],
    ['mistyped', mistypedSet],
  ])('%s: the same for the same seed, every question answered by notes that are there', (_, build) => {
    const set = build(1)
    expect(build(1)).toEqual(set)
    expect(build(2).queries).not.toEqual(set.queries)
    const ids = new Set(set.corpus.map(({ id }) => id))
    expect(ids.size).toBe(set.corpus.length)
    expect(set.queries.length).toBeGreaterThanOrEqual(200)
    expect(set.queries.every(({ gold }) => gold.length > 0 && gold.every((id) => ids.has(id)))).toBe(true)
  })

  it('leave no place of a date unwritten', () => {
    for (const { text } of datedSet(1).queries) expect(text).not.toMatch(/(?<!\p{L})(?:[YM]|0M|0D|Dth)(?!\p{L})/u)
  })

  it('ask thirty questions in each of at least twelve languages', () => {
    const counts = new Map<string, number>()
    for (const { kind } of languageSet(1).queries) counts.set(kind, (counts.get(kind) ?? 0) + 1)
    expect(counts.size).toBeGreaterThanOrEqual(12)
    expect(Math.min(...counts.values())).toBeGreaterThanOrEqual(30)
  })

  it('are split in halves that have all kinds and share no question', () => {
    const set = languageSet(1)
    const [tuning, kept] = [halfOf(set, 'tuning'), halfOf(set, 'kept')]
    const idsOf = ({ queries }: typeof set) => new Set(queries.map(({ id }) => id))
    expect(tuning.queries.length + kept.queries.length).toBe(set.queries.length)
    expect([...idsOf(tuning)].filter((id) => idsOf(kept).has(id))).toEqual([])
    expect(new Set(kept.queries.map(({ kind }) => kind)).size).toBe(new Set(set.queries.map(({ kind }) => kind)).size)
  })
})
