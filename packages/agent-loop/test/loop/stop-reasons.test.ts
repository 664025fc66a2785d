import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  createBudget,
  defineTool,
  type InnerLoopOptions,
  type LoopEnd,
  type LoopObservation,
  runInnerLoop,
  type Stop,
  stepOutcome,
  ToolError,
  type TokenUsage,
} from '../../src/index.ts'
import { stopReasons } from '../../src/loop/pure/stop.ts'
import { calls, patientRuntime, protocolProblem, scriptedModel } from '../../../../tools/model-in-process.mjs'

const read = defineTool({
  name: 'read',
  description: 'Reads a file.',
  input: z.object({ path: z.string() }),
  nature: 'pure',
  run: async ({ path }) => `text of ${path}`,
})

const messages = [
  { role: 'system', text: 'You do things.' },
  { role: 'user', text: 'Do it.' },
] as const

async function run(options: Pick<InnerLoopOptions, 'model'> & Partial<InnerLoopOptions>) {
  const observed: LoopObservation[] = []
  const observe = (event: LoopObservation): void => {
    observed.push(event)
  }
  const end = await runInnerLoop({ messages, tools: [read], observe, runtime: patientRuntime(), ...options })
  return { end, stop: stopOf(end), observed }
}

function stopOf(end: LoopEnd): Stop {
  if (end.ended !== 'stopped') throw new TypeError('the loop was asking')
  expect(protocolProblem(end.messages)).toBe(undefined)
  return end.stop
}

let n = 0
const wordy = () => calls(['read', { path: `${'x'.repeat(400)}${++n}` }], ['read', { path: `y${++n}` }])
const endless = () => calls(['read', { path: `file-${++n}` }])

/** One adversary for each name. */
const adversaries: Readonly<Record<Stop['reason'], () => Pick<InnerLoopOptions, 'model'> & Partial<InnerLoopOptions>>> =
  {
    respondToUser: () => ({ model: scriptedModel(calls(['respondToUser', { text: 'Done.' }])) }),
    text_only: () => ({ model: scriptedModel({ text: 'Done.' }) }),
    budget_exhausted: () => ({ model: scriptedModel(endless), budget: createBudget({ toolCalls: 3 }) }),
    loop_detected: () => ({ model: scriptedModel(() => calls(['read', { path: 'a' }])) }),
    hard_error: () => ({ model: scriptedModel(Object.assign(new Error('no'), { status: 401 })) }),
    max_iterations: () => ({ model: scriptedModel(endless), limits: { iterations: 7 } }),
  }

describe('every stop', () => {
  it.each(stopReasons)('%s has its name, is recorded once, and is the last thing recorded', async (reason) => {
    const { stop, observed } = await run(adversaries[reason]())
    expect(stop.reason).toBe(reason)
    const stops = observed.filter(({ data }) => data['reason'] !== undefined)
    expect(stops).toHaveLength(1)
    expect(stops[0]).toBe(observed.at(-1))
    expect(stops[0]).toMatchObject({ kind: 'note', data: { reason } })
  })

  it.each([
    ['respondToUser', true],
    ['text_only', true],
    ['budget_exhausted', false],
    ['loop_detected', false],
    ['hard_error', false],
    ['max_iterations', false],
  ] as const)('%s: the step succeeds: %s', async (reason, ok) => {
    expect(stepOutcome((await run(adversaries[reason]())).stop).ok).toBe(ok)
  })
})

describe('answering', () => {
  it('makes the other calls of the reply before it ends', async () => {
    const model = scriptedModel(calls(['respondToUser', { text: 'Read.' }], ['read', { path: 'a' }]))
    const { stop, observed } = await run({ model })
    expect(stop).toEqual({ reason: 'respondToUser', text: 'Read.' })
    expect(observed.map(({ content }) => content)).toContain('read: text of a')
  })

  it('lets the model try again when the answer has no text', async () => {
    const model = scriptedModel(calls(['respondToUser', { answer: 'x' }]), calls(['respondToUser', { text: 'Now.' }]))
    expect((await run({ model })).stop).toEqual({ reason: 'respondToUser', text: 'Now.' })
  })

  it('asks again after an empty reply, and fails when it stays empty', async () => {
    expect((await run({ model: scriptedModel({ text: ' ' }, { text: 'Here.' }) })).stop.reason).toBe('text_only')
    const { stop } = await run({ model: scriptedModel({}) })
    expect(stop).toMatchObject({ reason: 'hard_error', source: 'model', error: { type: 'unavailable', attempts: 3 } })
  })

  it('streams the text as it comes', async () => {
    const pieces: string[] = []
    const model = scriptedModel(({ onText }) => {
      onText?.('Do')
      onText?.('ne.')
      return { text: 'Done.' }
    })
    await run({ model, onText: (piece, { reply, attempt }) => pieces.push(`${reply}.${attempt} ${piece}`) })
    expect(pieces).toEqual(['1.1 Do', '1.1 ne.'])
  })
})

