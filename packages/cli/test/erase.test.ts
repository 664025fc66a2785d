/** The content of a plan that has ended can be permanently deleted; its ids, statuses and times are still shown. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { PlanWorld } from './plan-world.ts'

const patience = { timeout: 180_000 }
const secret = 'hunter2-swordfish'
const step = (key: string, more = '') =>
  `  - { key: ${key}, title: log in with ${secret}, kind: command, input: { command: sh, args: [-c, 'echo ${secret}; ${more}'] } }\n`

async function isAnywhere({ cli }: PlanWorld): Promise<boolean> {
  const directory = path.join(cli.home, '.agentm', 'log')
  const files = await Promise.all(
    (await readdir(directory, { withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => readFile(path.join(directory, name))),
  )
  return files.some((bytes) => bytes.includes(secret))
}

it('erases a plan that has ended, and still shows its ids, statuses and times', patience, async () => {
  const plans = await PlanWorld.make()
  const { cli } = plans
  const planId = await plans.plan(`goal: use ${secret}\nsteps:\n${step('a')}${step('b', 'exit 1')}`)
  expect(await cli.agentm(['erase', planId, '--yes'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('[PLAN_OPEN]'),
  })
  expect((await cli.agentm(['run', planId])).code).toBe(1)
  expect(await isAnywhere(plans)).toBe(true)
  expect((await cli.agentm(['erase', planId])).err).toContain('nothing was erased')
  expect(await isAnywhere(plans)).toBe(true)

  expect(await cli.json(['erase', planId, '--yes'])).toEqual({ id: planId, plans: 1, steps: 2, records: 1 })
  expect(await isAnywhere(plans)).toBe(false)
  expect((await cli.agentm(['erase', planId, '--yes'])).out).toContain('was already erased')
  const { code, out } = await cli.agentm(['trace', planId, '--format', 'seed'])
  expect([code, out]).toEqual([0, expect.stringMatching(/status: failed\n.*steps=2 \(done=1 failed=1\)/)])
  expect(out).toMatch(/\[step\] {3}failed {3}failHarnessStep by \S+ -- v1:harness:step:\w+ \(erased\)\n/)
  expect(out).toMatch(/\[plan\] {3}failed {3}redact by agentm -- \(erased\)\n/)
  expect(await cli.json(['status', planId])).toEqual({ planId, status: 'failed', redacted: true })
  expect((await cli.agentm(['status', planId])).out).toMatch(/^\w+ {2}failed {2}erased on \d{4}-/)
  for (const command of ['replay', 'run', 'retry', 'pause', 'cancel', 'eval --from-trace'])
    expect(await cli.json([...command.split(' '), planId])).toMatchObject({ error: { code: 'ERASED' } })
  expect((await cli.agentm(['doctor'])).out).toContain('plans [OK] 0 unfinished')
  expect((await cli.agentm(['status', '--all'])).code).toBe(0)
  expect((await cli.agentm(['log', 'check'])).code).toBe(0)
})

it('erases one step, and traces, replays and retries the rest of its plan as before', patience, async () => {
  const plans = await PlanWorld.make()
  const { cli } = plans
  const planId = await plans.plan(
    `goal: g\nsteps:\n${step('a')}  - { key: b, kind: command, dependsOn: a, input: { command: 'false' } }\n`,
  )
  await cli.agentm(['run', planId])
  const { failed } = await plans.state(planId)
  expect(failed).toHaveLength(1)
  expect(await cli.json(['erase', `${planId}/a`, '--yes'])).toMatchObject({ plans: 0, steps: 1, records: 0 })
  expect(await isAnywhere(plans)).toBe(false)
  expect((await cli.agentm(['trace', planId, '--format', 'seed'])).out).toContain('steps=2 (done=1 failed=1)')
  expect(await cli.json(['status', `${planId}/a`])).toMatchObject({ status: 'done', redacted: true })
  expect((await plans.state(planId)).failed).toHaveLength(1)
  const replayed = await cli.agentm(['replay', planId])
  expect([replayed.code, replayed.err]).toEqual([1, expect.stringContaining('erased')])
  expect(await cli.json(['retry', planId])).toMatchObject({ continues: planId, created: true })
})
