import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import type { ModelReply, TokenUsage } from '../../src/index.ts'
import { askStructured } from '../../src/models/ask-structured.ts'
import { jsonInText } from '../../src/models/pure/json-in-text.ts'
import { type Line, scriptedModel } from '../../../../tools/model-in-process.mjs'

const schema = z.object({ steps: z.array(z.object({ key: z.string().min(1) })).min(1) })
const usage = { inputTokens: 10, outputTokens: 5 }
const said = (text: string): ModelReply => ({ text, usage })
const good = '{"steps":[{"key":"s1"}]}'

async function asked(...lines: readonly Line[]) {
  const model = scriptedModel(...lines)
  const spent: TokenUsage[] = []
  const answer = await askStructured(model, {
    messages: [
      { role: 'system', text: 'You plan.' },
      { role: 'user', text: 'Build a house.' },
    ],
    schema,
    name: 'plan',
    signal: new AbortController().signal,
    onUsage: (each) => spent.push(each),
  })
  return { answer, model, spent }
}

describe('a structured answer', () => {
  it.each([
    ['as it is', good],
    ['in fences', `Here you are:\n\`\`\`json\n${good}\n\`\`\`\nDone.`],
    ['between words', `The plan is ${good}. Good luck!`],
  ])('is read %s', async (_, text) => {
    const { answer, model } = await asked(said(text))
    expect(answer).toEqual({ ok: true, value: { steps: [{ key: 's1' }] }, usage })
    expect(model.requests).toHaveLength(1)
    if (answer.ok) expectTypeOf(answer.value).toEqualTypeOf<{ steps: { key: string }[] }>()
  })

  it('is asked for in words after the other instructions, and as a format for models that know of it', async () => {
    const { model } = await asked(said(good))
    const { messages, format, tools } = model.requests[0] ?? {}
    expect(messages?.map(({ role }) => role)).toEqual(['system', 'system', 'user'])
    expect(messages?.[1]?.text).toContain('"steps"')
    expect(format).toMatchObject({ name: 'plan', schema: { type: 'object', required: ['steps'] } })
    expect(tools).toEqual([])
  })

  it('is asked for once more with what the schema refused', async () => {
    const { answer, model, spent } = await asked(said('{"steps":[{"key":""}]}'), said(good))
    expect(answer).toEqual({
      ok: true,
      value: { steps: [{ key: 's1' }] },
      usage: { inputTokens: 20, outputTokens: 10 },
    })
    expect(model.requests[1]?.messages.at(-1)?.text).toContain('steps.0.key: ')
    expect(spent).toEqual([usage, usage])
  })

  it.each([
    ['nothing', '', 'it is empty'],
    ['words', 'I would rather not.', 'it holds no JSON'],
    ['half a value', '{"steps":[{"key":"s', 'it holds no JSON'],
    ['another value', '{"plan":[]}', 'steps: '],
  ])('is a problem when the model gives %s twice', async (_, text, problem) => {
    const { answer, model } = await asked(said(text))
    expect(answer).toMatchObject({ ok: false, problem: expect.stringContaining(problem) as unknown })
    expect(model.requests).toHaveLength(2)
  })

  it('estimates what was used where the model does not say', async () => {
    const { answer } = await asked({ text: good })
    expect(answer.usage.inputTokens).toBeGreaterThan(20)
    expect(answer.usage.outputTokens).toBe(6)
  })

  it('throws what the model throws, and when it is called off', async () => {
    const error = new Error('overloaded')
    await expect(asked(error)).rejects.toBe(error)
    const stop = new AbortController()
    const model = scriptedModel(() => {
      stop.abort(new Error('enough'))
      return said('no')
    })
    const question = { messages: [{ role: 'user', text: 'Go.' }], schema, name: 'plan', signal: stop.signal } as const
    await expect(askStructured(model, question)).rejects.toThrow('enough')
    expect(model.requests).toHaveLength(1)
  })
})

describe('jsonInText', () => {
  it.each<[text: string, values: unknown[]]>([
    ['{"a":1}', [{ a: 1 }]],
    ['```\n{"a":1}\n```\n```json\n{"b":2}\n```', [{ a: 1 }, { b: 2 }]],
    ['7', [7]],
    ['no', []],
    ['{"a":{"b":"}"}} and more', [{ a: { b: '}' } }]],
    ['[1] of {"a":1}', [{ a: 1 }]],
  ])('finds in %j what it may mean', (text, values) => {
    expect(jsonInText(text)).toEqual(expect.arrayContaining(values))
    expect(jsonInText(text)[0]).toEqual(values[0])
  })
})