describe('going in circles', () => {
  it('is warned once, then stopped: three times running, and once more', async () => {
    const model = scriptedModel(() => ({ ...calls(['read', { path: 'a' }]), text: 'Hm.' }))
    const { stop, observed } = await run({ model })
    expect(stop).toEqual({ reason: 'loop_detected', tool: 'read', rule: 'run', times: 4, text: 'Hm.' })
    expect(observed.filter(({ data }) => data['nudge'] !== undefined)).toHaveLength(1)
    const warned = model.requests[3]?.messages.at(-1)
    expect(warned).toMatchObject({ role: 'system', text: expect.stringContaining('3 times') as string })
  })

  it('is also found when two calls take turns', async () => {
    let turn = 0
    const { stop } = await run({ model: scriptedModel(() => calls(['read', { path: turn++ % 2 === 0 ? 'a' : 'b' }])) })
    expect(stop).toMatchObject({ reason: 'loop_detected', rule: 'total', times: 5 })
  })

  it('is not what a model does that heeds the warning', async () => {
    const model = scriptedModel(({ messages: said }) =>
      said.at(-1)?.role === 'system' ? { text: 'Enough.' } : calls(['read', { path: 'a' }]),
    )
    expect((await run({ model })).stop).toEqual({ reason: 'text_only', text: 'Enough.' })
  })

  it('is not what a call is that brings something new each time', async () => {
    let line = 0
    const tail = defineTool({ ...definition('tail', 'pure'), run: async () => `line ${++line}` })
    const model = scriptedModel(() => calls(['tail', {}]))
    const { stop } = await run({ model, tools: [tail], limits: { iterations: 20 } })
    expect(stop).toMatchObject({ reason: 'max_iterations', iterations: 20 })
  })

  it('is what polling does for a living, up to a cap of its own', async () => {
    const poll = defineTool({ ...definition('poll', 'pure'), polling: true, run: async () => 'not yet' })
    const { stop } = await run({
      model: scriptedModel(() => calls(['poll', {}])),
      tools: [poll],
      limits: { polls: 30 },
    })
    expect(stop).toMatchObject({ reason: 'loop_detected', rule: 'polls', times: 31 })
  })
})

