/** What the page tells of health: the rows of `agentm doctor`, workers, the log, and what failed. Nothing is changed by looking. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { CheckList, HealthPage } from '../src/contract/health.ts'
import type { PlanStandingNow, StepPage } from '../src/contract/plans.ts'
import { ViewWorld } from './view-world.ts'

const secret = `ghp_${'a1B2c3D4'.repeat(5).slice(0, 36)}`

it('works where nothing was ever kept, and makes nothing', async () => {
  const world = await ViewWorld.make()
  const before = await readdir(world.home)
  expect(await world.json<HealthPage>('/api/health')).toMatchObject({ workers: [], deadLetters: { count: 0 } })
  const { checks } = await world.json<CheckList>('/api/health/checks')
  expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(['storage', 'config', 'home']))
  expect((await world.json<CheckList>('/api/health/slow')).checks.map(({ name }) => name)).toContain('model')
  expect(await readdir(world.home)).toEqual(before)
})

it('says what waits, what failed for good, and with which command it goes on', async () => {
  const world = await ViewWorld.make()
  const { harness } = await (await world.workspace()).plans()
  const { steps } = await harness.createPlan({
    id: 'release',
    goal: 'release 1.4',
    steps: ['publish', 'announce', 'archive'].map((key) => ({ key, title: key, kind: 'approval' })),
  })
  const { version } = await harness.startStep(steps['publish'] ?? '', 'somebody')
  const failure = { cause: 'step', message: `refused: ${secret}`, retryable: false } as const
  await harness.failStep(steps['publish'] ?? '', { failure, fence: version })
  const { body } = await world.get('/api/health')
  expect(body).not.toContain(secret)
  expect(JSON.parse(body)).toMatchObject({
    steps: { ready: { count: 2, isMore: false } },
    deadLetters: { count: 1 },
    deadLetterRows: [{ planId: 'release', title: 'publish', errorMessage: expect.stringContaining('refused') }],
  })
  const { checks } = await world.json<CheckList>('/api/health/checks')
  const plans = checks.filter(({ name }) => name === 'plans')
  expect(plans.map(({ status }) => status)).toEqual(['warn', 'warn', 'warn'])
  expect(plans.flatMap(({ help }) => help.map(({ command }) => command.split(' ').slice(0, 2).join(' ')))).toEqual([
    'agentm retry',
    'agentm worker',
    'agentm worker',
  ])
})

const serves = (owner: string) => JSON.stringify({ owners: [owner], kinds: ['approval'] })
const worker = (host: string) => ({ host, kinds: ['approval'] })

it('tells living workers from dead ones, and whose steps they run', async () => {
  const world = await ViewWorld.make()
  const { store } = await (await world.workspace()).plans()
  await store.work.openSession({
    actor: 'worker',
    leaseMs: 60_000,
    facts: { host: 'alpha', pid: '7', serves: serves('ada') },
  })
  await store.work.openSession({
    actor: 'worker',
    leaseMs: 1,
    facts: { host: 'beta', pid: '8', serves: serves('grace') },
  })
  await store.work.openSession({ actor: 'other', leaseMs: 60_000, facts: { serves: 'no JSON' } })
  await expect
    .poll(async () => (await world.json<HealthPage>('/api/health')).workers)
    .toMatchObject([
      { kinds: [] },
      { ...worker('alpha'), pid: '7', isAlive: true, isGone: false, isOurs: true },
      { ...worker('beta'), isAlive: false, isGone: false, isOurs: false },
    ])
})

it('says at once that a worker of this machine was killed, and that its step is taken over', async () => {
  const world = await ViewWorld.make()
  const { harness, store } = await (await world.workspace()).plans()
  const { steps } = await harness.createPlan({
    id: 'release',
    goal: 'release 1.4',
    steps: [{ key: 'publish', title: 'publish', kind: 'approval' }],
  })
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'spawn')
  const facts = { host: hostname(), pid: `${child.pid}`, serves: serves('ada') }
  const session = await store.work.openSession({ actor: 'worker', leaseMs: 600_000, facts })
  await harness.startStep(steps['publish'] ?? '', session.id)
  const seen = async () => {
    const { workers, now } = await world.json<HealthPage>('/api/health')
    const standing = await world.json<PlanStandingNow>('/api/plans/release/standing')
    const { waits } = await world.json<StepPage>(`/api/steps/${steps['publish']?.split(':').at(-1)}`)
    const [{ isAlive, isGone, leaseUntil } = { isAlive: false, isGone: false, leaseUntil: 0 }] = workers
    return { isAlive, isGone, hasLease: leaseUntil > now, alive: standing.workers, step: waits?.for }
  }
  expect(await seen()).toEqual({ isAlive: true, isGone: false, hasLease: true, alive: 1, step: 'run' })
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  expect(await seen()).toEqual({ isAlive: false, isGone: true, hasLease: true, alive: 0, step: 'lost' })
})

it('counts what was written on each day, without a fault at its ends', async () => {
  const world = await ViewWorld.make()
  const { harness } = await (await world.workspace()).plans()
  await harness.createPlan({ goal: 'g', steps: [{ key: 'a', title: 'a', kind: 'approval' }] })
  const versions = async () => {
    const { log } = await world.json<HealthPage>('/api/health?offset=-60')
    expect(log).toMatchObject({ place: path.join(world.home, 'log', 'agentm.db') })
    return { all: log?.versions, days: log?.days.map((day) => day.versions) }
  }
  const first = await versions()
  expect(first.days).toEqual([...Array.from({ length: 13 }, () => 0), first.all])
  await harness.createPlan({ goal: 'h', steps: [{ key: 'a', title: 'a', kind: 'approval' }] })
  const next = await versions()
  expect(next.days?.at(-1)).toBe(next.all)
  expect((await world.get('/api/health?offset=1e99')).status).toBe(200)
})

it.skipIf(process.platform === 'win32')(
  'warns of a home that others can read, with the command that closes it',
  async () => {
    const world = await ViewWorld.make()
    await chmod(world.home, 0o755)
    const { checks } = await world.json<CheckList>('/api/health/checks')
    expect(checks.find(({ name }) => name === 'home')).toMatchObject({
      status: 'warn',
      help: [{ to: 'To make it private', command: `chmod 700 ${world.home}` }],
    })
  },
)
