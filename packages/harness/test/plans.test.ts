import { afterEach, describe, expect, it } from 'vitest'
import { openHarness } from '../src/index.ts'
import { nextActions } from '../src/pure/next-actions.ts'
import { lookAtPlan } from '../src/look-at-plan.ts'
import { performActions } from '../src/perform-actions.ts'
import { type Setup, setup, steps } from '../../../tools/harness-in-process.mjs'

const open: Setup[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})
function world(): Setup {
  const made = setup()
  open.push(made)
  return made
}

describe('writing a plan', () => {
  it('is one append: a feed sees all of it or none, and roots are ready at once', async () => {
    const { harness, store } = world()
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [], b: ['a'] }) })
    const { nodes } = await store.log.scan({ owner: 'ada', versions: 'all' })
    expect(new Set(nodes.map(({ createdAt }) => createdAt)).size).toBe(1)
    expect((await harness.step(ids['a'] ?? '')).status).toBe('ready')
    expect(await harness.step(ids['b'] ?? '')).toMatchObject({ status: 'pending', remaining: 1 })
    expect((await harness.plan(planId)).payload.rootStepId).toBe(ids['a'])
  })

  it('refuses keys used twice, unknown dependencies, and circles, all before anything is written', async () => {
    const { harness, store } = world()
    const twice = [...steps({ a: ['gone'] }), ...steps({ a: [] })]
    await expect(harness.createPlan({ goal: 'g', steps: twice })).rejects.toMatchObject({
      code: 'INVALID_PLAN',
      problems: ['two steps have the key "a"', '"a" depends on "gone", which is no step of this plan'],
    })
    await expect(harness.createPlan({ goal: 'g', steps: steps({ a: ['b'], b: ['a'] }) })).rejects.toMatchObject({
      code: 'RELATION_REFUSED',
    })
    expect(await store.log.position()).toBe(0)
  })

  it('answers the plan that is there for the same id and content, and refuses other content', async () => {
    const { harness } = world()
    const request = { id: 'p', goal: 'g', steps: steps({ a: [], b: ['a'] }), budget: { maxSteps: 9 } }
    const first = await harness.createPlan(request)
    expect(await harness.createPlan(request)).toEqual({ ...first, created: false })
    await expect(harness.createPlan({ ...request, goal: 'other' })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    })
    await expect(harness.createPlan({ ...request, steps: steps({ a: [], b: [] }) })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    })
  })

  it('keeps foreign hands off: somebody else’s plan and steps are absent', async () => {
    const { harness, store } = world()
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
    const bob = openHarness({ store, owner: 'bob', actor: 'test' })
    const a = ids['a'] ?? ''
    for (const attempt of [
      bob.addStep(planId, { key: 'x', title: 'x' }),
      bob.cancelPlan(planId),
      bob.skipStep(a),
      bob.answer(a, { questionId: 'q', value: 'yes' }),
      bob.createPlan({ goal: 'child', steps: [], startedBy: { planId, stepId: a } }),
    ])
      await expect(attempt).rejects.toMatchObject({ code: expect.stringMatching(/^(ABSENT_NODE|RELATION_REFUSED)$/) })
    expect(await bob.waiting()).toEqual([])
  })
})

describe('adding a step', () => {
  it('answers the step that is there for the same key, and refuses other content', async () => {
    const { harness } = world()
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
    const more = { key: 'm', title: 'm', dependsOn: [ids['a'] ?? ''], input: { n: 1 } }
    const first = await harness.addStep(planId, more)
    expect(await harness.addStep(planId, more)).toEqual({ ...first, created: false })
    await expect(harness.addStep(planId, { ...more, input: { n: 2 } })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    })
  })

  it('is refused for a step of another plan, and for a plan that has ended', async () => {
    const { harness } = world()
    const one = await harness.createPlan({ goal: 'one', steps: steps({ a: [] }) })
    const two = await harness.createPlan({ goal: 'two', steps: steps({ a: [] }) })
    const foreign = { key: 'm', title: 'm', dependsOn: [two.steps['a'] ?? ''] }
    await expect(harness.addStep(one.planId, foreign)).rejects.toMatchObject({ code: 'ABSENT_NODE' })
    await harness.cancelPlan(one.planId)
    await expect(harness.addStep(one.planId, { key: 'n', title: 'n' })).rejects.toMatchObject({ code: 'PLAN_OVER' })
  })
})

