import { describe, expect, it } from 'vitest'
import { compare, interleave, judge, median, table } from '../bench/frame.mjs'

const writes = { id: 'X1', what: 'writes', unit: 'writes/s', better: 'more' as const }

describe('interleave', () => {
  it('gives every contender one turn a round and lets each go first', async () => {
    const order: string[] = []
    const turn = (name: string) => async () => order.push(name)
    const figures = await interleave({ ours: turn('ours'), floor: turn('floor') }, 2)
    expect(order).toEqual(['ours', 'floor', 'floor', 'ours'])
    expect(figures).toEqual({ ours: [1, 4], floor: [2, 3] })
  })
})

describe('compare', () => {
  it('takes the median of the ratios round by round', () => {
    const { ours, floor, ratio } = compare({ ours: [10, 100, 30], floor: [10, 100, 10] }, 'more')
    expect({ ours, floor, ratio }).toEqual({ ours: 30, floor: 10, ratio: 1 })
  })

  it('turns the ratio round where less is better', () => {
    expect(compare({ ours: [10], floor: [5], slow: [40] }, 'less')).toMatchObject({
      ratio: 0.5,
      peerRatios: { slow: 4 },
    })
  })
})

it('median of an even number of figures lies between the middle two', () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2.5])
})

describe('judge', () => {
  it.each([
    [[{ of: 'floor', atLeast: 0.9 }], true],
    [[{ of: 'floor', atLeast: 1.1 }], false],
    [[{ of: 'slow', atLeast: 2 }], true],
    [[{ of: 'slow', atLeast: 2.1 }], false],
    [[{ of: 'absent', atLeast: 0 }], false],
    [[{ of: 'value' as const, atMost: 100 }], true],
    [[{ of: 'value' as const, atMost: 99 }], false],
    [[{ of: 'value', atLeast: 100 }], true],
    [[{ count: 'lost', is: 0 }], true],
    [[{ count: 'torn', atMost: 1 }], true],
    [[{ count: 'torn', atMost: 0.5 }], false],
    [[{ count: 'stray', atMost: 9 }], false],
    [[{ count: 'torn', is: 0 }], false],
    [[{ count: 'stray', is: 0 }], false],
    [
      [
        { of: 'floor', atLeast: 0.9 },
        { count: 'torn', is: 0 },
      ],
      false,
    ],
  ])('%j is met: %s', (goals, ok) => {
    const measured = { ours: 100, floor: 100, peers: { slow: 50 }, counts: { lost: 0, torn: 1 } }
    expect(judge({ ...writes, goals }, measured).ok).toBe(ok)
  })

  it('answers the one shape, counts beside the figures', () => {
    const goals = [
      { of: 'floor', atLeast: 0.9 },
      { count: 'lost', is: 0 },
    ]
    expect(judge({ ...writes, goals }, { ours: 123.456, floor: 100, counts: { lost: 0 } })).toEqual({
      id: 'X1',
      what: 'writes',
      unit: 'writes/s',
      ours: 123,
      floor: 100,
      ratio: 1.23,
      peers: {},
      peerRatios: {},
      goal: '≥ 0.9 × floor, 0 lost',
      ok: true,
      lost: 0,
    })
  })
})

it('the table says which goal was missed', () => {
  const missed = judge({ ...writes, goals: [{ of: 'floor', atLeast: 2 }] }, { ours: 1, floor: 1 })
  expect(table([missed], { node: 'v20' })).toMatch(/X1 .* ≥ 2 × floor {2}MISSED/)
})
