import { createInMemoryStore } from '@agentm/conformance/logs'
import type { NodeStore } from '@agentm/nodes'
import { afterEach, describe, expect, it } from 'vitest'
import { type Runtime, systemRuntime } from '@agentm/agent-loop'
import { harnessConcepts, type StepOutcome, type StepRun } from '../src/index.ts'
import { type Setup, setup, steps, untilAborted } from '../../../tools/harness-in-process.mjs'

const open: Setup[] = []
afterEach(async () => {
  for (const each of open.splice(0)) {
    await each.close()
    if (each.errors.length > 0) throw new AggregateError(each.errors)
  }
})
function world(...args: Parameters<typeof setup>): Setup {
  const made = setup(...args)
  open.push(made)
  return made
}

async function startsChild(run: StepRun): Promise<StepOutcome> {
  const child = await run.startPlan({ key: 'child', goal: 'child', steps: steps({ inner: [] }) })
  return { end: 'waits', waitsFor: { for: 'plan', planId: child.planId } }
}

describe('a worker', () => {
  it('runs a graph in order and settles the plan', async () => {
    const { harness, worker, ended, ran, store } = world()
    const { planId, steps: ids } = await harness.createPlan({
      goal: 'fan out and in',
      steps: steps({ root: [], a: ['root'], b: ['root'], join: ['a', 'b'] }),
    })
    await worker()
    const done = await ended(planId)
    expect(done.status).toBe('done')
    expect([ran[0], ran.slice(1, 3).toSorted(), ran[3]]).toEqual(['root', ['a', 'b'], 'join'])
    expect(done.payload.result).toEqual({ steps: { done: 4 } })
    const history = await store.log.history(ids['join'] ?? '', { owner: 'ada' })
    expect(history.map(({ provenanceMutation }) => provenanceMutation)).toEqual([
      'addHarnessStep',
      'readyHarnessStep',
      'startHarnessStep',
      'completeHarnessStep',
    ])
    const plans = await store.log.history(planId, { owner: 'ada' })
    expect(plans.map(({ status }) => status)).toEqual(['open', 'running', 'done'])
  })

  it('says that it is idle when it is, and not at its next look', async () => {
    const { harness, worker } = world()
    for (let i = 0; i < 10; i++) {
      for (const goal of ['one', 'two']) await harness.createPlan({ goal, steps: steps({ a: [] }) })
      // Looked at again in an hour only, so nothing else ends this wait.
      const running = await worker({ pollMs: 3_600_000 })
      await running.idle()
      await running.stop()
    }
    expect(await harness.waiting()).toEqual([])
  })

  it('runs what is ready before it reads every plan as a whole, and reads them though something runs on', async () => {
    let sayRead: (() => void) | undefined
    const read = new Promise<void>((resolve) => (sayRead = resolve))
    const happened: string[] = []
    const store = createInMemoryStore({ concepts: harnessConcepts })
    const log: NodeStore['log'] = {
      ...store.log,
      scan(query) {
        if (query.status === 'running' && query.concepts?.includes('v1:harness:plan') === true) {
          happened.push('read every plan')
          sayRead?.()
        }
        return store.log.scan(query)
      },
    }
    const script = { a: () => void happened.push('a'), long: () => read.then(() => happened.push('long')) }
    const run = (title: 'a' | 'long') => async (): Promise<StepOutcome> => {
      await script[title]()
      return { end: 'done' }
    }
    const { harness, worker } = world({ a: run('a'), long: run('long') }, { store: { ...store, log } })
    for (const key of ['a', 'long']) await harness.createPlan({ goal: key, steps: steps({ [key]: [] }) })
    await (await worker()).idle()
    expect(happened).toEqual(['a', 'read every plan', 'long'])
  })

  it('is not idle before it has settled what others left undone', async () => {
    const { harness, worker } = world()
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
    await harness.skipStep(ids['a'] ?? '')
    const running = await worker({ pollMs: 3_600_000 })
    await running.idle()
    expect((await harness.plan(planId)).status).toBe('done')
  })

  it('wakes up for a plan that comes while it is idle', async () => {
    const { harness, worker, ended } = world()
    await worker()
    const { planId } = await harness.createPlan({ goal: 'later', steps: steps({ a: [], b: ['a'] }) })
    expect((await ended(planId)).status).toBe('done')
  })

  it('fails the plan behind a dead end, and says which step it was', async () => {
    const { harness, worker, ended, ran } = world({
      a: () => ({ end: 'failed', failure: { message: 'no luck' } }),
    })
    await worker()
    const { planId } = await harness.createPlan({
      goal: 'dead end',
      steps: steps({ a: [], b: ['a'], c: ['b'], d: [] }),
    })
    const { status, payload } = await ended(planId)
    expect(status).toBe('failed')
    expect(payload.errorMessage).toBe('"a" failed: no luck')
    expect(ran.toSorted()).toEqual(['a', 'd'])
  })

  it('tries again after a failure that may pass, with the attempt one higher, and stops at the last', async () => {
    let tries = 0
    const { harness, worker, ended } = world({
      flaky: () => {
        tries += 1
        return tries < 3 ? { end: 'failed', failure: { message: 'busy', retryable: true } } : { end: 'done' }
      },
      hopeless: () => ({ end: 'failed', failure: { message: 'never', retryable: true } }),
    })
    await worker()
    const retry = { maxFailures: 3, maxCrashes: 5, baseMs: 5, capMs: 20 }
    const flaky = await harness.createPlan({ goal: 'flaky', steps: steps({ flaky: [] }, { retry }) })
    expect((await ended(flaky.planId)).status).toBe('done')
    expect((await harness.step(flaky.steps['flaky'] ?? '')).payload).toMatchObject({ attempt: 2, failures: 2 })
    const hopeless = await harness.createPlan({ goal: 'hopeless', steps: steps({ hopeless: [] }, { retry }) })
    expect((await ended(hopeless.planId)).status).toBe('failed')
    expect((await harness.step(hopeless.steps['hopeless'] ?? '')).payload).toMatchObject({ attempt: 2, failures: 3 })
  })

  it('stops a run at the timeout of its step, which fails permanently', async () => {
    const { harness, worker, ended } = world({ slow: untilAborted })
    await worker()
    const { planId, steps: ids } = await harness.createPlan({
      goal: 'slow',
      steps: steps({ slow: [] }, { timeoutMs: 20 }),
    })
    expect((await ended(planId)).status).toBe('failed')
    expect((await harness.step(ids['slow'] ?? '')).payload.failure).toMatchObject({ cause: 'timeout' })
  })

  it('leaves a step of a kind it was not given to a worker that runs it', async () => {
    const { harness, worker, ended, ran } = world()
    const first = await worker()
    const { planId, steps: ids } = await harness.createPlan({
      goal: 'g',
      steps: [{ key: 'a', title: 'a', kind: 'surgery' }, ...steps({ b: [] })],
    })
    while (!ran.includes('b')) await new Promise((resolve) => setTimeout(resolve, 1))
    await first.idle()
    expect((await harness.step(ids['a'] ?? '')).payload).toMatchObject({ status: 'ready', attempt: 0 })
    expect(await harness.waiting(planId)).toMatchObject([{ title: 'a', kind: 'surgery', waitsFor: { for: 'worker' } }])
    await worker({ kinds: [{ name: 'surgery', run: async () => ({ end: 'done' }) }] })
    expect((await ended(planId)).status).toBe('done')
  })

  it('that has a list of plans runs those, the plans that their steps start, and plans that are added later', async () => {
    const { harness, worker, ended, ran } = world({
      parent: async (run) => {
        const child = await run.startPlan({ key: 'child', goal: 'child', steps: steps({ inner: [] }) })
        if ((await run.planEnd(child.planId)).status === 'done') return { end: 'done' }
        return { end: 'waits', waitsFor: { for: 'plan', planId: child.planId } }
      },
    })
    const other = await harness.createPlan({ goal: 'other', steps: steps({ theirs: [] }) })
    const mine = await harness.createPlan({ goal: 'mine', steps: steps({ parent: [], after: ['parent'] }) })
    const scoped = await worker({ plans: [mine.planId] })
    expect((await ended(mine.planId)).status).toBe('done')
    await scoped.idle()
    expect(ran).toEqual(['parent', 'inner', 'parent', 'after'])
    expect((await harness.step(other.steps['theirs'] ?? '')).status).toBe('ready')
    await scoped.include(other.planId)
    expect((await ended(other.planId)).status).toBe('done')
  })

  it.each<[string, 'late' | 'early']>([
    ['after it began to wait', 'late'],
    ['before it began to wait', 'early'],
  ])('goes on with a step whose plan ended %s, without waiting for a sweep', async (_, when) => {
    const waited: string[] = []
    const { harness, worker, ended } = world({
      parent: async (run) => {
        const child = await run.startPlan({ key: 'child', goal: 'child', steps: steps({ inner: [] }) })
        const isOver = async () => (await run.planEnd(child.planId)).status === 'done'
        if (waited.length > 0 && (await isOver())) return { end: 'done' }
        if (when === 'early') while (!(await isOver())) await systemRuntime.sleep(1)
        waited.push(run.id)
        return { end: 'waits', waitsFor: { for: 'plan', planId: child.planId } }
      },
      inner: async () => {
        if (when === 'early') return { end: 'done' }
        while ((await harness.step(parent)).status !== 'blocked') await systemRuntime.sleep(1)
        await systemRuntime.sleep(50)
        return { end: 'done' }
      },
    })
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ parent: [] }) })
    const parent = ids['parent'] ?? ''
    await worker({ pollMs: 86_400_000 })
    expect((await ended(planId)).status).toBe('done')
    expect(waited).toHaveLength(1)
  })

  it('that was told its plans runs what their steps had started before it came', async () => {
    const { harness, worker, ended, ran } = world()
    const { planId, steps: ids } = await harness.createPlan({
      goal: 'g',
      steps: [{ key: 'a', title: 'a', kind: 'starts' }],
    })
    const first = await worker({ kinds: [{ name: 'starts', run: startsChild }] })
    while ((await harness.step(ids['a'] ?? '')).status !== 'blocked') await new Promise((next) => setTimeout(next, 1))
    await first.stop()
    await worker({ plans: [planId] })
    while (!ran.includes('inner')) await new Promise((resolve) => setTimeout(resolve, 1))
    await worker({ kinds: [{ name: 'starts', run: async () => ({ end: 'done' }) }] })
    expect((await ended(planId)).status).toBe('done')
  })

  it('gives a result that the store cannot hold back as a failure', async () => {
    const { harness, worker, ended } = world({ a: () => ({ end: 'done', result: { big: 1n } }) })
    await worker()
    const { planId } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
    expect((await ended(planId)).status).toBe('failed')
  })

  it('hands what runs back when it is stopped, and uses up none of its retries', async () => {
    const first = world({ a: untilAborted })
    const { planId, steps: ids } = await first.harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
    const worker = await first.worker()
    while (first.ran.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    await worker.stop()
    const { payload } = await first.harness.step(ids['a'] ?? '')
    expect(payload.failures).toBeUndefined()
    expect(payload).toMatchObject({
      status: 'ready',
      attempt: 1,
    })
    const second = world({}, { store: first.store })
    await second.worker()
    expect((await second.ended(planId)).status).toBe('done')
  })

  it('leaves an effectful step that it is stopped in the middle of in doubt, and hands it to nobody', async () => {
    const first = world({ a: untilAborted })
    const effectful = steps({ a: [] }, { nature: 'effectful' })
    const { planId, steps: ids } = await first.harness.createPlan({ goal: 'g', steps: effectful })
    const worker = await first.worker()
    while (first.ran.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    await worker.stop()
    const second = world({}, { store: first.store })
    await second.worker()
    const a = ids['a'] ?? ''
    while ((await second.harness.step(a)).status !== 'blocked') await new Promise((resolve) => setTimeout(resolve, 1))
    expect(second.ran).toEqual([])
    const [waiting] = await second.harness.waiting(planId)
    await second.harness.answer(a, { questionId: waiting?.ask?.questionId ?? '', value: 'done', actor: 'ada' })
    expect((await second.ended(planId)).status).toBe('done')
    expect(second.ran).toEqual([])
  })

  it('goes on without a run that does not heed its signal', async () => {
    const partingMs = 5000
    const sleep: Runtime['sleep'] = (ms, signal) => systemRuntime.sleep(ms === partingMs ? 1 : ms, signal)
    const runtime = { ...systemRuntime, sleep }
    const { harness, worker, ended } = world({ deaf: () => new Promise<never>(() => undefined) }, { runtime })
    await worker({ slots: 1 })
    const [deaf] = steps({ deaf: [] }, { timeoutMs: 5 })
    const [after] = steps({ after: [] })
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: [deaf, after].flatMap((s) => s ?? []) })
    expect((await ended(planId)).status).toBe('failed')
    expect((await harness.step(ids['deaf'] ?? '')).payload.failure?.cause).toBe('timeout')
    expect((await harness.step(ids['after'] ?? '')).status).toBe('done')
  })

  it('tells running code that its plan was cancelled, with the plans its step started', async () => {
    const told: string[] = []
    const { harness, worker, ended, store } = world({
      parent: async (run) => {
        const child = await run.startPlan({ key: 'child', goal: 'child', steps: steps({ inner: [] }) })
        return { end: 'waits', waitsFor: { for: 'plan', planId: child.planId } }
      },
      inner: async (run: StepRun) => {
        run.signal.addEventListener('abort', () => told.push('inner'))
        return untilAborted(run)
      },
    })
    await worker()
    const { planId } = await harness.createPlan({ goal: 'g', steps: steps({ parent: [] }) })
    while (
      (await store.log.scan({ owner: 'ada', concepts: ['v1:harness:step'], status: 'running' })).nodes.length === 0
    )
      await new Promise((resolve) => setTimeout(resolve, 1))
    const before = Date.now()
    await harness.cancelPlan(planId, { actor: 'ada', reason: 'changed my mind' })
    while (told.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    expect(Date.now() - before).toBeLessThan(10_000)
    expect((await ended(planId)).payload).toMatchObject({
      status: 'cancelled',
      reason: 'changed my mind',
      actor: 'ada',
    })
    const { nodes } = await store.log.scan({ owner: 'ada', concepts: ['v1:harness:plan'] })
    expect(nodes.map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
    const running = await store.log.scan({ owner: 'ada', status: 'running' })
    expect(running.nodes).toEqual([])
  })

  it('runs a step again once the plan it waits for has ended', async () => {
    let inner = 0
    const { harness, worker, ended, ran } = world({
      parent: async (run) => {
        const child = await run.startPlan({ key: 'child', goal: 'child', steps: steps({ inner: [] }) })
        const { status, result } = await run.planEnd(child.planId)
        if (status === 'done') return { end: 'done', result: { child: result } }
        return { end: 'waits', waitsFor: { for: 'plan', planId: child.planId } }
      },
      inner: () => {
        inner += 1
        return { end: 'done' }
      },
    })
    await worker({ slots: 1 })
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ parent: [] }) })
    expect((await ended(planId)).status).toBe('done')
    expect(inner).toBe(1)
    expect(ran).toEqual(['parent', 'inner', 'parent'])
    expect((await harness.step(ids['parent'] ?? '')).payload.result).toEqual({ child: { steps: { done: 1 } } })
  })

  it('holds a paused plan, tells what runs, and goes on when it is resumed', async () => {
    const seen: string[] = []
    const { harness, worker, ended, ran } = world({
      a: async (run) => {
        while (!run.isPaused()) await new Promise((resolve) => setTimeout(resolve, 1))
        seen.push('paused')
        await run.resumed()
        seen.push('resumed')
        return { end: 'done' }
      },
    })
    await worker()
    const { planId } = await harness.createPlan({ goal: 'g', steps: steps({ a: [], b: ['a'] }) })
    while (ran.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    await harness.pausePlan(planId, { reason: 'wait' })
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    await harness.resumePlan(planId)
    expect((await ended(planId)).status).toBe('done')
    expect(seen).toEqual(['paused', 'resumed'])
  })

  it('lets what runs of a plan at its limit of starts end, and does not call that paused', async () => {
    const { harness, worker, ended } = world({
      a: async (run) => {
        while ((await harness.plan(run.planId)).payload.halting === undefined) await systemRuntime.sleep(1)
        // Longer than it takes to be told.
        await systemRuntime.sleep(300)
        await run.resumed()
        return { end: 'done' }
      },
    })
    await worker({ slots: 2, leaseMs: 400 })
    const budget = { maxSteps: 1 }
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [], b: [] }), budget })
    expect((await ended(planId)).payload.errorMessage).toBe('stopped at max_steps: 1 used of 1')
    expect((await harness.step(ids['a'] ?? '')).status).toBe('done')
  })
})

