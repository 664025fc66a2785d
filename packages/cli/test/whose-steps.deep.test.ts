/** Which steps a process takes: those of its plan, and of the kinds its config allows. */
import { hostname } from 'node:os'
import { expect, it } from 'vitest'
import { marking, PlanWorld } from './plan-world.ts'

const patience = { timeout: 120_000 }

it('runs the plan it was asked to run, and leaves every other to a worker', patience, async () => {
  const plans = await PlanWorld.make()
  const other = await plans.plan(`goal: other\nsteps:\n${marking('theirs')}`)
  const mine = await plans.plan(`goal: mine\nsteps:\n${marking('first')}${marking('second', { dependsOn: ['first'] })}`)
  expect((await plans.cli.agentm(['run', mine])).code).toBe(0)
  expect(plans.told()).toEqual(['first 0', 'second 0'])
  expect((await plans.state(other)).steps).toEqual({ ready: 1 })
  expect((await plans.cli.agentm(['worker', '--once'])).code).toBe(0)
  expect(plans.told()).toEqual(['first 0', 'second 0', 'theirs 0'])
})

it('leaves a step of a kind it does not allow, and says which command helps', patience, async () => {
  const plans = await PlanWorld.make({ kinds: 'approval' })
  const planId = await plans.plan(`goal: g\nsteps:\n${marking('a')}`)
  const narrow = plans.cli.start(['worker'])
  await narrow.said('Worker')
  const command = 'agentm config set harness.kinds approval,command && agentm worker'
  const { steps, waiting } = await plans.state(planId)
  expect(steps).toEqual({ ready: 1 })
  expect(waiting).toMatchObject([{ waitsFor: { for: 'kind', kind: 'command' }, lacks: 'command', help: command }])
  expect((await plans.cli.agentm(['doctor'])).out).toContain(
    `a waits for a worker that runs steps of kind command. To continue it: ${command}`,
  )

  await plans.cli.agentm(['config', 'set', 'harness.kinds', 'approval,command'])
  expect((await plans.state(planId)).waiting[0]?.help).toBe('agentm worker')
  const wide = plans.cli.start(['worker'])
  const ended = await plans.until(planId, ({ status }) => status === 'done')
  expect(ended.waiting).toEqual([])
  for (const worker of [narrow, wide]) expect(await worker.kill('SIGTERM')).toBe(0)
})

it('runs a plan whose kinds only another process may run, for as long as that lives', patience, async () => {
  const plans = await PlanWorld.make()
  const planId = await plans.plan(`goal: g\nsteps:\n${marking('first')}${marking('last', { dependsOn: ['first'] })}`)
  const wide = plans.cli.start(['worker', '--slots', '1'])
  await wide.said('Worker')
  await plans.until(planId, ({ status }) => status === 'done')
  await plans.cli.agentm(['config', 'set', 'harness.kinds', 'approval'])
  const next = await plans.plan(`goal: h\nsteps:\n${marking('more')}`)
  // Somebody who may run it lives, so it is not refused.
  expect((await plans.cli.agentm(['run', next])).code).toBe(0)
  expect(await wide.kill('SIGTERM')).toBe(0)
  const alone = await plans.plan(`goal: i\nsteps:\n${marking('alone')}`)
  const refused = await plans.cli.agentm(['run', alone])
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('harness.kinds approval,command')])
})

it('says so when the worker that ran what it may not run itself is gone, and for whom it waits', patience, async () => {
  const plans = await PlanWorld.make()
  const planId = await plans.plan(`goal: g\nsteps:\n${marking('theirs', { until: 'go' })}`)
  const wide = plans.cli.start(['worker'])
  await plans.untilTold('theirs 0')
  await plans.cli.agentm(['config', 'set', 'harness.kinds', 'approval'])
  const [waits, stays] = [plans.cli.start(['run', planId]), plans.cli.start(['run', planId, '--wait'])]
  for (const run of [waits, stays]) await run.said(`running  theirs, on ${hostname()}, process ${wide.pid}`)
  await wide.kill('SIGKILL')
  expect(await waits.ended()).toBe(1)
  expect(waits.err).toContain('failed   theirs: the process of its worker is gone')
  expect(waits.out).toMatch(/ready {5}theirs: waits for a worker that runs steps of kind command, for .*, attempt 2\n/)
  expect(waits.out).toContain('agentm config set harness.kinds approval,command && agentm worker')
  await stays.said('waits    for a worker that runs steps of kind command')
  // Somebody comes who may.
  await plans.cli.agentm(['config', 'set', 'harness.kinds', 'approval,command'])
  await plans.cli.file('repo/go', '')
  const heir = plans.cli.start(['worker'])
  expect(await stays.ended()).toBe(0)
  expect(await heir.kill('SIGTERM')).toBe(0)
})

it('plans no goal without a worker for it, and doctor names a kind that does not exist', patience, async () => {
  const { cli } = await PlanWorld.make({ kinds: 'command' })
  const refused = await cli.agentm(['do', 'find the mop'])
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining('harness.kinds command,agent [KIND_NOT_ALLOWED]'),
  ])
  expect(await cli.json(['status', '--all'])).toEqual({ plans: [] })
  await cli.agentm(['config', 'set', 'harness.kinds', 'command,comand'])
  const { code, out } = await cli.agentm(['doctor'])
  expect([code, out]).toEqual([
    1,
    expect.stringMatching(/steps \[FAIL\] harness\.kinds names comand, .*: agentm config set harness\.kinds command\n/),
  ])
})
