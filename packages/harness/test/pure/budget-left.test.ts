import { expect, it } from 'vitest'
import { leastLeft, leftOf } from '../../src/pure/budget-left.ts'
import { noUsage } from '../../src/pure/budget-verdict.ts'

const used = { ...noUsage, tokens: 100, toolCalls: 2, costMicros: 5000 }
const spent = { tokens: 50, toolCalls: 0, costMicros: 1000 }

it.each([
  [
    { maxTokens: 1000, maxCostMicros: 10_000 },
    { tokens: 850, costMicros: 4000 },
  ],
  [{ maxToolCalls: 2 }, { toolCalls: 0 }],
  // What was passed is not negative, and 0 is no limit.
  [{ maxCostMicros: 5500, maxTokens: 0 }, { costMicros: 0 }],
  [{}, {}],
])('knows what is left of %j, reported or not', (budget, left) => {
  expect(leftOf(budget, { usage: used, spent })).toEqual(left)
})

it('takes the least of several budgets, and leaves out what none of them limits', () => {
  expect(leastLeft({ tokens: 5, costMicros: 9 }, { tokens: 7, costMicros: 3 })).toEqual({ tokens: 5, costMicros: 3 })
  expect(leastLeft({}, { toolCalls: 1 })).toEqual({ toolCalls: 1 })
})
