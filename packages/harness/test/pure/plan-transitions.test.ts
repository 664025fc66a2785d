import { describe, expect, it } from 'vitest'
import { planRefusal, type PlanStatus, planStatuses } from '../../src/pure/plan-transitions.ts'

const ways: readonly [PlanStatus, readonly PlanStatus[]][] = [
  ['open', ['open', 'running', 'done', 'failed', 'cancelled']],
  ['running', ['running', 'done', 'failed', 'cancelled']],
  ['done', []],
  ['failed', []],
  ['cancelled', []],
]

describe('the plan guard', () => {
  it.each(ways)('lets %s become what it may become, and an ended plan not even itself', (from, to) => {
    expect(planStatuses.filter((next) => planRefusal(from, next) === undefined)).toEqual(to)
  })

  it('lets a plan begin as open and as nothing else', () => {
    expect(planStatuses.filter((next) => planRefusal(undefined, next) === undefined)).toEqual(['open'])
  })
})