describe('a step by hand', () => {
  it('is skipped from wherever it is, along legal edges, and its dependents go on', async () => {
    const { harness, worker, ended, store } = world()
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [], b: ['a'], c: ['b'] }) })
    await harness.skipStep(ids['b'] ?? '', { actor: 'ada', reason: 'done by hand' })
    const history = await store.log.history(ids['b'] ?? '', { owner: 'ada' })
    expect(history.map(({ status }) => status)).toEqual(['pending', 'ready', 'running', 'done'])
    await worker()
    expect((await ended(planId)).status).toBe('done')
    await expect(harness.skipStep(ids['b'] ?? '')).rejects.toMatchObject({ code: 'STEP_REFUSED' })
  })

  it('is run outside a worker under its fence', async () => {
    const { harness } = world()
    const { steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
    const a = ids['a'] ?? ''
    const { version } = await harness.startStep(a, 'by-hand')
    await expect(harness.startStep(a, 'other')).rejects.toMatchObject({ code: 'STEP_REFUSED', status: 'running' })
    await expect(harness.completeStep(a, { fence: version - 1 })).rejects.toMatchObject({ code: 'FENCED' })
    await harness.completeStep(a, { result: { ok: true }, fence: version })
    expect((await harness.step(a)).payload).toMatchObject({ status: 'done', result: { ok: true } })
  })

  it('takes other input and another agent until it runs, and a retry after it failed', async () => {
    const { harness } = world()
    const { steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [], other: [] }) })
    const a = ids['a'] ?? ''
    await harness.editInput(a, { n: 2 }, { reason: 'typo' })
    await harness.assignAgent(a, 'builder')
    const { version } = await harness.startStep(a, 's')
    await expect(harness.editInput(a, {})).rejects.toMatchObject({ code: 'STEP_REFUSED' })
    await harness.failStep(a, { failure: { cause: 'step', message: 'no' }, fence: version })
    await harness.retryStep(a, { actor: 'ada', reason: 'fixed it' })
    expect((await harness.step(a)).payload).toMatchObject({
      status: 'ready',
      attempt: 1,
      input: { n: 2 },
      assignedAgent: 'builder',
      reason: 'fixed it',
    })
  })

  it('says who did the last thing by hand and why, and never who did the one before', async () => {
    const { harness } = world()
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
    const a = ids['a'] ?? ''
    const said = async () => {
      const [plan, step] = [(await harness.plan(planId)).payload, (await harness.step(a)).payload]
      return [plan, step].map(({ actor, reason }) => [actor, reason])
    }
    await harness.pausePlan(planId, { actor: 'ann', reason: 'lunch' })
    await harness.editInput(a, { n: 1 }, { actor: 'ann', reason: 'typo' })
    expect(await said()).toEqual([
      ['ann', 'lunch'],
      ['ann', 'typo'],
    ])
    await harness.resumePlan(planId, { actor: 'bob' })
    await harness.assignAgent(a, 'builder')
    expect(await said()).toEqual([
      ['bob', undefined],
      [undefined, undefined],
    ])
  })

  it('keeps why somebody answered as they did', async () => {
    const { harness } = world()
    const { steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
    const a = ids['a'] ?? ''
    await harness.startStep(a, 's')
    await harness.askQuestion(a, { question: { id: 'q', text: 'ok?' } })
    await harness.answer(a, { questionId: 'q', value: 'yes', actor: 'ann', reason: 'looks good' })
    expect((await harness.step(a)).payload.answers).toMatchObject({
      q: { value: 'yes', actor: 'ann', reason: 'looks good' },
    })
  })

  it('is left as it is once its plan has ended', async () => {
    const { harness, worker, ended } = world()
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [], b: ['a'] }) })
    const [a, b] = [ids['a'] ?? '', ids['b'] ?? '']
    const { version } = await harness.startStep(a, 's')
    await harness.failStep(a, { failure: { cause: 'step', message: 'no' }, fence: version })
    await worker()
    expect((await ended(planId)).status).toBe('failed')
    const over = { code: 'PLAN_OVER', status: 'failed' }
    await expect(harness.retryStep(a)).rejects.toMatchObject(over)
    await expect(harness.skipStep(b)).rejects.toMatchObject(over)
    await expect(harness.editInput(b, { n: 1 })).rejects.toMatchObject(over)
    expect([(await harness.step(a)).status, (await harness.step(b)).status]).toEqual(['failed', 'pending'])
  })

  it('takes no answer after the deadline of its question, also where nobody has looked yet', async () => {
    const { harness } = world()
    const { steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
    const a = ids['a'] ?? ''
    await harness.startStep(a, 's')
    await harness.askQuestion(a, { question: { id: 'q', text: 'ok?', deadline: 1, default: 'no' } })
    await expect(harness.answer(a, { questionId: 'q', value: 'yes' })).rejects.toMatchObject({ code: 'ANSWER_REFUSED' })
    expect((await harness.step(a)).payload.answers).toBeUndefined()
  })

  it('says what it waits for', async () => {
    const { harness } = world()
    const { planId } = await harness.createPlan({ goal: 'g', steps: steps({ a: [], b: ['a'] }) })
    await harness.pausePlan(planId)
    const waits = (await harness.waiting(planId)).map(({ title, waitsFor }) => [title, waitsFor] as const)
    expect(Object.fromEntries(waits)).toEqual({ a: { for: 'resume' }, b: { for: 'steps', count: 1 } })
  })
})

