import { expect, it } from 'vitest'
import { PlanWorld } from './plan-world.ts'

const patience = { timeout: 120_000 }

it('resumes a plan that was paused, and says so', patience, async () => {
  const plans = await PlanWorld.make()
  const planId = await plans.plan('goal: g\nsteps:\n  - { key: a, kind: approval }\n')
  await plans.cli.agentm(['pause', planId])
  expect((await plans.cli.agentm(['resume', planId])).out).toMatch(/^Resumed \w+\.\n$/)
  await plans.cli.agentm(['pause', planId])
  expect(await plans.cli.json(['resume', planId])).toMatchObject({ planId, paused: false, resumed: true })
})

it('says of a plan that was never paused what it waits for, and which command runs it', patience, async () => {
  const plans = await PlanWorld.make()
  const planId = await plans.plan('goal: g\nsteps:\n  - { key: a, title: Ship it?, kind: approval }\n')
  const { code, out } = await plans.cli.agentm(['resume', planId])
  expect(code).toBe(0)
  expect(out).toMatch(/^\w+ was not paused, so there was nothing to resume\.\n/)
  expect(out).toContain('Ship it?: waits for a free worker')
  expect(out).toMatch(/To run it: agentm run \w+\n$/)
  expect(await plans.cli.json(['resume', planId])).toMatchObject({ planId, paused: false, resumed: false })
})
