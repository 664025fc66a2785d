/** Old plans can be removed from the log; what is needed stays, and the answer says why. */
import { expect, it } from 'vitest'
import { PlanWorld } from './plan-world.ts'

const patience = { timeout: 180_000 }
const steps = (command: string) => `steps:\n  - { key: a, title: t, kind: command, input: { command: ${command} } }\n`

async function world() {
  const plans = await PlanWorld.make()
  const done = await plans.plan(`goal: done\n${steps("'true'")}`)
  const failed = await plans.plan(`goal: failed\n${steps("'false'")}`)
  for (const id of [done, failed]) await plans.cli.agentm(['run', id])
  const open = await plans.plan(`goal: open\n${steps("'true'")}`)
  const prune = async (...args: readonly string[]) =>
    plans.cli.json(['log', 'prune', '--older-than', '0 days', ...args])
  return { cli: plans.cli, done, failed, open, prune }
}

it('shows what it would remove, removes it when told to, and keeps what is needed', patience, async () => {
  const { cli, done, failed, open, prune } = await world()
  const unread = await prune('--dry-run')
  expect(unread).toMatchObject({ dryRun: true, plans: 0, nodes: 0, stayed: { unread: 2, active: 1 } })
  const args = ['log', 'prune', '--older-than', '0 days', '--unread']
  expect((await cli.agentm([...args, '--dry-run'])).out).toMatch(/^Would remove 2 plans from .*: \d+ nodes\.\n/)
  expect(await prune('--unread', '--status', 'failed', '--dry-run')).toMatchObject({
    plans: 1,
    stayed: { unselected: 1 },
  })
  expect(await cli.agentm(args)).toMatchObject({ code: 2, err: expect.stringContaining('nothing was removed') })
  expect((await cli.json(['status', done]))['plans']).toHaveLength(1)

  const { code, out } = await cli.agentm([...args, '--yes'])
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^Removed 2 plans from .*:\n {2}\d+ nodes with \d+ versions, in /),
  ])
  for (const id of [done, failed]) expect((await cli.agentm(['status', id])).code).toBe(1)
  expect((await cli.json(['status', open]))['plans']).toHaveLength(1)
  expect((await cli.agentm(['log', 'check'])).code).toBe(0)
  expect((await cli.agentm(['run', open])).code).toBe(0)
  expect(await prune('--unread', '--yes')).toMatchObject({ plans: 0, stayed: { newest: 1 } })
})

it('removes nothing that is younger, or of another project', patience, async () => {
  const { cli, prune } = await world()
  expect(await cli.json(['log', 'prune', '--older-than', '90 days', '--unread', '--yes'])).toMatchObject({
    plans: 0,
    stayed: { active: 1, recent: 2 },
    removal: { nodes: 0 },
  })
  expect(await prune('--unread', '--project', 'no-such', '--yes')).toMatchObject({
    plans: 0,
    stayed: { unselected: 2 },
  })
})

it('says what is wrong with a call', patience, async () => {
  const { cli } = await PlanWorld.make()
  expect(await cli.json(['log', 'prune', '--older-than', '1 day', '--dry-run'])).toMatchObject({ absent: true })
  for (const [args, message] of [
    [[], 'no age was given'],
    [['--older-than', 'long ago'], "--older-than takes an age such as '90 days'"],
    [['--older-than', '1 day', '--status', 'open'], '--status takes done, failed, cancelled'],
    [['--older-than', '1 day', '--only', 'notes'], '--only takes plans or sessions'],
  ] as const)
    expect(await cli.agentm(['log', 'prune', ...args])).toMatchObject({
      code: 2,
      err: expect.stringContaining(message),
    })
})
