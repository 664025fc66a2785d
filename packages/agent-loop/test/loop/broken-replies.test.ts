import { describe, expect, it } from 'vitest'
import {
  createBudget,
  type InnerLoopOptions,
  type LoopObservation,
  type Model,
  runInnerLoop,
  type Spend,
} from '../../src/index.ts'
import { ModelError, withFallbacks } from '../../src/models/index.ts'
import { patientRuntime, scriptedModel } from '../../../../tools/model-in-process.mjs'

const price: Required<Pick<Model, 'costMicrosOf'>> = {
  costMicrosOf: ({ inputTokens, outputTokens }) => inputTokens + 5 * outputTokens,
}
const cutOff = new ModelError('it stopped in the middle of its answer', { type: 'unavailable', ill: true })
const limits = { outputTokens: 500 }
const done = { text: 'Done.', usage: { inputTokens: 100, outputTokens: 5 } }

async function run(model: Model, options: Partial<InnerLoopOptions> = {}) {
  const observed: LoopObservation[] = []
  const end = await runInnerLoop({
    model,
    messages: [{ role: 'user', text: 'Do it.' }],
    observe: (event) => void observed.push(event),
    runtime: patientRuntime(),
    limits,
    ...options,
  })
  if (end.ended !== 'stopped') throw new TypeError('the loop was asking')
  const told = (of: 'tokens' | 'costMicros') => observed.reduce((sum, { data }) => sum + Number(data[of] ?? 0), 0)
  const broken = observed.filter(({ data }) => data['broken'] === true)
  return { end, broken, told: { tokens: told('tokens'), costMicros: told('costMicros') } }
}

/** What is reserved for the first reply: the estimated input, and the most output. */
async function mostOf(): Promise<number> {
  let most = 0
  const reserve = async ({ tokens }: Spend) => {
    most = tokens
    return { granted: false, limit: 'none' } as const
  }
  await run(scriptedModel(done), { budget: { reserve } })
  return most
}

describe('a reply that breaks off', () => {
  it('is recorded and asked for again, and the figures are those of the provider', async () => {
    const most = await mostOf()
    const { end, broken, told } = await run({ ...scriptedModel(cutOff, done), ...price })
    expect(end.stop).toMatchObject({ reason: 'text_only', text: 'Done.' })
    expect(end.spent).toEqual({ tokens: 105, costMicros: 125, toolCalls: 0 })
    expect(told).toEqual({ tokens: 105, costMicros: 125 })
    expect(broken.map(({ content }) => content)).toEqual([
      `a reply broke off: it stopped in the middle of its answer; the provider may charge up to ${most} tokens for it`,
    ])
  })

  it('is booked with what the model says that it used', async () => {
    const known = Object.assign(new Error('cut off'), { usage: { inputTokens: 100, outputTokens: 20 } })
    const { end } = await run({ ...scriptedModel(known, done), ...price })
    expect(end.spent).toEqual({ tokens: 225, costMicros: 200 + 125, toolCalls: 0 })
  })

  it.each([
    ['that the provider refused', Object.assign(new Error('overloaded'), { status: 529 })],
    ['that never reached the provider', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    ['for which the model says that nobody charges', Object.assign(new Error('x'), { mayBeCharged: false })],
  ])('counts nothing for a request %s', async (_, error) => {
    const { end, broken } = await run({ ...scriptedModel(error, done), ...price })
    expect(end.spent).toEqual({ tokens: 105, costMicros: 125, toolCalls: 0 })
    expect(broken).toEqual([])
  })

  it('is not asked for again if the budget does not cover another one beside it', async () => {
    const most = await mostOf()
    const model = { ...scriptedModel(cutOff, done), ...price }
    const { end } = await run(model, { budget: createBudget({ tokens: 2 * most - 1 }) })
    expect(end.stop).toMatchObject({ reason: 'budget_exhausted', limit: 'tokens' })
    expect([model.requests.length, end.spent.tokens]).toEqual([1, 0])
    const enough = { ...scriptedModel(cutOff, done), ...price }
    expect((await run(enough, { budget: createBudget({ tokens: 2 * most }) })).end.stop.reason).toBe('text_only')
  })

  it('counts also where it is empty, and is asked for again within the budget', async () => {
    const most = await mostOf()
    const empty = { text: ' ', usage: { inputTokens: most - 500, outputTokens: 500 } }
    const model = { ...scriptedModel(empty, done), ...price }
    const { end } = await run(model, { budget: createBudget({ tokens: 2 * most - 1 }) })
    expect(end.stop).toMatchObject({ reason: 'budget_exhausted', limit: 'tokens' })
    expect([model.requests.length, end.spent.tokens]).toEqual([1, most])
  })

  it('counts once where it arrives after its timeout', async () => {
    const late: { answer?: () => void } = {}
    const model = scriptedModel(
      () => new Promise((resolve) => (late.answer = () => resolve(done))),
      () => {
        late.answer?.()
        return done
      },
    )
    let timeouts = 0
    const runtime = { sleep: async (ms: number) => (ms === 1000 && ++timeouts > 1 ? forever() : undefined) }
    const modelRetry = { timeoutMs: 1000, baseMs: 1 }
    const { end, broken } = await run({ ...model, ...price }, { runtime, modelRetry })
    expect(end.stop.reason).toBe('text_only')
    expect([end.spent.tokens, broken.length]).toEqual([105, 1])
  })

  it('counts before another model answers in its place, which is asked only within the budget', async () => {
    const most = await mostOf()
    const { end, broken } = await run(chain(scriptedModel(done)))
    expect([end.stop.reason, end.spent.tokens, broken.length]).toEqual(['text_only', 105, 1])
    const small = scriptedModel(done)
    const poor = await run(chain(small), { budget: createBudget({ tokens: 2 * most - 1 }) })
    expect(poor.end.stop).toMatchObject({ reason: 'budget_exhausted', limit: 'tokens' })
    expect([small.requests.length, poor.broken.length]).toEqual([0, 1])
  })
})

function chain(small: Model): Model {
  return withFallbacks([named('large', scriptedModel(cutOff)), named('small', small)])
}

function named(name: string, model: Model) {
  return { name, model: { ...model, ...price } }
}

async function forever(): Promise<never> {
  return new Promise(() => undefined)
}
