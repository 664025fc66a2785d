/** What the page reads and changes: over real workers, a real log, and the same requests that the page sends. */
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import type { Changed } from '../src/contract/frame.ts'
import type { AskList, PlanList, PlanPage, PlanStandingNow, StepPage } from '../src/contract/plans.ts'
import { ViewWorld } from './view-world.ts'

const hostile = '<img src=x onerror="alert(1)"><script>alert(1)</script>\u202E javascript:alert(1)'
const secret = `ghp_${'a1B2c3D4'.repeat(5).slice(0, 36)}`

async function released(world: ViewWorld, { goal = 'release 1.4' } = {}) {
  const workspace = await world.workspace()
  const plans = await workspace.plans()
  const { planId, steps } = await plans.harness.createPlan({
    id: 'release',
    goal,
    budget: { maxSteps: 9 },
    steps: [
      { key: 'ask', title: 'Ask before publishing', kind: 'approval' },
      { key: 'publish', title: 'Publish', kind: 'approval', dependsOn: ['ask'] },
    ],
  })
  return { plans, planId, ask: steps['ask'] ?? '', publish: steps['publish'] ?? '' }
}

/** The step asks its question, as a worker would let it. */
async function asking(world: ViewWorld) {
  const made = await released(world)
  const { harness } = made.plans
  const { version } = await harness.startStep(made.ask, 'somebody')
  const question = { id: 'q1', text: 'Publish now?', allowed: ['approve', 'deny'] }
  await harness.askQuestion(made.ask, { question, fence: version })
  return made
}

it('says that there is no log yet, and finds the one that is made later', async () => {
  const world = await ViewWorld.make()
  expect(await world.json<PlanList>('/api/plans')).toMatchObject({ plans: [], hasLog: false })
  expect((await world.get('/api/plans/release')).status).toBe(404)
  await released(world)
  expect(await world.json<PlanList>('/api/plans')).toMatchObject({
    hasLog: true,
    plans: [{ id: 'release', goal: 'release 1.4', status: 'open', steps: { ready: 1, pending: 1 } }],
  })
})

it('gives a plan whole, and after that only the steps that changed', async () => {
  const world = await ViewWorld.make()
  const { plans, ask } = await released(world)
  const whole = await world.json<PlanPage>('/api/plans/release')
  expect(whole).toMatchObject({ isWhole: true, plan: { goal: 'release 1.4', budget: { maxSteps: 9 } } })
  expect(whole.steps.map(({ title, status }) => `${title}: ${status}`)).toEqual([
    'Ask before publishing: ready',
    'Publish: pending',
  ])
  const after = (position: number) => world.json<PlanPage>(`/api/plans/release?after=${position}`)
  expect((await after(whole.position)).steps).toEqual([])
  await plans.harness.startStep(ask, 'somebody')
  const next = await after(whole.position)
  expect(next.steps.map(({ title, segments }) => [title, segments.map(([state]) => state)])).toEqual([
    ['Ask before publishing', ['pending', 'ready', 'running']],
  ])
})

it('tells each attempt, what it waited for, and how it ended', async () => {
  const world = await ViewWorld.make()
  const { plans, ask } = await released(world)
  const { harness } = plans
  const first = await harness.startStep(ask, 'somebody')
  await harness.failStep(ask, { failure: { cause: 'step', message: 'no route to host' }, fence: first.version })
  const step = () => world.json<StepPage>(`/api/steps/${ask.split(':').at(-1)}`)
  expect(await step()).toMatchObject({
    planId: 'release',
    goal: 'release 1.4',
    row: { status: 'failed', errorMessage: 'no route to host' },
    failure: { cause: 'step', message: 'no route to host' },
  })
  await harness.retryStep(ask)
  const second = await harness.startStep(ask, 'somebody else')
  await harness.completeStep(ask, { result: { answer: 42 }, fence: second.version })
  const { row, result, changes } = await step()
  expect(row.segments.map(([state, , , attempt]) => `${state} ${attempt}`)).toEqual([
    'pending 0',
    'ready 0',
    'ran-failed 0',
    'ready 1',
    'ran-done 1',
  ])
  expect(result).toEqual({ answer: 42 })
  expect(changes.map(({ session }) => session)).toEqual(expect.arrayContaining(['somebody', 'somebody else']))
  expect((await world.json<PlanStandingNow>('/api/plans/release/standing')).usage.steps).toBe(2)
})

it('lets a person answer what a step asks, once', async () => {
  const world = await ViewWorld.make({ write: true })
  const { plans, ask } = await asking(world)
  const { asks } = await world.json<AskList>('/api/asks')
  expect(asks).toMatchObject([{ text: 'Publish now?', allowed: ['approve', 'deny'], title: 'Ask before publishing' }])
  const [one] = asks
  const change = { do: 'answer', stepId: one?.stepId, questionId: one?.questionId }
  expect((await world.change({ ...change, value: 'perhaps' })).status).toBe(409)
  expect(JSON.parse((await world.change({ ...change, value: 'approve' })).body)).toEqual({
    message: 'Answered approve.',
  })
  const again = JSON.parse((await world.change({ ...change, value: 'deny' })).body) as Changed
  expect(again.message).toBe('ada already answered approve, and the first answer counts.')
  expect((await plans.harness.step(ask)).payload.answers?.['q1']).toMatchObject({ value: 'approve', actor: 'ada' })
  expect((await world.json<AskList>('/api/asks')).asks).toEqual([])
})