describe('a question', () => {
  const question = { id: 'q1', text: 'really?', allowed: ['yes', 'no'] }
  const asking = async (run: StepRun) => {
    const answer = run.step.answers?.['q1']
    return answer === undefined
      ? { end: 'asks' as const, question }
      : { end: 'done' as const, result: { said: answer.value } }
  }

  it('holds no slot, and the first answer wins', async () => {
    const { harness, worker, ended, ran } = world({ a: asking })
    await worker({ slots: 1 })
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [], b: [] }) })
    const a = ids['a'] ?? ''
    while (ran.length < 2 || (await harness.step(a)).status !== 'blocked')
      await new Promise((resolve) => setTimeout(resolve, 1))
    expect(await harness.waiting(planId)).toMatchObject([{ title: 'a', status: 'blocked', ask: { questionId: 'q1' } }])
    await expect(harness.answer(a, { questionId: 'q1', value: 'perhaps' })).rejects.toMatchObject({
      code: 'ANSWER_REFUSED',
    })
    const [first, second] = await Promise.all([
      harness.answer(a, { questionId: 'q1', value: 'yes', actor: 'ada' }),
      harness.answer(a, { questionId: 'q1', value: 'no', actor: 'bob' }),
    ])
    expect([first.accepted, second.accepted]).toEqual([true, false])
    expect(second.answer).toMatchObject({ value: 'yes', actor: 'ada' })
    await ended(planId)
    expect((await harness.step(a)).payload.result).toEqual({ said: 'yes' })
  })

  it('is answered by its default after the deadline, and fails the step without one', async () => {
    const { harness, worker, ended } = world({
      defaulted: async (run) =>
        run.step.answers?.['q1'] === undefined
          ? { end: 'asks', question: { ...question, deadline: Date.now() + 20, default: 'no' } }
          : { end: 'done', result: { said: run.step.answers['q1'].value } },
      silent: () => ({ end: 'asks', question: { ...question, deadline: Date.now() + 20 } }),
    })
    await worker()
    const one = await harness.createPlan({ goal: 'g', steps: steps({ defaulted: [] }) })
    expect((await ended(one.planId)).status).toBe('done')
    expect((await harness.step(one.steps['defaulted'] ?? '')).payload.result).toEqual({ said: 'no' })
    const two = await harness.createPlan({ goal: 'g', steps: steps({ silent: [] }) })
    expect((await ended(two.planId)).payload.errorMessage).toContain('nobody answered in time: really?')
  })
})

