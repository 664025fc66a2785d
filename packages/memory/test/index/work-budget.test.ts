import { expect, it } from 'vitest'
import { workBudget } from '../../src/index/work-budget.ts'

function machine() {
  const at = { clock: 1000, processor: 50 }
  const runtime = { now: () => at.clock, processorMs: () => at.processor }
  return { at, runtime }
}

it('does not count the time that other programs use', () => {
  const { at, runtime } = machine()
  const isSpent = workBudget(runtime, { budgetMs: 15, limitMs: 3000 })
  at.clock += 2900
  at.processor += 14
  expect(isSpent()).toBe(false)
  at.processor += 1
  expect(isSpent()).toBe(true)
})

it('ends work on a disk that hardly answers', () => {
  const { at, runtime } = machine()
  const isSpent = workBudget(runtime, { budgetMs: 1000 })
  at.clock += 3999
  expect(isSpent()).toBe(false)
  at.clock += 1
  expect(isSpent()).toBe(true)
})
