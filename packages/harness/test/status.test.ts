import { EventEmitter, once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { type Setup, setup, steps } from '../../../tools/harness-in-process.mjs'

const open: Setup[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

function world(script: Parameters<typeof setup>[0] = {}): Setup {
  const made = setup(script)
  open.push(made)
  return made
}

describe('status', () => {
  it('counts the steps, and says what waits for what, who runs it, and which steps have failed permanently', async () => {
    const holding = new EventEmitter()
    const { harness, worker } = world({
      held: async () => {
        await once(holding, 'release')
        return { end: 'done' }
      },
      broken: () => ({ end: 'failed', failure: { message: 'no such host', retryable: false } }),
    })
    const { planId } = await harness.createPlan({ goal: 'g', steps: steps({ held: [], broken: [], later: ['held'] }) })
    expect(await harness.status(planId)).toMatchObject({ steps: { ready: 2, pending: 1 }, failed: [], served: [] })
    await worker()
    await expect.poll(async () => (await harness.status(planId)).failed.length).toBe(1)
    const standing = await harness.status(planId)
    expect(standing.failed.map(({ payload }) => payload.errorMessage)).toEqual(['no such host'])
    expect(standing.served).toEqual([['scripted']])
    const running = standing.waiting.find(({ title }) => title === 'held')
    expect(running).toMatchObject({ status: 'running', runner: { facts: expect.any(Object) as object } })
    holding.emit('release')
  })

  it('covers every plan that has not ended, or the requested number of newest plans', async () => {
    const { harness } = world()
    const made = []
    for (const goal of ['a', 'b', 'c'])
      made.push((await harness.createPlan({ goal, steps: steps({ one: [] }) })).planId)
    await harness.cancelPlan(made[2] ?? '')
    const goals = async (which?: { readonly newest?: number }) =>
      (await harness.statuses(which)).map(({ plan }) => plan.payload.goal)
    expect(await goals()).toEqual(['a', 'b'])
    expect(await goals({ newest: 2 })).toEqual(['c', 'b'])
  })
})

describe('find', () => {
  it('knows a plan and a step by id, by its beginning, and a step by the key of its plan', async () => {
    const { harness } = world()
    const { planId, steps: made } = await harness.createPlan({ id: 'abcd-1', goal: 'g', steps: steps({ one: [] }) })
    const plan = { of: 'plan', id: planId, erased: false }
    expect(await harness.find(planId)).toEqual(plan)
    expect(await harness.find('abcd-1')).toEqual(plan)
    expect(await harness.find('abcd')).toEqual(plan)
    expect(await harness.find('abcd/one')).toEqual({ of: 'step', id: made['one'], erased: false })
  })

  it('refuses what several begin with, and what nobody has, by name', async () => {
    const { harness } = world()
    for (const id of ['abcd-1', 'abcd-2']) await harness.createPlan({ id, goal: id, steps: steps({ one: [] }) })
    await expect(harness.find('abcd')).rejects.toMatchObject({ code: 'AMBIGUOUS_ID', ids: { length: 2 } })
    for (const words of ['abc', 'other', '', 'abcd-1/two', 'a b'])
      await expect(harness.find(words)).rejects.toMatchObject({ code: 'ABSENT_NODE' })
  })
})

describe('follow', () => {
  it('tells how things stand, then every change since it was asked for, and ends with the plan', async () => {
    const { harness, worker } = world()
    const { planId } = await harness.createPlan({ goal: 'g', steps: steps({ one: [], two: ['one'] }) })
    await harness.createPlan({ goal: 'another', steps: steps({ one: [] }) })
    const events = harness.follow(planId)
    await worker()
    await harness.ended(planId)
    const told: string[] = []
    for await (const { node, isNews } of events)
      told.push([isNews ? 'then' : 'now', node.id === planId ? 'plan' : node.payload['title'], node.status].join(' '))
    expect(told.filter((line) => line.startsWith('then'))).toEqual(
      expect.arrayContaining(['then one done', 'then two running', 'then two done', 'then plan done']),
    )
    expect(told.at(-1)).toBe('then plan done')
  })

  it('ends at its signal', async () => {
    const { harness } = world()
    const { planId } = await harness.createPlan({ goal: 'g', steps: steps({ one: [] }) })
    const ending = new AbortController()
    const told: boolean[] = []
    for await (const { isNews } of harness.follow(planId, { signal: ending.signal })) {
      told.push(isNews)
      if (told.length === 2) ending.abort()
    }
    expect(told).toEqual([false, false])
  })
})