describe('a budget', () => {
  it('lets exactly as many starts through as it allows, however many slots there are', async () => {
    const { harness, worker, ended, ran, store } = world({})
    const titles = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`s${i}`, []]))
    const { planId } = await harness.createPlan({ goal: 'g', steps: steps(titles), budget: { maxSteps: 3 } })
    await worker({ slots: 4 })
    const { status, payload } = await ended(planId)
    expect([status, payload.errorMessage]).toEqual(['failed', 'stopped at max_steps: 3 used of 3'])
    expect(ran.length).toBe(3)
    expect((await store.work.tally(planId, { owner: 'ada', concept: 'v1:harness:step' })).done).toBe(3)
    const { nodes } = await store.log.scan({ owner: 'ada', concepts: ['v1:harness:observation'] })
    expect(nodes.map(({ payload: { data } }) => data)).toMatchObject([{ choice: 'halt_plan', limit: 'max_steps' }])
  })

  it('is not used up by a plan that needs all of it and no more', async () => {
    const { harness, worker, ended } = world({})
    await worker()
    const { planId } = await harness.createPlan({
      goal: 'g',
      steps: steps({ a: [], b: ['a'] }),
      budget: { maxSteps: 2 },
    })
    expect((await ended(planId)).status).toBe('done')
  })

  it('counts what a plan started by a step uses', async () => {
    const { harness, worker, ended, ran } = world({
      parent: async (run) => {
        const { planId } = await run.startPlan({ key: 'c', goal: 'c', steps: steps({ x: [], y: ['x'], z: ['y'] }) })
        return { end: 'waits', waitsFor: { for: 'plan', planId } }
      },
    })
    await worker()
    const { planId } = await harness.createPlan({ goal: 'g', steps: steps({ parent: [] }), budget: { maxSteps: 3 } })
    expect((await ended(planId)).payload.errorMessage).toBe('stopped at max_steps: 3 used of 3')
    expect(ran).toEqual(['parent', 'x', 'y'])
  })

  it('stops a plan that takes too long', async () => {
    const { harness, worker, ended } = world({ a: untilAborted })
    await worker()
    const { planId } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }), budget: { maxWallClockMs: 30 } })
    expect((await ended(planId)).payload.errorMessage).toMatch(/^stopped at max_wall_clock/)
  })
})
