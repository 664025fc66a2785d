import { describe, expect, it } from 'vitest'
import { earlierWork } from '../../src/pure/earlier-work.ts'
import { microsOf } from '../../src/pure/fields.ts'
import { tokenCost } from '../../src/pure/token-cost.ts'

describe('the session of earlier runs', () => {
  const place = { client: 'codex', host: 'here', directory: '/r', prompt: 'p' }
  const session = (more: object = {}) => ({ isSession: true, session: 's-1', group: 7, ...place, ...more })

  it('is the last one, with all that was booked for it', () => {
    const data = [
      session({ session: 's-0' }),
      { client: 'codex', session: 's-0', tokens: 5 },
      session(),
      { client: 'codex', session: 's-1', tokens: 10, costMicros: 3, files: ['a'] },
      session({ told: 't' }),
      { client: 'codex', session: 's-1', tokens: 20, files: ['a', 'b'] },
      undefined,
    ]
    expect(earlierWork(data, place)).toEqual({
      session: 's-1',
      group: 7,
      told: ['t'],
      files: ['a', 'b'],
      tokens: 30,
      costMicros: 3,
    })
  })

  it.each([
    ['there is none', []],
    ['it is over', [session(), { client: 'codex', isOver: true, session: 's-1' }]],
    ['it is on another machine', [session({ host: 'there' })]],
    ['it is in another directory', [session({ directory: '/other' })]],
    ['it had another prompt', [session({ prompt: 'q' })]],
    ['it belongs to another agent', [session({ client: 'gemini' })]],
  ])('is not resumed when %s', (_, data) => {
    expect(earlierWork(data, place)).toBe(undefined)
  })
})

it.each<[dollars: unknown, micros: number | undefined]>([
  [0.0032, 3200],
  [0.0003, 300],
  [0.1 + 0.2, 300_000],
  [0.000_000_1, 1],
  [12.345_678_4, 12_345_679],
  [0, 0],
  [-1, undefined],
  ['1', undefined],
])('%s dollars are %s millionths', (dollars, micros) => {
  expect(microsOf(dollars)).toBe(micros)
})

it.each([
  [{ input: 1000, cached: 400, output: 100 }, { input: 3, output: 15, cachedInput: 0.3 }, 3420],
  [{ input: 1000, cached: 400, output: 100 }, { input: 3, output: 15 }, 4500],
  [{ input: 1, cached: 0, output: 0 }, { input: 0.1, output: 1 }, 1],
  [{ input: 3, cached: 0, output: 0 }, { input: 0.1, output: 1 }, 1],
  [{ input: 30, cached: 0, output: 0 }, { input: 0.1, output: 1 }, 3],
])('%j at %j cost %s millionths', (tokens, price, micros) => {
  expect(tokenCost(tokens, price)).toBe(micros)
})
