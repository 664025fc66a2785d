import { describe, expect, it } from 'vitest'
import { PlanWorld } from './plan-world.ts'

const patience = { timeout: 60_000 }

const release = `
goal: release
inputs:
  tag: { type: string, default: v1 }
  copies: { type: integer, default: 1 }
steps:
  - key: fetch
    kind: command
    input: { command: sh, args: ['-c', 'echo fetched >> fetches; echo fetched'] }
  - key: build
    kind: command
    dependsOn: fetch
    input: { command: echo, args: ['\${{ inputs.tag }}', '\${{ inputs.copies }}'] }
  - key: ship
    kind: command
    dependsOn: build
    input: { command: echo, args: [shipped] }
`

describe('agentm plan fork and plan diff', patience, () => {
  it('run a plan again from a step with another input, and show what differs', async () => {
    const world = await PlanWorld.make()
    const planId = await world.plan(release)
    await world.cli.agentm(['run', planId])
    const args = ['plan', 'fork', planId, '--from', 'build', '--input', 'tag=v2', '--id', 'again']
    const fork = await world.cli.json(args)
    expect(fork).toMatchObject({ created: true, carried: 1, forkedFrom: planId })
    expect(await world.cli.json(args)).toMatchObject({ created: false, carried: 1 })
    await world.cli.agentm(['run', 'again'])
    expect((await world.cli.read('repo/fetches')).trim()).toBe('fetched')
    const found = await world.cli.json(['plan', 'diff', planId, 'again'])
    expect(found).toMatchObject({
      relation: 'fork',
      input: [{ path: 'tag', a: '"v1"', b: '"v2"' }],
      steps: [
        { key: 'fetch', b: { carriedFrom: planId, attempts: 0 } },
        { key: 'build', differs: ['output'], output: [{ a: '"v1 1"', b: '"v2 1"' }] },
        { key: 'ship', differs: [] },
      ],
    })
    const { out } = await world.cli.agentm(['plan', 'diff', planId, 'again'])
    expect(out).toContain('input.tag: "v1" → "v2"')
    expect(out).toContain('output: "v1 1" → "v2 1"')
    const trace = await world.cli.agentm(['trace', 'again'])
    expect(trace.out).toMatch(/fetch +done: from plan/)
  })

  it('refuse inputs that do not fit, and steps that are not there, before anything is written', async () => {
    const world = await PlanWorld.make()
    const planId = await world.plan(release)
    for (const [args, said] of [
      [['--input', 'copies=many'], 'input "copies"'],
      [['--input', 'other=1'], 'no such input'],
      [['--from', 'nope'], 'Its steps are: fetch, build, ship'],
      [['--from', 'fetch', '--step-input', 'args=x'], 'args'],
      [['--step-input', 'args=["x"]'], 'Name it'],
    ] as const) {
      const { code, err } = await world.cli.agentm(['plan', 'fork', planId, ...args])
      expect(code).toBe(1)
      expect(err).toContain(said)
    }
    expect(await world.cli.json(['status', '--all'])).toMatchObject({ plans: [{ planId }] })
  })

  it('change the input of the step, and say when two plans are not related', async () => {
    const world = await PlanWorld.make()
    const planId = await world.plan(release)
    const { out } = await world.cli.agentm([
      'plan',
      'fork',
      planId,
      '--from',
      'ship',
      '--step-input',
      'args=["sent"]',
      '--id',
      'sent',
      '--run',
    ])
    expect(out).toContain('done')
    expect(await world.cli.json(['status', 'sent/ship'])).toMatchObject({ input: { args: ['sent'] } })
    const other = await world.plan('goal: other\nsteps:\n  - { key: x, kind: command, input: { command: echo } }\n')
    expect((await world.cli.agentm(['plan', 'diff', planId, other])).out).toContain('These plans are not related')
  })

  it('say, when the original is erased, which forks still hold what was carried over', async () => {
    const world = await PlanWorld.make()
    const planId = await world.plan(release)
    await world.cli.agentm(['run', planId])
    await world.cli.agentm(['plan', 'fork', planId, '--from', 'ship', '--id', 'again'])
    const { code, err } = await world.cli.agentm(['erase', planId, '--yes'])
    expect([code, err]).toEqual([0, expect.stringContaining('again ran it again')])
    const refused = await world.cli.agentm(['plan', 'fork', planId])
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('erased')])
  })
})
