/** The whole page over a log on PostgreSQL: what it lists, what it changes, and what it is told while it is open. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openWorkspace } from '@agentm/workspace'
import { ownPostgres } from '../../../tools/own-postgres.mjs'
import type { CheckList, HealthPage } from '../src/contract/health.ts'
import type { AskList, PlanList, PlanPage, PlanStandingNow, StepPage } from '../src/contract/plans.ts'
import type { SessionList, SessionPage } from '../src/contract/sessions.ts'
import { ViewWorld } from './view-world.ts'

const postgres = ownPostgres()

it('lists, follows and changes plans on a server, and shows sessions and health', { timeout: 120_000 }, async () => {
  const agents = await mkdtemp(path.join(tmpdir(), 'agentm-agents-'))
  onTestFinished(() => rm(agents, { recursive: true, force: true }))
  const settings = { 'nodes.url': postgres().url, 'capture.plain': agents }
  const world = await ViewWorld.make({ write: true, settings })
  expect(await world.json<PlanList>('/api/plans')).toMatchObject({ plans: [], hasLog: false })
  const workspace = await openWorkspace({ home: world.home, settings: { owner: 'ada', ...settings } })
  onTestFinished(() => workspace.close())
  const { harness } = await workspace.plans()
  const { steps } = await harness.createPlan({
    id: 'release',
    goal: 'release 1.4',
    steps: [{ key: 'ask', title: 'Ask before publishing', kind: 'approval' }],
  })
  const ask = steps['ask'] ?? ''
  expect(await world.json<PlanList>('/api/plans')).toMatchObject({
    hasLog: true,
    plans: [{ id: 'release', goal: 'release 1.4', steps: { ready: 1 } }],
  })
  const whole = await world.json<PlanPage>('/api/plans/release')
  expect(whole.steps).toMatchObject([{ title: 'Ask before publishing', status: 'ready' }])
  const said = await listening(world)
  await harness.startStep(ask, 'somebody')
  const { version } = await harness.step(ask)
  const question = { id: 'q1', text: 'Publish now?', allowed: ['approve', 'deny'] }
  await harness.askQuestion(ask, { question, fence: version })
  await expect.poll(said, { timeout: 20_000 }).toContain('event: changed\ndata: {"plans":["release"]}')
  const news = await world.json<PlanPage>(`/api/plans/release?after=${whole.position}`)
  expect(news).toMatchObject({ isWhole: false, steps: [{ status: 'blocked', waitsFor: 'answer' }] })
  const [waiting] = (await world.json<AskList>('/api/asks')).asks
  const answer = { do: 'answer', stepId: waiting?.stepId, questionId: waiting?.questionId, value: 'approve' }
  expect((await world.change(answer)).status).toBe(200)
  expect(await world.json<StepPage>(`/api/steps/${waiting?.stepId}`)).toMatchObject({
    answers: [{ value: 'approve', actor: 'ada' }],
  })
  expect((await world.json<PlanStandingNow>('/api/plans/release/standing')).usage.steps).toBe(1)

  await mkdir(path.join(agents, 'shop'))
  const lines = [
    { type: 'prompt', text: 'Fix the total.' },
    { type: 'reply', text: 'Done.' },
  ]
  await writeFile(path.join(agents, 'shop', 'total.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'))
  await (await workspace.capture()).run({ hosts: ['plain'], ended: ['shop/total'] })
  expect(await world.json<SessionList>('/api/sessions?q=total')).toMatchObject({ sessions: [{ id: 'shop/total' }] })
  expect(await world.json<SessionPage>('/api/sessions/shop%2Ftotal')).toMatchObject({ turns: [{ done: 'Done.' }] })

  const { log } = await world.json<HealthPage>('/api/health')
  expect(log?.place).toMatch(/^postgres(?:ql)?:\/\//)
  expect(new URL(log?.place ?? '').password).toBe('')
  expect(log?.days.at(-1)?.versions).toBeGreaterThan(3)
  const { checks } = await world.json<CheckList>('/api/health/checks')
  expect(checks.filter(({ status }) => status === 'fail')).toEqual([])
})

/** What the server tells an open page, so far. */
async function listening(world: ViewWorld): Promise<() => string> {
  const events = connect(world.serving.port, '127.0.0.1')
  onTestFinished(() => void events.destroy())
  let text = ''
  events.on('data', (chunk) => (text += chunk.toString('utf8')))
  events.write(`GET /api/events HTTP/1.1\r\nHost: ${world.host}\r\nCookie: ${world.cookie}\r\n\r\n`)
  await expect.poll(() => text).toContain('event: hello')
  return () => text
}
