import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { agentKind, readTrace, traceMetrics } from '../src/index.ts'
import { defineTool, type Model } from '@agentm/agent-loop'
import { calls, scriptedModel } from '../../../tools/model-in-process.mjs'
import { type Setup, setup } from '../../../tools/harness-in-process.mjs'

const open: Setup[] = []
afterEach(async () => {
  for (const each of open.splice(0)) {
    await each.close()
    if (each.errors.length > 0) throw new AggregateError(each.errors)
  }
})

function world() {
  const made = setup()
  open.push(made)
  const sent: string[] = []
  const send = defineTool({
    name: 'send',
    description: 'Sends a letter.',
    input: z.object({ to: z.string() }),
    nature: 'effectful',
    run: async ({ to }) => {
      sent.push(to)
      return `sent to ${to}`
    },
  })
  const seen: string[] = []
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    input: z.object({ at: z.string() }),
    nature: 'pure',
    run: async ({ at }) => {
      seen.push(at)
      return `nothing at ${at}`
    },
  })
  const work = async (model: Model, needsApproval = false) =>
    made.worker({
      kinds: [agentKind({ log: made.store.log, modelOf: () => model, tools: [{ ...send, needsApproval }, look] })],
    })
  return { ...made, sent, seen, work }
}

const steps = [{ key: 'a', title: 'Write to Bob', kind: 'agent', input: { to: 'bob' } }]
const script = () => scriptedModel(calls(['send', { to: 'bob' }]), calls(['respondToUser', { text: 'Sent.' }]))

describe('a step of kind agent', () => {
  it('is done with the answer of its model, and all it cost is in the trace', async () => {
    const { harness, ended, store, sent, work } = world()
    const model = script()
    await work(model)
    const { planId, steps: ids } = await harness.createPlan({ goal: 'letters', steps })
    expect((await ended(planId)).status).toBe('done')
    expect(sent).toEqual(['bob'])
    const { payload } = await harness.step(ids['a'] ?? '')
    expect(payload.result).toEqual({ text: 'Sent.', stop: 'respondToUser' })
    expect(model.requests[0]?.messages.at(-1)?.text).toBe('Write to Bob\n\nInput: {"to":"bob"}')
    const metrics = traceMetrics(await readTrace(store.log, { planId, owner: 'ada' }))
    expect(metrics).toMatchObject({ success: true, toolCalls: 1, tokens: 30 })
    expect(await harness.usage(planId)).toMatchObject({ toolCalls: 1, tokens: 30 })
  })

  it('fails when its model is stopped, whatever text is left over', async () => {
    const { harness, ended, work } = world()
    await work(scriptedModel(() => ({ ...calls(['nope', {}]), text: 'Nearly there.' })))
    const { planId, steps: ids } = await harness.createPlan({
      goal: 'letters',
      steps: steps.map((step) => ({ ...step, retry: { maxFailures: 1, maxCrashes: 5, baseMs: 1, capMs: 1 } })),
    })
    expect((await ended(planId)).status).toBe('failed')
    expect((await harness.step(ids['a'] ?? '')).payload.failure).toMatchObject({ code: 'loop_detected' })
  })

  it('gives its slot back while a person thinks, and goes on without asking the model again', async () => {
    const { harness, ended, sent, work } = world()
    const first = script()
    const worker = await work(first, true)
    const { planId, steps: ids } = await harness.createPlan({ goal: 'letters', steps })
    const stepId = ids['a'] ?? ''
    const waiting = await waitFor(async () => (await harness.step(stepId)).payload.waitsFor)
    if (waiting.for !== 'answer') throw new TypeError('it asks nothing')
    expect(sent).toEqual([])
    await worker.stop()
    const second = scriptedModel(calls(['respondToUser', { text: 'Sent.' }]))
    await work(second, true)
    await harness.answer(stepId, { questionId: waiting.question.id, value: 'approve' })
    expect((await ended(planId)).status).toBe('done')
    expect(sent).toEqual(['bob'])
    expect([first.requests.length, second.requests.length]).toEqual([1, 1])
  })

  it.each([
    ['one after the other', 1],
    ['eight at once', 8],
  ])('makes no call that its plan’s budget does not cover: %s', async (_, width) => {
    const { harness, ended, seen, work } = world()
    let n = 0
    const reply = () => calls(...Array.from({ length: width }, () => ['look', { at: `${++n}` }] as const))
    await work(scriptedModel(reply))
    const { planId } = await harness.createPlan({ goal: 'letters', steps, budget: { maxToolCalls: 3 } })
    expect((await ended(planId)).status).toBe('failed')
    expect(seen).toHaveLength(3)
  })

  it('asks its model nothing that the tokens left might not cover', async () => {
    const { harness, ended, work } = world()
    const model = script()
    await work(model)
    const { planId, steps: ids } = await harness.createPlan({ goal: 'letters', steps, budget: { maxTokens: 4000 } })
    expect((await ended(planId)).status).toBe('failed')
    expect(model.requests).toEqual([])
    expect((await harness.step(ids['a'] ?? '')).payload.failure).toMatchObject({ code: 'budget_exhausted' })
  })

  it('asks a model without a price nothing where money is limited', async () => {
    const { harness, ended, work } = world()
    const model = script()
    await work(model)
    const { planId, steps: ids } = await harness.createPlan({ goal: 'letters', steps, budget: { maxCostMicros: 2000 } })
    expect((await ended(planId)).status).toBe('failed')
    expect(model.requests).toEqual([])
    expect((await harness.step(ids['a'] ?? '')).payload.failure).toMatchObject({
      code: 'MODEL_UNPRICED',
      message: expect.stringContaining('models.prices') as unknown,
    })
  })

  it('books what its model cost on the plan, and asks nothing the money left might not cover', async () => {
    const { harness, ended, work, store, seen } = world()
    let n = 0
    const model = scriptedModel(() => ({
      ...calls(['look', { at: `${++n}` }]),
      usage: { inputTokens: 10, outputTokens: 10, costMicros: 400 },
    }))
    await work({ ...model, costMicrosOf: () => 1000 })
    const { planId, steps: ids } = await harness.createPlan({ goal: 'letters', steps, budget: { maxCostMicros: 2000 } })
    expect((await ended(planId)).status).toBe('failed')
    // 0, 400 and 800 spent leave room for the 1000 that a reply may cost; 1200 do not.
    expect([seen.length, (await harness.usage(planId)).costMicros]).toEqual([3, 1200])
    expect((await harness.step(ids['a'] ?? '')).payload.failure).toMatchObject({ code: 'budget_exhausted' })
    expect(traceMetrics(await readTrace(store.log, { planId, owner: 'ada' }))).toMatchObject({ costMicros: 1200 })
  })
})

async function waitFor<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
