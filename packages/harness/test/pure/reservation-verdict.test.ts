import { describe, expect, it } from 'vitest'
import { nothing } from '@agentm/agent-loop/internal'
import { noUsage } from '../../src/pure/budget-verdict.ts'
import { isLimited, reservationVerdict, type SetAside, type Spending } from '../../src/pure/reservation-verdict.ts'

const call = (stepId: string, seq: number): SetAside => ({ stepId, seq, amount: { ...nothing, toolCalls: 1 } })
const reply = (stepId: string, seq: number, tokens: number): SetAside => ({
  stepId,
  seq,
  amount: { ...nothing, tokens },
})
const used = (more: Partial<Spending['usage']>): Spending['usage'] => ({ ...noUsage, ...more })
const kin = new Set(['own', 'parent'])

describe('a call beside what others have set aside', () => {
  const budget = { maxToolCalls: 3, maxTokens: 100 }
  it.each<[string, SetAside, Partial<Spending>, string]>([
    ['fits where there is room for all', call('own', 9), { held: [call('b', 1), call('c', 2)] }, 'granted'],
    [
      'waits where there is room for all but one',
      call('own', 9),
      { held: [call('b', 1), call('c', 2), call('d', 3)] },
      'waits for b, c, d',
    ],
    [
      'is not kept waiting by whoever came later',
      call('own', 2),
      { held: [call('b', 1), call('c', 3), call('d', 4)] },
      'granted',
    ],
    ['is refused by what is used', call('own', 9), { usage: used({ toolCalls: 3 }) }, 'refused by max_tool_calls'],
    [
      'is refused by what is spent and not told',
      call('own', 9),
      { usage: used({ toolCalls: 2 }), spent: { ...nothing, toolCalls: 1 } },
      'refused by max_tool_calls',
    ],
    [
      'does not wait for its own step, nor for one that waits for it',
      call('own', 9),
      { held: [call('own', 1), call('own', 2), call('parent', 3)] },
      'refused by max_tool_calls',
    ],
    ['waits for no tokens that it does not want', call('own', 9), { held: [reply('b', 1, 100)] }, 'granted'],
    ['may reach the limit', reply('own', 9, 60), { usage: used({ tokens: 40 }) }, 'granted'],
    ['may not pass it', reply('own', 9, 61), { usage: used({ tokens: 40 }) }, 'refused by max_tokens'],
    [
      'waits for those alone who have what it wants',
      reply('own', 9, 60),
      { held: [reply('b', 1, 41), call('c', 2)] },
      'waits for b',
    ],
    [
      'is refused once another limit is used up',
      reply('own', 9, 1),
      { usage: used({ toolCalls: 3 }) },
      'refused by max_tool_calls',
    ],
  ])('%s', (_, own, spending, expected) => {
    const verdict = reservationVerdict(own, { usage: noUsage, spent: nothing, held: [], ...spending }, { budget, kin })
    const said = {
      granted: () => 'granted',
      refused: () => `refused by ${'overrun' in verdict ? verdict.overrun.limit : ''}`,
      waits: () => `waits for ${'others' in verdict ? verdict.others.map(({ stepId }) => stepId).join(', ') : ''}`,
    }
    expect(said[verdict.is]()).toBe(expected)
  })
})

it('a budget limits what it names', () => {
  expect(isLimited({ maxToolCalls: 1 }, call('a', 1).amount)).toBe(true)
  expect(isLimited({ maxTokens: 1, maxSteps: 1 }, call('a', 1).amount)).toBe(false)
  expect(isLimited(undefined, call('a', 1).amount)).toBe(false)
})