it('lets a person answer what a durable function asks, and shows the answer beside it', async () => {
  const world = await ViewWorld.make({ write: true })
  const plans = await (await world.workspace()).plans()
  const action = { do: 'ask', question: 'Ship it?', options: ['yes', 'no'] }
  const { planId, steps } = await plans.harness.createPlan({
    goal: 'release 1.4',
    steps: [{ key: 'ok', title: 'Approve', kind: 'function:control', input: { key: 'ok', needs: [], action } }],
  })
  const worker = await plans.startWorker()
  onTestFinished(() => worker.stop())
  const asks = async () => (await world.json<AskList>('/api/asks')).asks
  await expect
    .poll(asks, { timeout: 10_000 })
    .toMatchObject([{ text: 'Ship it?', allowed: ['yes', 'no'], title: 'Approve' }])
  const [one] = await asks()
  const page = () => world.json<StepPage>(`/api/steps/${(steps['ok'] ?? '').split(':').at(-1)}`)
  expect(await page()).toMatchObject({ waits: { for: 'answer' }, asks: [{ text: 'Ship it?' }], answers: [] })
  const change = { do: 'answer', stepId: one?.stepId, questionId: one?.questionId }
  expect((await world.change({ ...change, value: 'perhaps' })).status).toBe(409)
  expect(JSON.parse((await world.change({ ...change, value: 'yes' })).body)).toEqual({ message: 'Answered yes.' })
  expect(await asks()).toEqual([])
  expect((await plans.harness.ended(planId)).payload.status).toBe('done')
  expect(await page()).toMatchObject({ asks: [], answers: [{ value: 'yes', actor: 'ada' }] })
})

it('pauses, resumes, skips and cancels in the name of the owner, with the reason', async () => {
  const world = await ViewWorld.make({ write: true })
  const { plans, ask } = await released(world)
  const plan = async () => (await plans.harness.plan('release')).payload
  expect((await world.change({ do: 'pause', planId: 'release', reason: 'lunch' })).status).toBe(200)
  expect(await plan()).toMatchObject({ paused: true, actor: 'ada', reason: 'lunch' })
  expect((await world.json<PlanPage>('/api/plans/release')).plan).toMatchObject({ paused: true, reason: 'lunch' })
  await world.change({ do: 'resume', planId: 'release' })
  expect((await plan()).paused ?? false).toBe(false)
  await world.change({ do: 'skip', stepId: ask.split(':').at(-1) })
  expect((await plans.harness.step(ask)).payload.status).toBe('done')
  await world.change({ do: 'cancel', planId: 'release' })
  expect((await plan()).status).toBe('cancelled')
  expect((await world.change({ do: 'pause', planId: 'nothing' })).status).toBe(404)
})

it('retries what failed: in its plan, or in a new plan once it has ended', async () => {
  const world = await ViewWorld.make({ write: true })
  const { plans, ask } = await released(world)
  const { harness } = plans
  const fail = async () => {
    const { version } = await harness.startStep(ask, 'somebody')
    await harness.failStep(ask, { failure: { cause: 'step', message: 'no', retryable: false }, fence: version })
  }
  await fail()
  const step = ask.split(':').at(-1)
  expect(JSON.parse((await world.change({ do: 'retry-step', stepId: step })).body)).toMatchObject({
    next: '/plans/release',
  })
  expect((await harness.step(ask)).payload).toMatchObject({ status: 'ready', attempt: 1 })
  await fail()
  await harness.cancelPlan('release')
  const { next = '' } = JSON.parse((await world.change({ do: 'retry', planId: 'release' })).body) as Changed
  const planId = next.replace('/plans/', '')
  expect(planId).not.toBe('release')
  expect((await harness.plan(planId)).payload.goal).toBe('release 1.4')
})

it('shows no secret, and sends hostile text as data that no browser takes for a page', async () => {
  const world = await ViewWorld.make()
  await released(world, { goal: `${hostile} with ${secret}` })
  for (const target of ['/api/plans', '/api/plans/release']) {
    const { head, body } = await world.get(target)
    expect(head).toMatch(/Content-Type: application\/json/)
    expect(body).not.toContain(secret)
    expect(body).toContain('onerror')
  }
})

it('tells an open page which plan has changed, and stops when the page is closed', async () => {
  const world = await ViewWorld.make()
  const { plans, ask } = await released(world)
  const events = connect(world.serving.port, '127.0.0.1')
  let text = ''
  events.on('data', (chunk) => (text += chunk.toString('utf8')))
  events.write(`GET /api/events HTTP/1.1\r\nHost: ${world.host}\r\nCookie: ${world.cookie}\r\n\r\n`)
  await expect.poll(() => text).toContain('event: hello')
  // The feed starts a moment after the hello, so a change is made until one is told.
  await expect
    .poll(async () => {
      await plans.harness.pausePlan('release')
      await plans.harness.resumePlan('release')
      return text
    })
    .toContain('event: changed\ndata: {"plans":["release"]}')
  await plans.harness.startStep(ask, 'somebody')
  events.destroy()
})
