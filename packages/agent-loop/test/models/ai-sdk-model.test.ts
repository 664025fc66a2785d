import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineTool, type Message, type Model, type ModelRequest, runInnerLoop } from '../../src/index.ts'
import { classifyError } from '../../src/loop/pure/classify-error.ts'
import { type AiSdkLanguageModel, aiSdkModel, askStructured } from '../../src/models/index.ts'
import { startScriptedServer } from '../../../../tools/scripted-model.mjs'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

function runtime() {
  const waits: number[] = []
  return { waits, now: () => 0, random: () => 0, sleep: async (ms: number) => void waits.push(ms) }
}

async function ask(model: Model, request: Partial<ModelRequest> = {}) {
  const messages = [{ role: 'user', text: 'Hello?' }] as const
  return model.respond({ messages, tools: [], signal: new AbortController().signal, maxOutputTokens: 50, ...request })
}

const key = 'sk-very-secret-0123456789'

async function provider(script: Parameters<typeof startScriptedServer>[0], insistsOn = key) {
  const server = await startScriptedServer(script, { key: insistsOn })
  open.push(server)
  const clock = runtime()
  const made = createOpenAICompatible({ name: 'local', baseURL: server.url, apiKey: key, includeUsage: true })
  return { server, clock, model: aiSdkModel(made('tiny'), { runtime: clock, secrets: [key] }) }
}

const usage = {
  inputTokens: { total: 1000, noCache: 600, cacheRead: 400, cacheWrite: 0 },
  outputTokens: { total: 100, text: 100, reasoning: 0 },
}
const finishReason = { unified: 'stop', raw: 'stop' } as const

function isMarked({ providerOptions }: { readonly providerOptions?: object }): boolean {
  if (providerOptions === undefined) return false
  expect(providerOptions).toEqual({ anthropic: { cacheControl: { type: 'ephemeral' } } })
  return true
}