describe('plans that steps started', () => {
  it('are all paused with theirs, also where one of them ends meanwhile', async () => {
    const { harness, store } = world()
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
    const startedBy = { planId, stepId: ids['a'] ?? '' }
    const child = async (goal: string) => harness.createPlan({ goal, startedBy, steps: steps({ x: [] }) })
    const children = [await child('one'), await child('two')]
    const log = Object.assign(Object.create(store.log), {
      async scan(query: Parameters<typeof store.log.scan>[0]) {
        const page = await store.log.scan(query)
        if (query.parent === planId) await harness.cancelPlan(children[0]?.planId ?? '')
        return page
      },
    })
    await openHarness({ store: { ...store, log, work: store.work }, owner: 'ada', actor: 'test' }).pausePlan(planId)
    expect((await harness.plan(children[1]?.planId ?? '')).payload.paused).toBe(true)
  })

  it('are paused from the start where theirs is, and go on when it does', async () => {
    const { harness } = world()
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
    await harness.pausePlan(planId, { actor: 'ann', reason: 'lunch' })
    const startedBy = { planId, stepId: ids['a'] ?? '' }
    const child = await harness.createPlan({ goal: 'child', startedBy, steps: steps({ x: [] }) })
    expect((await harness.plan(child.planId)).payload).toMatchObject({ paused: true, actor: 'ann', reason: 'lunch' })
    await expect(harness.startStep(child.steps['x'] ?? '', 's')).rejects.toMatchObject({ code: 'STEP_REFUSED' })
    await harness.resumePlan(planId)
    await harness.startStep(child.steps['x'] ?? '', 's')
  })

  it.each([true, false])('miss no change of theirs that comes while they are written: paused %s', async (paused) => {
    const { harness, store } = world()
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
    if (!paused) await harness.pausePlan(planId)
    let changed = false
    const log = Object.assign(Object.create(store.log), {
      async append(...args: Parameters<typeof store.log.append>) {
        if (!changed) await (paused ? harness.pausePlan(planId) : harness.resumePlan(planId))
        changed = true
        return store.log.append(...args)
      },
    })
    const other = openHarness({ store: { ...store, log, work: store.work }, owner: 'ada', actor: 'test' })
    const startedBy = { planId, stepId: ids['a'] ?? '' }
    const child = await other.createPlan({ goal: 'child', startedBy, steps: steps({ x: [] }) })
    expect((await harness.plan(child.planId)).payload.paused ?? false).toBe(paused)
  })

  it('are cancelled with theirs at once, also where no worker runs', async () => {
    const { harness } = world()
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
    const startedBy = { planId, stepId: ids['a'] ?? '' }
    const child = await harness.createPlan({ goal: 'child', startedBy, steps: steps({ x: [] }) })
    await harness.cancelPlan(planId)
    expect((await harness.plan(child.planId)).status).toBe('cancelled')
  })
})

