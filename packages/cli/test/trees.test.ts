/** Work kept apart, as a person sees it: plans of real processes, and the commands that show, apply and delete what they changed. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { probeSandbox } from '@agentm/agent-loop/internal'
import { systemRuntime } from '@agentm/agent-loop'
import { killedAt } from './apply-killed.ts'
import { PlanWorld } from './plan-world.ts'

const patience = { timeout: 120_000 }

async function committed(): Promise<PlanWorld> {
  const world = await PlanWorld.make()
  await world.cli.file('repo/a.txt', 'a\n')
  git(world, 'add', '-A')
  git(world, '-c', 'user.name=Ada', '-c', 'user.email=a@b', 'commit', '-qm', 'first')
  return world
}

function git({ cli }: PlanWorld, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: cli.repo, encoding: 'utf8' })
}

function step(key: string, script: string, more = ''): string {
  return `  - { key: ${key}, kind: command, input: { command: sh, args: [-c, '${script}'] }${more} }\n`
}

const edits = `goal: edit\ntrees: own\nsteps:\n${step('one', 'echo one > one.txt')}${step('two', 'echo two >> a.txt')}`

it('shows what a plan changed, and brings it into the folder when it is applied', patience, async () => {
  const world = await committed()
  const planId = await world.plan(edits)
  const ran = await world.cli.agentm(['run', planId])
  expect(ran.out).toContain('2 changed files are kept apart')
  expect(git(world, 'status', '--porcelain', '--', 'a.txt', 'one.txt')).toBe('')
  const stat = await world.cli.json(['diff', planId, '--stat'])
  expect(stat['files']).toEqual([
    { path: 'a.txt', added: 1, removed: 0 },
    { path: 'one.txt', added: 1, removed: 0 },
  ])
  expect((await world.cli.agentm(['diff', planId, '--step', 'two'])).out).toContain('+two')
  const applied = await world.cli.agentm(['apply', planId])
  expect(applied.out).toContain('2 files changed')
  expect(git(world, 'status', '--porcelain', '--', 'a.txt', 'one.txt')).toBe(' M a.txt\n?? one.txt\n')
  expect(git(world, 'branch', '--list', 'agentm/*')).toBe('')
  expect((await world.cli.agentm(['diff', planId, '--step', 'one'])).out).toContain('+one')
})

it('deletes what a plan changed when it is discarded, and asks before', patience, async () => {
  const world = await committed()
  const planId = await world.plan(edits)
  await world.cli.agentm(['run', planId])
  const asked = await world.cli.agentm(['discard', planId])
  expect([asked.code, asked.err]).toEqual([2, expect.stringContaining('--yes')])
  await world.cli.agentm(['discard', planId, '--yes'])
  expect(readFileSync(path.join(world.cli.repo, 'a.txt'), 'utf8')).toBe('a\n')
  expect(readdirSync(path.join(world.cli.home, '.agentm/trees'))).toEqual(['device'])
})

it('starts from the folder with its uncommitted changes, or from the last commit if asked', patience, async () => {
  const world = await committed()
  writeFileSync(path.join(world.cli.repo, 'a.txt'), 'mine\n')
  await world.cli.file('repo/plan.yaml', edits)
  const said = await world.cli.agentm(['plan', 'new', '--steps', 'plan.yaml', '--committed'])
  expect(said.err).toContain('uncommitted changes are not in the copies.')
  const { planId } = await world.cli.json(['plan', 'new', '--steps', 'plan.yaml'])
  await world.cli.agentm(['run', String(planId)])
  await world.cli.agentm(['apply', String(planId)])
  expect(readFileSync(path.join(world.cli.repo, 'a.txt'), 'utf8')).toBe('mine\ntwo\n')
})

it('starts each item of foreach apart, and later steps with the work of all', patience, async () => {
  const world = await committed()
  const planId = await world.plan(
    `goal: edit\ntrees: own\nsteps:\n  - key: each\n    kind: command\n    foreach: [x, y, z]\n` +
      "    input: { command: sh, args: [-c, 'test $(ls | wc -l) = 2 && echo ${{ item }} > ${{ item }}.txt'] }\n    atOnce: 3\n" +
      step('all', 'cat x.txt y.txt z.txt > all.txt', ', dependsOn: each'),
  )
  await world.cli.agentm(['run', planId])
  await world.cli.agentm(['apply', planId])
  expect(readFileSync(path.join(world.cli.repo, 'all.txt'), 'utf8')).toBe('x\ny\nz\n')
})

it('continues a failed plan with what its finished steps changed', patience, async () => {
  const world = await committed()
  const planId = await world.plan(
    `goal: edit\ntrees: own\nsteps:\n${step('one', 'echo one > one.txt')}${step('two', `cat one.txt && test -e ${world.cli.home}/go && echo two > two.txt`, ', dependsOn: one, retry: { maxFailures: 1 }')}`,
  )
  expect((await world.cli.agentm(['run', planId])).code).toBe(1)
  const refused = await world.cli.agentm(['apply', planId])
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--partial')])
  await world.cli.file('go', '')
  await world.cli.agentm(['retry', planId])
  const { plans } = (await world.cli.json(['status', '--all'])) as {
    plans: readonly { planId: string; status: string }[]
  }
  const open = plans.find((plan) => plan.planId !== planId)
  const last = open?.planId ?? planId
  if (open?.status !== 'done') await world.cli.agentm(['run', last])
  await world.cli.agentm(['apply', last])
  expect([existsSync(path.join(world.cli.repo, 'one.txt')), existsSync(path.join(world.cli.repo, 'two.txt'))]).toEqual([
    true,
    true,
  ])
})

it('completes or takes back an apply that was killed while it wrote', patience, async () => {
  expect(await killedAt(3)).toBe(true)
})

const sandbox = await probeSandbox(systemRuntime)

it.skipIf(!sandbox.works)(
  `runs commands in a sandbox that leaves the folder alone${sandbox.works ? '' : ` (skipped: ${sandbox.why})`}`,
  patience,
  async () => {
    const world = await committed()
    await world.cli.agentm(['config', 'set', 'tools.sandbox', 'required'])
    const { repo } = world.cli
    const planId = await world.plan(
      `goal: edit\ntrees: own\nsteps:\n${step('one', `cat ${repo}/a.txt > seen.txt; (echo bad > ${repo}/a.txt) || echo refused > out.txt`)}`,
    )
    const ran = await world.cli.agentm(['run', planId])
    expect(ran.err).toContain('Programs of steps run in a sandbox')
    await world.cli.agentm(['apply', planId])
    const texts = ['a.txt', 'seen.txt', 'out.txt'].map((name) => readFileSync(path.join(repo, name), 'utf8'))
    expect(texts).toEqual(['a\n', 'a\n', 'refused\n'])
  },
)

it('refuses to run anything if the sandbox is required and does not work here', patience, async () => {
  const world = await committed()
  await world.cli.agentm(['config', 'set', 'tools.sandbox', 'required'])
  await world.cli.file('bin/bwrap', '#!/bin/sh\necho no namespaces here >&2\nexit 1\n')
  chmodSync(path.join(world.cli.home, 'bin/bwrap'), 0o755)
  const planId = await world.plan(edits)
  world.cli.variables['PATH'] = `${path.join(world.cli.home, 'bin')}:${process.env['PATH']}`
  const ran = await world.cli.agentm(['run', planId])
  expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('no namespaces here')])
  expect((await world.cli.agentm(['doctor'])).out).toContain('sandbox [FAIL]')
  await world.cli.agentm(['config', 'set', 'tools.sandbox', 'on'])
  expect((await world.cli.agentm(['run', planId])).code).toBe(0)
})

it('is named by doctor until it is applied or discarded', patience, async () => {
  const world = await committed()
  const planId = await world.plan(edits)
  await world.cli.agentm(['run', planId])
  expect((await world.cli.agentm(['doctor'])).out).toContain('was not brought into')
  await world.cli.agentm(['erase', planId, '--yes'])
  await world.cli.agentm(['discard', planId, '--yes'])
  expect((await world.cli.agentm(['doctor'])).out).not.toContain('trees [')
})
