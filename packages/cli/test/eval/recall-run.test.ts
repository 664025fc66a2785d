import { describe, expect, it } from 'vitest'
import { type AnsweredQuestion, compareRuns, parseRun, recallRun } from '../../src/eval/pure/recall-run.ts'
import { comparisonTable, runTable } from '../../src/eval/pure/run-table.ts'

function asked(id: string, kind: string, share: number): AnsweredQuestion {
  const scores = { recallAt1: share, recallAt5: share, recallAt10: share, mrr: share, ndcgAt10: share }
  return { id, kind, scores }
}

const before = Array.from({ length: 20 }, (_, i) => asked(`q${i}`, i < 10 ? 'dated' : 'plain', i % 2))
const after = before.map(({ id, kind }) => asked(id, kind, kind === 'dated' ? 1 : 0.5))

describe('recallRun', () => {
  const run = recallRun({ name: 'set', corpus: [] }, { questions: before })

  it('has a row for all questions and one for each kind', () => {
    expect(run.rows.map(({ kind, questions, means }) => [kind, questions, means.mrr])).toEqual([
      [undefined, 20, 0.5],
      ['dated', 10, 0.5],
      ['plain', 10, 0.5],
    ])
  })

  it('can be read again from what it printed', () => {
    expect(parseRun({ name: 'run.json', text: JSON.stringify(run) })).toEqual(before)
    expect(() => parseRun({ name: 'run.json', text: '{}' })).toThrow(/run\.json cannot be used/)
  })

  it('is a table with an interval below each mean', () => {
    const table = runTable(run)
    expect(table).toContain('set: 0 notes, words and time only')
    expect(table).toMatch(/^all +20( +0\.500){5}\n +\.\d{3}–\.\d{3}/m)
  })
})

describe('compareRuns', () => {
  it('gives the change of each kind, and how likely it is by chance', () => {
    const rows = compareRuns(after, before)
    const changes = rows.map(({ kind, changes: { mrr } }) => [kind, mrr.by, mrr.chance < 0.1])
    expect(changes).toEqual([
      [undefined, 0.25, true],
      ['dated', 0.5, true],
      ['plain', 0, false],
    ])
    expect(comparisonTable(rows)).toMatch(/^dated +10( +\+\.500){5}\n +p \.\d{3}/m)
  })

  it('compares only questions that both runs have', () => {
    expect(compareRuns(after, before.slice(0, 4))[0]?.questions).toBe(4)
    expect(comparisonTable(compareRuns(after, []))).toMatch(/nothing can be compared/)
  })
})