describe('what is erased', () => {
  it('is a plan that has ended with those its steps started, and nothing of one that has not', async () => {
    const { harness, store } = world()
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
    const a = ids['a'] ?? ''
    const { planId: child } = await harness.createPlan({
      goal: 'child',
      startedBy: { planId, stepId: a },
      steps: steps({ x: [] }),
    })
    await harness.cancelPlan(child)
    for (const refused of [harness.erasePlan(planId), harness.erasePlan(child), harness.eraseStep(a)])
      await expect(refused).rejects.toMatchObject({ code: 'PLAN_OPEN' })
    expect((await harness.plan(child)).payload.goal).toBe('child')
    await harness.cancelPlan(planId)
    expect(await harness.eraseStep(a)).toEqual({ plans: 1, steps: 2, records: 0 })
    expect((await harness.plan(planId)).payload.goal).toBe('g')
    expect(await harness.erasePlan(planId)).toEqual({ plans: 1, steps: 0, records: 0 })
    const { nodes } = await store.log.scan({ owner: 'ada', versions: 'all' })
    expect(nodes.filter(({ payload }) => 'goal' in payload || 'title' in payload)).toEqual([])
  })
})

describe('a verdict', () => {
  it('ends a plan that has not changed since it was read', async () => {
    expect(await settledAfter(async () => undefined)).toBe('failed')
  })

  it('ends no plan that got another step meanwhile, nor one whose step is tried again', async () => {
    const [step] = steps({ b: [] })
    if (step === undefined) throw new TypeError('there is one')
    expect(await settledAfter(async ({ harness }, { planId }) => harness.addStep(planId, step))).toBe('open')
    expect(await settledAfter(async ({ harness }, { a }) => harness.retryStep(a))).toBe('open')
  })

  it('promotes the remaining steps at once when others have promoted most of them', async () => {
    const { harness, store } = world()
    const names = Array.from({ length: 50 }, (_, i) => `s${i}`)
    const graph = { root: [], ...Object.fromEntries(names.map((name) => [name, ['root']])) }
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps(graph) })
    const root = ids['root'] ?? ''
    const { version } = await harness.startStep(root, 's')
    await harness.completeStep(root, { fence: version })
    let appends = 0
    const log: typeof store.log = {
      ...store.log,
      async append(...args) {
        appends += 1
        return store.log.append(...args)
      },
    }
    const context = { store: { log, work: store.work }, owner: 'ada', actor: 'test' }
    const view = await lookAtPlan(context, planId, { now: await store.work.now() })
    if (view === undefined) throw new TypeError('the plan is there')
    for (const name of names.slice(2)) await harness.readyStep(ids[name] ?? '')
    const { written } = await performActions(context, view, nextActions(view))
    expect(written).toBeGreaterThanOrEqual(2)
    expect(appends).toBeLessThan(5)
    const { nodes } = await store.log.scan({ owner: 'ada', parent: planId, status: 'ready' })
    expect(nodes).toHaveLength(50)
  })
})

/** What the harness would do to a plan whose one step has failed, by what it saw before `meanwhile`. */
async function settledAfter(meanwhile: (made: Setup, at: { planId: string; a: string }) => Promise<unknown>) {
  const made = world()
  const { harness, store } = made
  const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
  const a = ids['a'] ?? ''
  const { version } = await harness.startStep(a, 's')
  await harness.failStep(a, { failure: { cause: 'step', message: 'no' }, fence: version })
  const context = { store, owner: 'ada', actor: 'test' }
  const view = await lookAtPlan(context, planId, { now: await store.work.now() })
  if (view === undefined) throw new TypeError('the plan is there')
  const actions = nextActions(view)
  expect(actions).toEqual([{ do: 'settle', status: 'failed' }])
  await meanwhile(made, { planId, a })
  await performActions(context, view, actions)
  return (await harness.plan(planId)).status
}
