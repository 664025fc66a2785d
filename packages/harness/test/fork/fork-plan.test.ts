import { createInMemoryStore } from '@agentm/conformance/logs'
import { approvalKind, harnessConcepts, readTrace } from '@agentm/harness'
import { afterEach, describe, expect, it } from 'vitest'
import { scripted, type Setup, setup, steps } from '../../../../tools/harness-in-process.mjs'
import type { NewFork } from '../../src/fork/new-fork.ts'
import { stepIdIn } from '../../src/pure/step-id-in.ts'
import { tellForkStory, toldForkStory } from './fork-story.ts'

const open: Setup[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})
function world(...args: Parameters<typeof setup>): Setup {
  const made = setup(...args)
  open.push(made)
  return made
}

/** `a` and `b` begin, `c` needs `a`, `d` needs both. */
const graph = { a: [], b: [], c: ['a'], d: ['b', 'c'] }

async function ended(made: Setup, more: object = {}) {
  const { planId } = await made.harness.createPlan({ id: 'one', goal: 'g', steps: steps(graph, more) })
  const worker = await made.worker()
  await made.ended(planId)
  await worker.stop()
  return planId
}

describe('a fork', () => {
  it('carries over what does not depend on the chosen step, and runs the rest anew', async () => {
    const store = createInMemoryStore({ concepts: harnessConcepts })
    const story = await tellForkStory(store)
    expect(story).toMatchObject(toldForkStory)
    expect(story.ran.filter((each) => each.startsWith('two')).toSorted()).toEqual(['two build', 'two ship'])
    expect(story.usage).toMatchObject({ steps: 2, tokens: 20 })
    expect(story.first).toMatchObject({ created: true, carried: 2 })
    expect(story.again).toMatchObject({ created: false, carried: 2 })
    await store.close()
  })

  it('without a step runs everything anew', async () => {
    const made = world()
    await ended(made)
    const { planId, carried } = await made.harness.forkPlan('one')
    await made.worker()
    await made.ended(planId)
    expect(carried).toBe(0)
    expect(made.ran.length).toBe(8)
  })

  it('of a plan that runs carries over only what is done', async () => {
    const made = world()
    const { planId, steps: ids } = await made.harness.createPlan({ id: 'one', goal: 'g', steps: steps(graph) })
    const { version } = await made.harness.startStep(ids['a'] ?? '', 'session')
    await made.harness.completeStep(ids['a'] ?? '', { fence: version, result: { value: 1 } })
    const fork = await made.harness.forkPlan(planId, { from: 'd' })
    const known = new Map((await made.harness.steps(fork.planId)).map((step) => [step.payload.key, step]))
    expect(
      Object.fromEntries([...known].map(([key, { status, remaining }]) => [key, `${status} ${remaining}`])),
    ).toEqual({
      a: 'done 0',
      b: 'ready 0',
      c: 'ready 0',
      d: 'pending 2',
    })
    expect((await made.harness.plan(fork.planId)).payload).toMatchObject({ status: 'open', carried: 1 })
  })

  it('has not started because of what it carries, so its time limit counts from its own first step', async () => {
    const made = world()
    await ended(made)
    const fork = await made.harness.forkPlan('one', { from: 'd' })
    await made.harness.pausePlan(fork.planId)
    await made.worker()
    await new Promise((resolve) => void setTimeout(resolve, 100))
    expect((await made.harness.plan(fork.planId)).payload.startedAt).toBeUndefined()
    await made.harness.resumePlan(fork.planId)
    expect((await made.ended(fork.planId)).payload.status).toBe('done')
  })

  it('gives steps that run anew keys of their own, and keeps the key of what is carried', async () => {
    const made = world()
    await ended(made, { idempotencyKey: 'given' })
    const fork = await made.harness.forkPlan('one', { from: 'd' })
    const keys = new Map(
      (await made.harness.steps(fork.planId)).map(({ payload }) => [payload.key, payload.idempotencyKey]),
    )
    expect(keys.get('a')).toBe('given')
    expect(keys.get('d')).toBe(stepIdIn(fork.planId, 'd').slice(-32))
  })

  it('of a fork names the plan it was made of, and carries what that one carried', async () => {
    const made = world()
    await ended(made)
    await made.worker()
    const second = await made.harness.forkPlan('one', { id: 'two', from: 'c' })
    await made.ended(second.planId)
    const third = await made.harness.forkPlan('two', { id: 'three', from: 'd' })
    await made.ended(third.planId)
    const a = (await made.harness.steps('three')).find(({ payload }) => payload.key === 'a')
    expect(a?.payload.carriedFrom?.planId).toBe(second.planId)
    expect(made.ran.filter((title) => title === 'a').length).toBe(1)
    expect(made.ran.filter((title) => title === 'd').length).toBe(3)
  })

  it('keeps a given answer of a carried step, and asks anew after the chosen one', async () => {
    const made = world()
    const [a, b, c] = steps({ a: [], b: [], c: ['b'] })
    const asking = { key: 'b', title: 'b', kind: 'approval', input: { text: 'Go?', allowed: ['yes', 'no'] } }
    const request = { id: 'one', goal: 'g', steps: [a, b, c].flatMap((step) => (step === b ? asking : (step ?? []))) }
    const { planId, steps: ids } = await made.harness.createPlan(request)
    await made.worker({ kinds: [approvalKind(), scripted({})] })
    const answerIn = async (stepId: string) => {
      await expect.poll(async () => (await made.harness.step(stepId)).status).toBe('blocked')
      const { waitsFor } = (await made.harness.step(stepId)).payload
      const questionId = waitsFor?.for === 'answer' ? waitsFor.question.id : ''
      await made.harness.answer(stepId, { questionId, value: 'yes', actor: 'ada' })
    }
    await answerIn(ids['b'] ?? '')
    await made.ended(planId)
    const kept = await made.harness.forkPlan('one', { from: 'c' })
    await made.ended(kept.planId)
    const { result, answers = {} } = (await made.harness.step(kept.steps['b'] ?? '')).payload
    expect(result).toMatchObject({ answer: 'yes' })
    expect(Object.values(answers)).toMatchObject([{ value: 'yes', actor: 'ada' }])
    const anew = await made.harness.forkPlan('one', { from: 'b' })
    expect((await made.harness.step(anew.steps['b'] ?? '')).payload.answers).toBeUndefined()
    await answerIn(anew.steps['b'] ?? '')
    expect((await made.ended(anew.planId)).payload.status).toBe('done')
  })

  it('refuses, and writes nothing, when a result that it needs was erased', async () => {
    const made = world()
    await ended(made)
    await made.harness.eraseStep(stepIdIn('v1:harness:plan:one', 'a'))
    const before = await made.store.log.position()
    await expect(made.harness.forkPlan('one', { from: 'd' })).rejects.toMatchObject({ code: 'FORK_REFUSED' })
    expect(await made.store.log.position()).toBe(before)
  })

  it('with the same id and other changes is refused', async () => {
    const made = world()
    await ended(made)
    await made.harness.forkPlan('one', { id: 'two', from: 'c' })
    for (const other of [{ from: 'd' }, { from: 'c', stepInput: { x: 1 } }, {}] satisfies NewFork[])
      await expect(made.harness.forkPlan('one', { id: 'two', ...other })).rejects.toMatchObject({
        code: 'IDEMPOTENCY_CONFLICT',
      })
  })

  it('is one append', async () => {
    const made = world()
    await ended(made)
    const appends: number[] = []
    const { log } = made.store
    const append = log.append.bind(log)
    log.append = async (drafts, options) => {
      appends.push(drafts.length)
      return append(drafts, options)
    }
    await made.harness.forkPlan('one', { from: 'd' })
    expect(appends).toEqual([6])
  })

  it('finds its step by key, title, id and the beginning of an id, and names the steps there are', async () => {
    const made = world()
    await ended(made)
    const id = stepIdIn('v1:harness:plan:one', 'c')
    for (const from of ['c', 'one/c', id, id.slice(-32), id.slice(-32).slice(0, 10)])
      expect({ from, ...(await made.harness.forkPlan('one', { from })) }).toMatchObject({ from, carried: 2 })
    await expect(made.harness.forkPlan('one', { from: 'nope' })).rejects.toThrow('Its steps are: a, b, c, d')
  })

  it('checks the inputs that change, by what the plan says of them and by the kind of the step', async () => {
    const made = world()
    const step = { key: 'a', title: 'a', kind: 'command', input: { command: 'true' } }
    const inputs = { n: { type: 'number' as const }, tag: { type: 'string' as const } }
    await made.harness.createPlan({ id: 'one', goal: 'g', steps: [step], input: { n: 1, tag: 'v1' }, inputs })
    const fork = await made.harness.forkPlan('one', { from: 'a', input: { n: '2' }, stepInput: { args: ['x'] } })
    expect((await made.harness.plan(fork.planId)).payload.input).toEqual({ n: 2, tag: 'v1' })
    expect((await made.harness.step(fork.steps['a'] ?? '')).payload.input).toEqual({ command: 'true', args: ['x'] })
    await expect(made.harness.forkPlan('one', { input: { n: 'many' } })).rejects.toThrow('input "n"')
    await expect(made.harness.forkPlan('one', { input: { other: 1 } })).rejects.toThrow('no such input')
    await expect(made.harness.forkPlan('one', { from: 'a', stepInput: { args: 'x' } })).rejects.toThrow('args')
    await expect(made.harness.forkPlan('one', { stepInput: { args: [] } })).rejects.toThrow('Name it')
  })

  it('knows the keys of steps that older versions wrote, where another step names them', async () => {
    const made = world()
    await ended(made)
    const { log } = made.store
    const ids = ['a', 'b', 'c', 'd'].map((key) => stepIdIn('v1:harness:plan:one', key))
    const stripped = await Promise.all(ids.map((id) => log.latest(id, { owner: 'ada' })))
    for (const head of stripped)
      if (head !== undefined)
        await log.append(
          [{ concept: head.concept, id: head.id, payload: {}, unset: ['key'], mutation: 'old', update: true }],
          {
            owner: 'ada',
            actor: 'test',
          },
        )
    const fork = await made.harness.forkPlan('one', { from: 'c' })
    expect(Object.keys(fork.steps).toSorted()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('says in the trace where each carried step comes from', async () => {
    const made = world()
    await ended(made)
    const fork = await made.harness.forkPlan('one', { from: 'd' })
    const { events } = await readTrace(made.store.log, { planId: fork.planId, owner: 'ada' })
    expect(events.filter(({ mutation }) => mutation === 'carryHarnessStep').map(({ why }) => why)).toEqual(
      Array.from({ length: 3 }, () => 'from plan one'),
    )
  })
})