describe('a model of the AI SDK', () => {
  it('runs the loop with tools, streaming, through a real provider package', async () => {
    const { model, server } = await provider([
      { text: 'I look.', calls: [['look', { at: 'sky' }]] },
      { text: 'It is blue.' },
    ])
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      input: z.object({ at: z.string() }),
      nature: 'pure',
      run: async ({ at }) => `the ${at} is blue`,
    })
    const pieces: string[] = []
    const end = await runInnerLoop({
      model,
      tools: [look],
      messages: [
        { role: 'system', text: 'Be brief.' },
        { role: 'user', text: 'What colour is the sky?' },
      ],
      onText: (piece) => pieces.push(piece),
    })
    expect(end).toMatchObject({
      stop: { reason: 'text_only', text: 'It is blue.' },
      spent: { tokens: 30, toolCalls: 1 },
    })
    expect(pieces.join('')).toBe('I look.It is blue.')
    const asked = server.requests[1]?.body.messages
    expect(asked?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
    expect(asked?.at(-1)?.content).toBe('the sky is blue')
  })

  it('gives structured answers', async () => {
    const { model } = await provider([{ text: '{"n": "one"}' }, { text: '{"n": 1}' }])
    const schema = z.object({ n: z.number() })
    const answer = await askStructured(model, { messages: [{ role: 'user', text: 'n?' }], schema, name: 'number' })
    expect(answer).toMatchObject({ ok: true, value: { n: 1 } })
  })

  it('is asked again as its provider says, and tells no key', async () => {
    const busy = await provider([{ status: 429, headers: { 'retry-after': '3' } }, { text: 'ok' }])
    expect((await ask(busy.model)).text).toBe('ok')
    expect(busy.clock.waits).toEqual([3000])
    const wrong = await provider([], 'another')
    const error: unknown = await ask(wrong.model).catch((caught: unknown) => caught)
    expect(classifyError(error)).toMatchObject({ type: 'permission', retryable: false })
    expect(wrong.server.requests).toHaveLength(1)
    expect(String(error)).toContain('[key]')
    expect(JSON.stringify([String(error), (error as Error).stack, error])).not.toContain(key)
    expect(error).not.toHaveProperty('cause')
  })

  it('is the same whole and in pieces, and costs what its prices say', async () => {
    const mock = new MockLanguageModelV3({
      doGenerate: async () => ({
        content: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'text', text: 'Hello!' },
          { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: '{"at":1}' },
        ],
        finishReason,
        usage,
        warnings: [],
      }),
      doStream: async () => ({
        stream: simulateReadableStream({
          chunks: [
            { type: 'stream-start', warnings: [] },
            { type: 'reasoning-delta', id: '0', delta: 'Hm.' },
            { type: 'text-delta', id: '1', delta: 'Hel' },
            { type: 'text-delta', id: '1', delta: 'lo!' },
            { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: '{"at":1}' },
            { type: 'finish', finishReason, usage },
          ],
          initialDelayInMs: null,
          chunkDelayInMs: null,
        }),
      }),
    })
    const price = { input: 3, output: 15, cachedInput: 0.3 }
    const model = aiSdkModel(mock, { runtime: runtime(), price })
    const pieces: string[] = []
    const streamed = await ask(model, { onText: (piece) => pieces.push(piece) })
    expect(streamed).toEqual({
      text: 'Hello!',
      calls: [{ id: 'a', tool: 'look', args: '{"at":1}' }],
      usage: { inputTokens: 1000, outputTokens: 100, costMicros: 3420 },
    })
    expect(await ask(model)).toEqual(streamed)
    expect(pieces).toEqual(['Hel', 'lo!'])
  })

  it('marks what stays the same from turn to turn, and only there', async () => {
    const mock = new MockLanguageModelV3({
      doGenerate: async () => ({ content: [{ type: 'text', text: 'ok' }], finishReason, usage, warnings: [] }),
    })
    const messages: Message[] = [
      { role: 'system', text: 'Be brief.' },
      { role: 'user', text: 'Look.' },
      { role: 'assistant', text: '', calls: [{ id: 'a', tool: 'look', args: '{}' }] },
      { role: 'tool', callId: 'a', tool: 'look', text: 'blue', failed: false },
    ]
    const tools = [{ name: 'look', description: 'Looks.', input: { type: 'object' } }]
    const markedIn = async (options: { readonly cacheMarks?: boolean }, request: Partial<ModelRequest>) => {
      await ask(aiSdkModel(mock, { runtime: runtime(), ...options }), request)
      return mock.doGenerateCalls.at(-1)?.prompt.map(isMarked)
    }
    // After the instructions, after the question of the last time, and after that of this time.
    expect(await markedIn({}, { messages, tools })).toEqual([true, true, false, true])
    expect(await markedIn({}, { messages: messages.slice(0, 2), tools })).toEqual([true, true])
    expect(await markedIn({ cacheMarks: false }, { messages, tools })).toEqual([false, false, false, false])
    expect(await markedIn({}, { messages })).toEqual([false, false, false, false])
  })

  it.each([
    ['6', { ...usage, inputTokens: { total: 1000, noCache: 100, cacheRead: 400, cacheWrite: 500 } }, undefined],
    [
      '5',
      { inputTokens: 100, outputTokens: 100, cachedInputTokens: 400 },
      { anthropic: { cacheCreationInputTokens: 500 } },
    ],
  ] as const)('books what the cache was read and written, of version %s', async (_, used, providerMetadata) => {
    const content = [{ type: 'text', text: 'ok' }]
    const made: AiSdkLanguageModel = {
      provider: 'anthropic.messages',
      modelId: 'tiny',
      doGenerate: async () => ({ content, usage: used, providerMetadata }),
      doStream: async () => ({
        stream: new ReadableStream({
          start(controller) {
            controller.enqueue({ type: 'text-delta', delta: 'ok' } as never)
            controller.enqueue({ type: 'finish', usage: used, providerMetadata } as never)
            controller.close()
          },
        }),
      }),
    }
    const price = { input: 3, output: 15, cachedInput: 0.3 }
    const model = aiSdkModel(made, { runtime: runtime(), price })
    // Writing costs a quarter more, although the price list does not say so: 100 * 3 + 400 * 0.3 + 500 * 3.75 + 100 * 15.
    const expected = { inputTokens: 1000, outputTokens: 100, costMicros: 300 + 120 + 1875 + 1500 }
    expect((await ask(model)).usage).toEqual(expected)
    expect((await ask(model, { onText: () => undefined })).usage).toEqual(expected)
    // Everything may be written into the cache, so that is what is reserved.
    expect(model.costMicrosOf?.({ inputTokens: 1000, outputTokens: 100 })).toBe(3750 + 1500)
    const named = aiSdkModel(made, { runtime: runtime(), price: { ...price, cacheWrite: 6 } })
    expect((await ask(named)).usage?.costMicros).toBe(300 + 120 + 3000 + 1500)
  })

  it('gives no reply where its stream breaks off', async () => {
    const broken = new MockLanguageModelV3({
      doStream: async () => ({
        stream: simulateReadableStream({
          chunks: [{ type: 'text-delta', id: '1', delta: 'Hel' }],
          chunkDelayInMs: null,
        }),
      }),
    })
    const model = aiSdkModel(broken, { runtime: runtime() })
    await expect(ask(model, { onText: () => undefined })).rejects.toThrow('stopped in the middle')
    expect(broken.doStreamCalls).toHaveLength(1)
  })
})