describe('limits', () => {
  it('answers the calls it does not make, and makes those within the limit', async () => {
    const ten = calls(...Array.from({ length: 10 }, (_, i) => ['read', { path: `p${i}` }] as const))
    const model = scriptedModel(ten, { text: 'ok' })
    const { observed } = await run({ model })
    expect(observed.filter(({ kind }) => kind === 'tool_result')).toHaveLength(8)
    const answers = model.requests[1]?.messages.filter(({ role }) => role === 'tool')
    expect(answers).toHaveLength(10)
    expect(answers?.at(-1)?.text).toContain('a reply may make 8 calls')
  })

  it('never passes the ceilings of 200 rounds and 12 calls', async () => {
    const { stop } = await run({ model: scriptedModel(endless), limits: { iterations: 1000 } })
    expect(stop).toMatchObject({ reason: 'max_iterations', iterations: 200 })
    const many = calls(...Array.from({ length: 15 }, () => ['read', { path: `q${++n}` }] as const))
    const { observed } = await run({ model: scriptedModel(many, { text: 'ok' }), limits: { callsPerReply: 99 } })
    expect(observed.filter(({ kind }) => kind === 'tool_result')).toHaveLength(12)
  })

  it('does not ask the model when its reply might not be covered', async () => {
    const model = scriptedModel({ text: 'hello' })
    const { stop } = await run({ model, budget: createBudget({ tokens: 1000 }), limits: { outputTokens: 1000 } })
    expect(stop).toMatchObject({ reason: 'budget_exhausted', limit: 'tokens' })
    expect(model.requests).toEqual([])
  })

  it('does not ask the model when its reply might cost more than is left', async () => {
    const script = scriptedModel(endless)
    const model = { ...script, costMicrosOf: (most: TokenUsage) => most.inputTokens + 100 * most.outputTokens }
    const limits = { outputTokens: 1000 }
    const { stop, end } = await run({ model, budget: createBudget({ costMicros: 101_000 }), limits })
    expect(stop).toMatchObject({ reason: 'budget_exhausted', limit: 'costMicros' })
    // Each reply took 10 and 5 tokens, 510 millionths; two of them leave less than a third might take.
    expect(script.requests).toHaveLength(2)
    expect(end).toMatchObject({ spent: { costMicros: 1020 } })
  })

  it('believes the provider about what a reply cost, and expects the next one to cost as much', async () => {
    const usage = { inputTokens: 10, outputTokens: 5, costMicros: 1500 }
    const model = scriptedModel(() => ({ ...endless(), usage }))
    const budget = createBudget({ costMicros: 100_000 })
    const { stop, end, observed } = await run({ model, budget, limits: { outputTokens: 500 } })
    expect(stop).toMatchObject({ reason: 'budget_exhausted', limit: 'costMicros' })
    const told = observed.reduce((sum, { data }) => sum + (Number(data['costMicros']) || 0), 0)
    expect(end).toMatchObject({ spent: { costMicros: told } })
    expect(told).toBe(1500 * model.requests.length)
    expect(told).toBeGreaterThan(0)
    expect(told).toBeLessThanOrEqual(100_000)
  })

  it('makes no call over the budget, also when all calls come at once', async () => {
    let ran = 0
    const count = defineTool({ ...definition('count', 'pure'), run: async () => `${++ran}` })
    const model = scriptedModel(calls(['count', { i: 1 }], ['count', { i: 2 }], ['count', { i: 3 }]))
    const { stop } = await run({ model, tools: [count], budget: createBudget({ toolCalls: 2 }) })
    expect(stop).toMatchObject({ reason: 'budget_exhausted', limit: 'toolCalls' })
    expect(ran).toBe(2)
  })

  it('tells of every token and every call exactly once', async () => {
    const model = scriptedModel(calls(['read', { path: 'a' }], ['read', { path: 'b' }]), calls(['nope', {}]), {
      text: 'ok',
      usage: { inputTokens: 7, outputTokens: 1 },
    })
    const { end, observed } = await run({ model })
    const sum = (name: string) => observed.reduce((total, { data }) => total + (Number(data[name]) || 0), 0)
    expect(end).toMatchObject({ spent: { tokens: 38, toolCalls: 2 } })
    expect([sum('tokens'), sum('toolCalls')]).toEqual([38, 2])
  })
})

describe('what a provider does', () => {
  it('gets each call answered under an id of its own, also when it sends none or the same twice', async () => {
    const reply = {
      calls: [
        { id: '', tool: 'read', args: '{"path":"a"}' },
        { id: 'x', tool: 'read', args: '{"path":"b"}' },
        { id: 'x', tool: 'read', args: '{"path":"c"}' },
      ],
    }
    const model = scriptedModel(reply, reply, { text: 'ok' })
    expect((await run({ model })).stop.reason).toBe('text_only')
    expect(new Set(model.requests[2]?.messages.flatMap((m) => (m.role === 'tool' ? [m.callId] : []))).size).toBe(6)
  })

  it('is asked again after a passing fault, and not after a refusal', async () => {
    const busy = Object.assign(new Error('slow down'), { status: 429, retryAfterMs: 2000 })
    const runtime = patientRuntime()
    expect((await run({ model: scriptedModel(busy, { text: 'ok' }), runtime })).stop.reason).toBe('text_only')
    expect(runtime.waits).toEqual([2000])
    const model = scriptedModel(Object.assign(new Error('who are you'), { status: 401 }))
    expect((await run({ model })).stop).toMatchObject({ reason: 'hard_error', error: { type: 'permission' } })
    expect(model.requests).toHaveLength(1)
  })

  it('is shown less when it says that the context is too long, until nothing can be left out', async () => {
    const tooLong = Object.assign(new Error('prompt is too long: 9 > 8'), { status: 400 })
    const shrinking = scriptedModel(...Array.from({ length: 9 }, endless), tooLong, { text: 'ok' })
    const { stop, observed } = await run({ model: shrinking })
    expect(stop.reason).toBe('text_only')
    expect(observed.some(({ data }) => Number(data['dropped']) > 0)).toBe(true)
    expect((await run({ model: scriptedModel(tooLong) })).stop).toMatchObject({
      reason: 'budget_exhausted',
      limit: 'context',
    })
  })

  it('sees whole groups of call and result however small the window is', async () => {
    const { stop } = await run({ model: scriptedModel(wordy), window: { maxTokens: 300 }, limits: { iterations: 30 } })
    expect(stop.reason).toBe('max_iterations')
  })
})

