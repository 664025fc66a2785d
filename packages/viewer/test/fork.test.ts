/** Running a plan again, and two plans side by side, with the same requests that the page sends. */
import { expect, it } from 'vitest'
import type { Changed } from '../src/contract/frame.ts'
import type { ComparePage, ForkPage } from '../src/contract/compare.ts'
import type { PlanPage } from '../src/contract/plans.ts'
import { ViewWorld } from './view-world.ts'

const secret = `ghp_${'a1B2c3D4'.repeat(5).slice(0, 36)}`

async function released(world: ViewWorld) {
  const workspace = await world.workspace()
  const { harness } = await workspace.plans()
  const { planId, steps } = await harness.createPlan({
    id: 'release',
    goal: 'release 1.4',
    input: { tag: 'v1', copies: 1 },
    inputs: { tag: { type: 'string', description: 'What to publish.' }, copies: { type: 'integer' } },
    steps: [
      { key: 'fetch', title: 'Fetch', kind: 'command', input: { command: 'fetch', token: secret } },
      { key: 'ship', title: 'Ship', kind: 'command', dependsOn: ['fetch'], input: { command: 'ship', args: ['x'] } },
    ],
  })
  const short = (key: string) => steps[key]?.split(':').at(-1) ?? ''
  const run = async (id: string, result: object) => {
    const { version } = await harness.startStep(id, 'somebody')
    await harness.completeStep(id, { result: { ...result }, fence: version })
  }
  await run(steps['fetch'] ?? '', { stdout: 'fetched' })
  await harness.readyStep(steps['ship'] ?? '')
  await run(steps['ship'] ?? '', { stdout: 'shipped v1' })
  return { harness, planId, short, run }
}

it('runs a plan again from a step with other inputs, once for each id, and compares both', async () => {
  const world = await ViewWorld.make({ write: true })
  const { harness, short, run } = await released(world)
  expect(await world.json<ForkPage>(`/api/steps/${short('ship')}/fork`)).toEqual({
    inputs: [
      { name: 'tag', value: 'v1', isJson: false, type: 'string', description: 'What to publish.' },
      { name: 'copies', value: '1', isJson: true, type: 'integer' },
    ],
    stepInputs: [
      { name: 'command', value: 'ship', isJson: false },
      { name: 'args', value: '["x"]', isJson: true },
    ],
  })
  const change = {
    do: 'fork',
    planId: 'release',
    id: 'again',
    stepId: short('ship'),
    input: { tag: 'v2', copies: '2' },
    stepInput: { args: '["y"]' },
    reason: 'v1 was wrong',
  }
  const first = await world.change(change)
  expect({ status: first.status, body: JSON.parse(first.body) as Changed }).toEqual({
    status: 200,
    body: { message: 'This is the new plan. 1 step was carried over. A worker runs it.', next: '/plans/again' },
  })
  expect((JSON.parse((await world.change(change)).body) as Changed).message).toContain('already made')
  const page = await world.json<PlanPage>('/api/plans/again')
  expect(page.plan).toMatchObject({
    forkedFrom: 'release',
    carried: 1,
    input: { tag: 'v2', copies: 2 },
    reason: 'v1 was wrong',
  })
  expect(page.steps.map(({ title, status, carriedFrom }) => [title, status, carriedFrom?.planId])).toEqual([
    ['Fetch', 'done', 'release'],
    ['Ship', 'ready', undefined],
  ])
  await run(page.steps[1]?.id ?? '', { stdout: 'shipped v2' })
  const compared = await world.json<ComparePage>('/api/plans/release/compare?with=again&show=all')
  expect(compared).toMatchObject({
    relation: 'fork',
    a: { planId: 'release' },
    b: { planId: 'again', forkedFrom: 'release', carried: 1 },
    steps: [
      { key: 'fetch', differs: [], b: { carriedFrom: 'release' } },
      { key: 'ship', differs: ['input', 'output'], output: [{ a: '"shipped v1"', b: '"shipped v2"' }] },
    ],
  })
  const different = await world.json<ComparePage>('/api/plans/release/compare?with=again')
  expect([different.alike, different.steps.map(({ key }) => key)]).toEqual([1, ['ship']])
  expect((await harness.step(`${page.steps[1]?.id}`)).payload.input).toEqual({ command: 'ship', args: ['y'] })
})

it('runs a plan again from the beginning, with other inputs', async () => {
  const world = await ViewWorld.make({ write: true })
  await released(world)
  const { inputs, stepInputs } = await world.json<ForkPage>('/api/plans/release/fork')
  expect([inputs.map(({ name, value }) => [name, value]), stepInputs]).toEqual([
    [
      ['tag', 'v1'],
      ['copies', '1'],
    ],
    [],
  ])
  const change = { do: 'fork', planId: 'release', id: 'anew', input: { tag: 'v2' }, stepInput: {} }
  expect(JSON.parse((await world.change(change)).body) as Changed).toEqual({
    message: 'This is the new plan. A worker runs it.',
    next: '/plans/anew',
  })
  const { plan, steps } = await world.json<PlanPage>('/api/plans/anew')
  expect(plan).toMatchObject({ forkedFrom: 'release', input: { tag: 'v2', copies: 1 } })
  expect(steps.map(({ title, status }) => [title, status])).toEqual([
    ['Fetch', 'ready'],
    ['Ship', 'pending'],
  ])
  expect((await world.get('/api/plans/nothing/fork')).status).toBe(404)
})

it('shows no secret in the inputs, and refuses values that do not fit in words for a person', async () => {
  const world = await ViewWorld.make({ write: true })
  const { short } = await released(world)
  expect((await world.get(`/api/steps/${short('fetch')}/fork`)).body).not.toContain(secret)
  const change = { do: 'fork', planId: 'release', id: 'again', input: { copies: 'many' }, stepInput: {} }
  const { status, body } = await world.change(change)
  expect([status, body]).toEqual([409, expect.stringContaining('input \\"copies\\"')])
  const masked = await world.change({
    ...change,
    stepId: short('fetch'),
    input: {},
    stepInput: { token: '[redacted: x] y' },
  })
  expect([masked.status, masked.body]).toEqual([409, expect.stringContaining('token has a mask')])
})

it('is refused without --write, and for anything but texts', async () => {
  const reading = await ViewWorld.make()
  await released(reading)
  const change = { do: 'fork', planId: 'release', id: 'again', input: {}, stepInput: {} }
  expect((await reading.change(change)).status).toBe(403)
  const world = await ViewWorld.make({ write: true })
  await released(world)
  for (const wrong of [
    { input: [] },
    { input: { tag: 1 } },
    { stepInput: null },
    { id: 'a b' },
    { stepId: 7 },
    { planId: '' },
  ])
    expect({ wrong, status: (await world.change({ ...change, ...wrong })).status }).toEqual({ wrong, status: 400 })
  expect((await world.get('/api/plans/release/compare?with=nothing')).status).toBe(404)
})
