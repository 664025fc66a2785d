import { describe, expect, it } from 'vitest'
import { createBudget, type LoopObservation, type Model, type ModelReply, runInnerLoop } from '../../src/index.ts'
import { ModelError, withFallbacks } from '../../src/models/index.ts'

const request = { messages: [], tools: [], signal: new AbortController().signal, maxOutputTokens: 10 }
const usage = { inputTokens: 100, outputTokens: 10 }

function modelThat(does: () => ModelReply, perToken?: number): Model & { readonly asked: () => number } {
  let asked = 0
  return {
    asked: () => asked,
    ...(perToken !== undefined && {
      costMicrosOf: ({ inputTokens, outputTokens }) => (inputTokens + outputTokens) * perToken,
    }),
    async respond({ onText }) {
      asked++
      onText?.('Hel')
      return does()
    },
  }
}

const fails = (error: Error) => (): never => {
  throw error
}
const outage = new ModelError('503 from large', { type: 'unavailable', status: 503, ill: true })

describe('models that answer if one cannot', () => {
  it.each([
    ['an outage', outage],
    ['a paused provider', new ModelError('left alone', { type: 'unavailable', providerCode: 'breaker_open' })],
    ['a rate limit', new ModelError('429', { type: 'unavailable', status: 429, retryAfterMs: 3_600_000 })],
    [
      'a conversation that is too long',
      new ModelError('too long', { type: 'validation', status: 400, providerCode: 'context_length_exceeded' }),
    ],
  ])('are asked in order after %s, at the price of the one that answers', async (_, error) => {
    const [large, middle, small] = [
      modelThat(fails(error), 5),
      modelThat(fails(outage), 3),
      modelThat(() => ({ text: 'Hi', usage }), 1),
    ]
    const model = withFallbacks([
      { name: 'large', model: large },
      { name: 'middle', model: middle },
      { name: 'small', model: small },
    ])
    const reply = await model.respond(request)
    expect(reply).toMatchObject({ text: 'Hi', usage: { costMicros: 110 } })
    expect(reply.note).toBe(`small answered, because large could not: ${error.message}`)
    // Reserved is what the dearest would cost.
    expect(model.costMicrosOf?.(usage)).toBe(550)
  })

  it('are not asked while the first one answers, nor about a request that is wrong', async () => {
    const spare = modelThat(() => ({ text: 'Hi' }))
    const well = withFallbacks([
      { name: 'a', model: modelThat(() => ({ text: 'Hello', usage })) },
      { name: 'b', model: spare },
    ])
    expect(await well.respond(request)).toEqual({ text: 'Hello', usage })
    const wrong = new ModelError('no such model', { type: 'validation', status: 400 })
    const refused = withFallbacks([
      { name: 'a', model: modelThat(fails(wrong)) },
      { name: 'b', model: spare },
    ])
    await expect(refused.respond(request)).rejects.toBe(wrong)
    expect(spare.asked()).toBe(0)
  })

  it('are not asked once a part of the answer was shown', async () => {
    const spare = modelThat(() => ({ text: 'Hi' }))
    const model = withFallbacks([
      { name: 'a', model: modelThat(fails(outage)) },
      { name: 'b', model: spare },
    ])
    await expect(model.respond({ ...request, onText: () => undefined })).rejects.toBe(outage)
    expect(spare.asked()).toBe(0)
  })

  it('give the error of the first if none answers, and no price if one has none', async () => {
    const other = new ModelError('down, too', { type: 'unavailable' })
    const model = withFallbacks([
      { name: 'a', model: modelThat(fails(outage), 1) },
      { name: 'b', model: modelThat(fails(other)) },
    ])
    await expect(model.respond(request)).rejects.toBe(outage)
    expect('costMicrosOf' in model).toBe(false)
  })

  it('are named in the trace, and cost a loop what they cost', async () => {
    const seen: LoopObservation[] = []
    const model = withFallbacks([
      { name: 'large', model: modelThat(fails(outage), 5) },
      { name: 'small', model: modelThat(() => ({ text: 'Hi', usage }), 1) },
    ])
    const end = await runInnerLoop({
      model,
      messages: [{ role: 'user', text: 'Hello' }],
      budget: createBudget({ costMicros: 1_000_000 }),
      observe: (observation) => void seen.push(observation),
    })
    expect(end).toMatchObject({ spent: { costMicros: 110, tokens: 110 } })
    expect(seen[0]?.content).toBe('small answered, because large could not: 503 from large')
  })
})