describe('calling off', () => {
  it('ends a running call and the loop, and makes no further call', async () => {
    const controller = new AbortController()
    const hang = defineTool({
      ...definition('hang', 'idempotent'),
      run: async () => {
        controller.abort()
        return new Promise<string>(() => {})
      },
    })
    const model = scriptedModel(calls(['hang', {}]))
    const { stop } = await run({ model, tools: [hang], signal: controller.signal })
    expect(stop).toMatchObject({ reason: 'hard_error', source: 'cancelled' })
    expect(model.requests).toHaveLength(1)
  })

  it('asks nobody when it was called off before', async () => {
    const model = scriptedModel({ text: 'ok' })
    expect((await run({ model, signal: AbortSignal.abort() })).stop).toMatchObject({ source: 'cancelled' })
    expect(model.requests).toEqual([])
  })
})

describe('tools', () => {
  it('are all offered without a scope, and none in a scope of nothing', async () => {
    expect(await offered()).toEqual(['read', 'respondToUser'])
    expect(await offered([' read ', 'other'])).toEqual(['read', 'respondToUser'])
    expect(await offered([])).toEqual(['respondToUser'])
    expect(await offered([' '])).toEqual(['respondToUser'])
  })

  it.each([
    ['out of scope', { scope: [] }, 'read', '{"path":"a"}', 'permission'],
    ['unknown', {}, 'reed', '{}', 'not_found'],
    ['given text that is no JSON', {}, 'read', 'path=a', 'validation'],
    ['given arguments that do not fit', {}, 'read', '{"path":1}', 'validation'],
  ])('%s: the model is told, and goes on', async (_, options, tool, args, type) => {
    const model = scriptedModel(calls([tool, args]), { text: 'I see.' })
    const { stop, observed } = await run({ model, ...options })
    expect(stop.reason).toBe('text_only')
    expect(JSON.parse(model.requests[1]?.messages.at(-1)?.text ?? '')).toMatchObject({ type })
    expect(observed[0]).toMatchObject({ kind: 'error', data: { type, toolCalls: 0 } })
  })

  it('are tried again after a passing fault and not after one the model can mend', async () => {
    const runtime = patientRuntime()
    let tries = 0
    const flaky = defineTool({
      ...definition('flaky', 'pure'),
      run: async () => {
        tries++
        if (tries < 3) throw Object.assign(new Error('connect'), { code: 'ECONNRESET' })
        throw new ToolError('not_found', 'no such row', { details: { row: 7 } })
      },
    })
    const model = scriptedModel(calls(['flaky', {}]), { text: 'ok' })
    await run({ model, tools: [flaky], runtime })
    expect(runtime.waits).toEqual([250, 500])
    expect(JSON.parse(model.requests[1]?.messages.at(-1)?.text ?? '')).toEqual({
      type: 'not_found',
      message: 'no such row',
      retryable: false,
      userFixable: true,
      attempts: 3,
      details: { row: 7 },
    })
  })

  it('are cut off at their time limit, also when they do not listen', async () => {
    const deaf = defineTool({
      ...definition('deaf', 'pure'),
      retry: { timeoutMs: 5, attempts: 2, baseMs: 0 },
      run: async () => new Promise<string>(() => {}),
    })
    const model = scriptedModel(calls(['deaf', {}]), { text: 'ok' })
    await run({ model, tools: [deaf], runtime: patientRuntime() })
    expect(JSON.parse(model.requests[1]?.messages.at(-1)?.text ?? '')).toMatchObject({ type: 'timeout', attempts: 2 })
  })

  it('that say themselves that they failed are not tried again', async () => {
    let tries = 0
    const grumpy = defineTool({
      ...definition('grumpy', 'idempotent'),
      run: async () => ({ text: `no ${++tries}`, failed: true }),
    })
    const model = scriptedModel(calls(['grumpy', {}]), { text: 'ok' })
    const { observed } = await run({ model, tools: [grumpy] })
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', text: 'no 1', failed: true })
    expect(observed[0]).toMatchObject({ kind: 'error', data: { toolCalls: 1 } })
  })

  it('may not share a name, or take that of the answer', async () => {
    const model = scriptedModel({ text: 'ok' })
    await expect(run({ model, tools: [read, read] })).rejects.toThrow(TypeError)
    await expect(run({ model, tools: [{ ...read, name: 'respondToUser' }] })).rejects.toThrow('respondToUser')
  })
})

function definition<N extends 'pure' | 'idempotent' | 'effectful'>(name: string, nature: N) {
  return { name, description: name, input: z.looseObject({}), nature }
}

async function offered(scope?: readonly string[]) {
  const model = scriptedModel({ text: 'ok' })
  await run({ model, ...(scope !== undefined && { scope }) })
  return model.requests[0]?.tools.map(({ name }) => name)
}
