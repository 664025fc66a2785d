import { openWorkspaceReader } from '@agentm/workspace/reader'
import { expect, it, onTestFinished } from 'vitest'
import { PlanViews } from '../src/plans/plan-views.ts'
import { ViewWorld } from './view-world.ts'

it.each([
  { most: { plans: 2, steps: 100 }, looked: ['a', 'b', 'a', 'b'], read: ['a', 'b'] },
  { most: { plans: 2, steps: 100 }, looked: ['a', 'b', 'c', 'b', 'a'], read: ['a', 'b', 'c', 'a'] },
  { most: { plans: 4, steps: 5 }, looked: ['a', 'b', 'a', 'b'], read: ['a', 'b', 'a', 'b'] },
  { most: { plans: 4, steps: 1 }, looked: ['a', 'a', 'b', 'b'], read: ['a', 'b'] },
])('keeps at most $most.plans plans and $most.steps steps: $looked', async ({ most, looked, read }) => {
  const plans = await threePlans()
  const whole: string[] = []
  const log: typeof plans.log = {
    ...plans.log,
    scan: async (query) => {
      if (query.after === 0 && query.parent !== undefined) whole.push(String(query.parent).slice(-1))
      return plans.log.scan(query)
    },
  }
  const views = new PlanViews(most)
  for (const id of looked) expect((await views.page({ ...plans, log }, id)).steps.length).toBe(3)
  expect(whole).toEqual(read)
})

const step = (key: string) => ({ key, title: key, kind: 'approval' })

/** Each with three steps, as the page reads them. */
async function threePlans() {
  const world = await ViewWorld.make()
  const { harness } = await (await world.workspace()).plans()
  for (const id of ['a', 'b', 'c'])
    await harness.createPlan({ id, goal: id, steps: [step('one'), step('two'), step('three')] })
  const reader = await openWorkspaceReader({ home: world.home, settings: { owner: 'ada' } })
  onTestFinished(() => reader.close())
  const plans = await reader.plans()
  if (plans === undefined) throw new Error('there is no log')
  return plans
}
