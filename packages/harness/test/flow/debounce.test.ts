import { afterEach, describe, expect, it } from 'vitest'
import { InvalidPlanError, type NewPlan } from '../../src/index.ts'
import { type Setup, setup } from '../../../../tools/harness-in-process.mjs'

const open: Setup[] = []
afterEach(async () => {
  for (const each of open.splice(0)) {
    await each.close()
    if (each.errors.length > 0) throw new AggregateError(each.errors)
  }
})
function world(): Setup {
  const made = setup({ index: ({ step }) => ({ end: 'done', result: { from: step.input?.['from'] } }) })
  open.push(made)
  return made
}

const rarely = { pollMs: 3_600_000 }
const sleep = (ms: number): Promise<void> => new Promise((go) => setTimeout(go, ms))

function reindex(from: number, debounce: NewPlan['debounce']): NewPlan {
  return {
    goal: `reindex for call ${from}`,
    input: { from, ...(from === 1 && { first: true }) },
    ...(debounce && { debounce }),
    steps: [
      { key: 'index', title: 'index', kind: 'scripted', input: { from } },
      { key: 'tell', title: 'tell', kind: 'scripted', dependsOn: ['index'] },
    ],
  }
}

describe('a debounced plan', () => {
  it('starts once for many calls, after the last one and with its input', async () => {
    const made = world()
    await made.worker(rarely)
    const calls = []
    let last = 0
    for (let i = 1; i <= 5; i++) {
      last = Date.now()
      calls.push(await made.harness.createPlan(reindex(i, { key: 'index', wait: 800 })))
      await sleep(30)
    }
    expect(new Set(calls.map(({ planId }) => planId)).size).toBe(1)
    expect(calls.map(({ created }) => created)).toEqual([true, false, false, false, false])
    const planId = calls[0]?.planId ?? ''
    const plan = await made.ended(planId)
    expect(plan.payload).toMatchObject({ status: 'done', goal: 'reindex for call 5' })
    expect(plan.payload.input).toEqual({ from: 5 })
    const step = await made.harness.step(calls[0]?.steps['index'] ?? '')
    expect(step.payload.result).toEqual({ from: 5 })
    expect(Date.parse(step.payload.startedAt ?? '')).toBeGreaterThanOrEqual(last + 800)
    expect(made.ran).toEqual(['index', 'tell'])
    const next = await made.harness.createPlan(reindex(6, { key: 'index', wait: 20 }))
    expect([next.planId === planId, next.created]).toEqual([false, true])
    expect((await made.ended(next.planId)).status).toBe('done')
  })

  it('starts at the latest when the longest wait is over, however many calls come', async () => {
    const made = world()
    await made.worker(rarely)
    const began = Date.now()
    const plans = new Set<string>()
    for (let i = 1; Date.now() - began < 900; i++) {
      plans.add((await made.harness.createPlan(reindex(i, { key: 'index', wait: 300, atMost: 400 }))).planId)
      await sleep(30)
    }
    expect(plans.size).toBeGreaterThan(1)
    for (const planId of plans) expect((await made.ended(planId)).status).toBe('done')
    const [first = ''] = plans
    const [created] = await made.store.log.history(first, { owner: 'ada' })
    const { startedAt = '' } = (await made.harness.plan(first)).payload
    expect(Date.parse(startedAt) - (created?.createdAt ?? 0)).toBeGreaterThan(300)
    expect(made.ran.filter((title) => title === 'index')).toHaveLength(plans.size)
  })

  it('is one plan for calls that come at the same time, and one per owner and key', async () => {
    const made = world()
    const calls = await Promise.all(
      Array.from({ length: 10 }, (_, i) => made.harness.createPlan(reindex(i, { key: 'index', wait: '1 hour' }))),
    )
    expect(new Set(calls.map(({ planId }) => planId)).size).toBe(1)
    expect(calls.filter(({ created }) => created)).toHaveLength(1)
    const other = await made.harness.createPlan(reindex(1, { key: 'other', wait: '1 hour' }))
    expect(other.created).toBe(true)
    expect(await made.harness.statuses()).toHaveLength(2)
  })

  it('that was cancelled is followed by a new one', async () => {
    const made = world()
    const first = await made.harness.createPlan(reindex(1, { key: 'index', wait: '1 hour' }))
    await made.harness.cancelPlan(first.planId)
    const second = await made.harness.createPlan(reindex(2, { key: 'index', wait: '1 hour' }))
    expect([second.created, second.planId === first.planId]).toEqual([true, false])
  })

  it.each([
    [{ id: 'x' }, 'a debounced plan has no id of its own'],
    [{ debounce: { key: '', wait: 1 } }, 'debounce.key must be a text'],
    [{ debounce: { key: 'index', wait: 0 } }, 'debounce.wait must be at least 1 millisecond'],
    [{ steps: [{ key: 'index', title: 'index', kind: 'other' }] }, 'another plan waits for the debounce key "index"'],
  ])('with the mistake %j is refused: %s', async (change, message) => {
    const { harness } = world()
    await harness.createPlan(reindex(1, { key: 'index', wait: '1 hour' }))
    const refused = harness.createPlan({ ...reindex(2, { key: 'index', wait: '1 hour' }), ...change })
    await expect(refused).rejects.toThrow(InvalidPlanError)
    await expect(refused).rejects.toThrow(message)
  })
})
