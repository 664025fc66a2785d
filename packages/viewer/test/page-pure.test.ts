/** What the page decides without a browser: the critical path, places in the graph, ticks of the axis, filters and words. */
import { describe, expect, it } from 'vitest'
import { criticalPath, ranFor } from '../app/plans/pure/critical-path.ts'
import { filterPlans } from '../app/plans/pure/filter-plans.ts'
import { depthsOf, layers, nodeSize } from '../app/plans/pure/layers.ts'
import { timeTicks } from '../app/plans/pure/time-ticks.ts'
import { waitWords } from '../app/plans/pure/wait-words.ts'
import { agoWords, countWords, moneyWords, shortId, spanWords } from '../app/pure/words.ts'
import type { PlanRow, Segment, StepRow } from '../src/contract/plans.ts'

function step(id: string, dependsOn: readonly string[], ...segments: readonly Segment[]): StepRow {
  return { id, title: id, kind: 'command', status: 'done', attempt: 0, dependsOn, segments }
}

const byId = (...steps: readonly StepRow[]) => new Map(steps.map((each) => [each.id, each]))

describe('the critical path', () => {
  it('follows the dependency that ended last', () => {
    const steps = byId(
      step('a', [], ['ran-done', 0, 10, 0]),
      step('fast', ['a'], ['ran-done', 10, 15, 0]),
      step('slow', ['a'], ['ran-failed', 10, 20, 0], ['backoff', 20, 30, 0], ['ran-done', 30, 40, 1]),
      step('end', ['fast', 'slow'], ['ran-done', 40, 50, 0]),
    )
    expect(criticalPath(steps, 60)).toEqual(['a', 'slow', 'end'])
  })

  it('ends with what still runs, and is empty while nothing has run', () => {
    const running = step('b', ['a'], ['running', 10, null, 0])
    expect(criticalPath(byId(step('a', [], ['ran-done', 0, 10, 0]), running), 99)).toEqual(['a', 'b'])
    expect(criticalPath(byId(step('a', [], ['pending', 0, null, 0])), 99)).toEqual([])
  })

  it('counts only the time in which attempts ran', () => {
    expect(ranFor(step('a', [], ['ran-failed', 0, 5, 0], ['backoff', 5, 50, 0], ['running', 50, null, 1]), 57)).toBe(12)
  })
})

describe('the places of a large graph', () => {
  it('puts each step one column after the last of its dependencies, and none over another', () => {
    const steps = byId(step('a', []), step('b', ['a']), step('c', ['a']), step('d', ['a', 'c']), step('x', ['gone']))
    expect(Object.fromEntries(depthsOf(steps))).toEqual({ a: 0, b: 1, c: 1, d: 2, x: 0 })
    const { places, width, height } = layers(steps)
    const pairs = [...places].flatMap(([one, a]) =>
      [...places].flatMap(([other, b]) => (one < other ? [{ a, b }] : [])),
    )
    for (const { a, b } of pairs)
      expect(Math.abs(a.x - b.x) >= nodeSize.width || Math.abs(a.y - b.y) >= nodeSize.height).toBe(true)
    for (const { x, y } of places.values()) {
      expect(x + nodeSize.width).toBeLessThanOrEqual(width)
      expect(y + nodeSize.height).toBeLessThanOrEqual(height)
    }
  })

  it('keeps rows of steps that depend on each other side by side', () => {
    const rows = Array.from({ length: 50 }, (_, i) => [step(`a${i}`, []), step(`b${i}`, [`a${i}`])]).flat()
    const { places } = layers(byId(...rows.toReversed()))
    for (let i = 0; i < 50; i++) expect(places.get(`b${i}`)?.y).toBe(places.get(`a${i}`)?.y)
  })
})

it.each([
  [{ from: 0, to: 10_000, origin: 0, most: 5 }, [0, 2_000, 4_000, 6_000, 8_000, 10_000]],
  [{ from: 2_500, to: 5_000, origin: 0, most: 3 }, [3_000, 4_000, 5_000]],
  [{ from: 1_000, to: 1_000 + 7_200_000, origin: 1_000, most: 2 }, [1_000, 3_601_000, 7_201_000]],
])('marks round moments: %j', (range, ticks) => {
  expect(timeTicks(range)).toEqual(ticks)
})

function plan(id: string, more: Partial<PlanRow>): PlanRow {
  const rest = { status: 'running', paused: false, project: '', steps: {}, changedAt: 0 }
  return { id, goal: `goal of ${id}`, ...rest, ...more }
}

describe('filters', () => {
  const plans = [
    plan('a', { project: 'harbour' }),
    plan('b', { status: 'failed', errorMessage: 'no tide' }),
    plan('c', { steps: { failed: 1 } }),
    plan('d', { status: 'done' }),
  ]
  const every = { filter: 'all', words: '', project: '', asking: new Set(['c']) } as const
  it.each([
    [{}, 'a b c d'],
    [{ filter: 'active' }, 'a c'],
    [{ filter: 'you' }, 'c'],
    [{ filter: 'failed' }, 'b c'],
    [{ filter: 'done' }, 'd'],
    [{ words: 'TIDE no' }, 'b'],
    [{ words: 'goal', project: 'harbour' }, 'a'],
  ] as const)('%j leaves %s', (wanted, left) => {
    expect(
      filterPlans(plans, { ...every, ...wanted })
        .map(({ id }) => id)
        .join(' '),
    ).toBe(left)
  })
})

describe('words', () => {
  it.each([
    [250, '250 ms'],
    [3_240, '3.2 s'],
    [9_980, '10 s'],
    [59_800, '1 min'],
    [250_000, '4 min 10 s'],
    [7_500_000, '2 h 5 min'],
    [273_600_000, '3 d 4 h'],
    [-5, '0 ms'],
  ])('%i ms is %s', (ms, words) => expect(spanWords(ms)).toBe(words))

  it('says times, counts, money and ids shortly', () => {
    expect([agoWords(0, 2_000), agoWords(0, 250_000)]).toEqual(['just now', '4 min ago'])
    expect([countWords(18_204), countWords(1_240_000), countWords(999_600)]).toEqual(['18,204', '1.2 M', '1.0 M'])
    expect([moneyWords(0), moneyWords(1_200), moneyWords(2_500_000)]).toEqual(['$0', '$0.0012', '$2.50'])
    expect([shortId('release-1.4'), shortId('0123456789abcdef0123456789abcdef')]).toEqual(['release-1.4', '01234567'])
  })

  it('says what a step waits for, and how long', () => {
    expect(waitWords({ for: 'steps', since: 0, count: 3 }, 9)).toBe('Waits for 3 earlier steps')
    expect(waitWords({ for: 'retry', since: 0, until: 12_000 }, 2_000)).toBe('Waits for its next attempt, 10 s left')
    expect(waitWords({ for: 'retry', since: 0, until: 1_000 }, 2_000)).toBe('Waits for its next attempt, due now')
    expect(waitWords({ for: 'lost', since: 0 }, 9)).toMatch(/another worker takes over/)
  })
})
