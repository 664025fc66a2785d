/** What people read of a plan whose worker was killed, and what they get when they mistake that for a pause. */
import { expect, it } from 'vitest'
import { marking, PlanWorld } from './plan-world.ts'

const patience = { timeout: 120_000 }

it(
  'of a step whose worker died, says that the worker is gone, who goes on, and by which command',
  patience,
  async () => {
    const plans = await PlanWorld.make()
    const planId = await plans.plan(`goal: g\nsteps:\n${marking('long', { until: 'go' })}`)
    const doomed = plans.cli.start(['worker'])
    await plans.untilTold('long 0')
    expect(await doomed.kill('SIGKILL')).toBe('SIGKILL')
    await plans.until(planId, ({ waiting }) => waiting.every(({ runner }) => runner === undefined))

    const { out } = await plans.cli.agentm(['status', planId])
    expect(out).toMatch(/long: waits for another worker, because its own is gone, for .*\n {12}agentm worker\n/)
    const doctor = await plans.cli.agentm(['doctor'])
    expect(doctor.out).toContain('waits for another worker, because its own is gone. To continue it: agentm worker')

    const resumed = await plans.cli.agentm(['resume', planId])
    expect(resumed.out).toMatch(/^\w+ was not paused, so there was nothing to resume\.\n/)
    expect(resumed.out).toContain('waits for another worker, because its own is gone')
    expect(resumed.out).toMatch(/To run it: agentm run \w+\n$/)
    expect(await plans.cli.json(['resume', planId])).toMatchObject({ planId, paused: false, resumed: false })

    await plans.cli.file('repo/go', '')
    const short = /agentm run (\w+)/.exec(resumed.out)?.[1] ?? ''
    expect((await plans.cli.agentm(['run', short])).code).toBe(0)
  },
)
