import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Message, ModelReply, ModelRequest } from '../../src/index.ts'
import { classifyError, isContextTooLong } from '../../src/loop/pure/classify-error.ts'
import { askStructured, createBreaker, endpointModel, type EndpointModelOptions } from '../../src/models/index.ts'
import { startScriptedServer } from '../../../../tools/scripted-model.mjs'

type Server = Awaited<ReturnType<typeof startScriptedServer>>
type Script = Parameters<typeof startScriptedServer>[0]

const open: Server[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

/** Waits are kept and over at once; time limits run out when a test says so. */
function runtime() {
  const waits: number[] = []
  const limits: { readonly ms: number; readonly out: () => void }[] = []
  let time = 0
  return {
    waits,
    pass: (ms: number) => (time += ms),
    runOut: (ms: number) => limits.filter((limit) => limit.ms === ms).forEach((limit) => limit.out()),
    now: () => time,
    random: () => 0,
    async sleep(ms: number, signal?: AbortSignal) {
      if (ms >= silenceMs)
        return new Promise<void>((resolve, reject) => {
          limits.push({ ms, out: resolve })
          signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
        })
      waits.push(ms)
      time += ms
    },
  }
}

const [silenceMs, timeoutMs] = [500_000, 600_000]

async function world(script: Script, options: Partial<EndpointModelOptions> & { readonly insistsOn?: string } = {}) {
  const { insistsOn, ...rest } = options
  const server = await startScriptedServer(script, insistsOn === undefined ? {} : { key: insistsOn })
  open.push(server)
  const clock = runtime()
  const model = endpointModel({
    url: server.url,
    model: 'tiny',
    runtime: clock,
    timeoutMs,
    silenceMs,
    ...rest,
  })
  const ask = async (request: Partial<ModelRequest> = {}): Promise<ModelReply> =>
    model.respond({
      messages: [{ role: 'user', text: 'Hello?' }],
      tools: [],
      signal: new AbortController().signal,
      maxOutputTokens: 100,
      ...request,
    })
  return { server, clock, model, ask }
}

const bodyOf = (server: Server, n = 0) => server.requests[n]?.body ?? { model: '', messages: [] }
const look = { name: 'look', description: 'Looks.', input: { type: 'object', properties: { at: { type: 'number' } } } }

describe('a model behind an endpoint', () => {
  it('says the same whole and in pieces, with what it took', async () => {
    const { ask, server } = await world([{ text: 'Grüße, 世界! 👋🏽', times: 0 }])
    const whole = await ask()
    const pieces: string[] = []
    const streamed = await ask({ onText: (piece) => pieces.push(piece) })
    expect(whole).toEqual({ text: 'Grüße, 世界! 👋🏽', calls: [], usage: { inputTokens: 10, outputTokens: 5 } })
    expect(streamed).toEqual(whole)
    expect(pieces.length).toBeGreaterThan(1)
    expect(pieces.join('')).toBe(whole.text)
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/chat/completions'])
    expect(bodyOf(server)).toEqual({
      model: 'tiny',
      messages: [{ role: 'user', content: 'Hello?' }],
      max_tokens: 100,
    })
    expect(bodyOf(server, 1)).toMatchObject({ stream: true, stream_options: { include_usage: true } })
  })

  it('asks for calls whose arguments stay the text they were', async () => {
    const args = '{"at": 12345678901234567890}'
    const { ask, server } = await world([{ text: 'Let me see.', calls: [['look', args], ['look']], times: 0 }])
    const whole = await ask({ tools: [look] })
    const streamed = await ask({ tools: [look], onText: () => undefined })
    for (const reply of [whole, streamed]) {
      expect(reply.text).toBe('Let me see.')
      expect(reply.calls?.map((call) => [call.tool, call.args])).toEqual([
        ['look', args],
        ['look', '{}'],
      ])
      expect(new Set(reply.calls?.map(({ id }) => id)).size).toBe(2)
    }
    expect(bodyOf(server)['tools']).toEqual([
      { type: 'function', function: { name: 'look', description: 'Looks.', parameters: look.input } },
    ])
  })

  it('sends a conversation in the form that every endpoint accepts', async () => {
    const { ask, server } = await world([{ text: 'ok' }])
    const messages: readonly Message[] = [
      { role: 'system', text: 'Be brief.' },
      { role: 'system', text: 'Be kind.' },
      { role: 'user', text: 'Go.' },
      {
        role: 'assistant',
        text: '',
        calls: [
          { id: 'a', tool: 'look around!', args: 'no json' },
          { id: 'b', tool: 'look', args: '' },
        ],
      },
      { role: 'tool', callId: 'a', tool: 'look around!', text: 'refused', failed: true },
      { role: 'tool', callId: 'b', tool: 'look', text: 'nothing', failed: false },
      { role: 'system', text: 'You repeat yourself.' },
    ]
    await ask({ messages })
    expect(bodyOf(server).messages).toEqual([
      { role: 'system', content: 'Be brief.\n\nBe kind.' },
      { role: 'user', content: 'Go.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'look_around_', arguments: '{"unreadable":"no json"}' } },
          { id: 'b', type: 'function', function: { name: 'look', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'refused' },
      { role: 'tool', tool_call_id: 'b', content: 'nothing' },
      { role: 'user', content: 'You repeat yourself.' },
    ])
  })

  it('costs what its prices say, cached input too', async () => {
    const price = { input: 3, output: 15, cachedInput: 0.3 }
    const { ask, model } = await world([{ text: 'ok', usage: [1000, 100], cached: 400, times: 0 }], { price })
    expect((await ask()).usage).toEqual({ inputTokens: 1000, outputTokens: 100, costMicros: 1800 + 120 + 1500 })
    expect(model.costMicrosOf?.({ inputTokens: 1, outputTokens: 0 })).toBe(3)
    const unpriced = await world([{ text: 'ok', noUsage: true }])
    expect((await unpriced.ask()).usage).toBe(undefined)
  })

  it('gives its refusal as what it said', async () => {
    const { ask } = await world([{ refusal: 'I will not do that.', times: 0 }])
    expect((await ask()).text).toBe('I will not do that.')
    expect((await ask({ onText: () => undefined })).text).toBe('I will not do that.')
  })
})

it('sends the cache a key for each conversation, and no key to an endpoint that refused it', async () => {
  const user = { role: 'user', text: 'Hello?' } as const
  const { ask, server } = await world([{ text: 'ok', times: 0 }], { cacheKey: true })
  await ask({ tools: [look] })
  await ask({ tools: [look], messages: [user, { role: 'assistant', text: 'Yes?', calls: [] }, user] })
  await ask({ tools: [look], messages: [{ role: 'user', text: 'Another matter.' }] })
  await ask()
  const keys = server.requests.map(({ body }) => body['prompt_cache_key'])
  expect(keys[0]).toMatch(/^agentm-[0-9a-f]{32}$/)
  expect([keys[1] === keys[0], keys[2] === keys[0], keys[3]]).toEqual([true, false, undefined])
  const strict = await world(
    [
      { status: 400, error: 'Unrecognized request argument supplied: prompt_cache_key' },
      { text: 'ok', times: 0 },
    ],
    { cacheKey: true },
  )
  await strict.ask({ tools: [look] })
  await strict.ask({ tools: [look] })
  expect(strict.server.requests.map(({ body }) => 'prompt_cache_key' in body)).toEqual([true, false, false])
})

describe('an endpoint that does not know all of the protocol', () => {
  it('is asked without what it refused, and so from then on', async () => {
    const { ask, server } = await world([
      { status: 400, error: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead." },
      { status: 400, error: 'Unrecognized request argument supplied: stream_options' },
      { status: 422, error: "'response_format.type' must be 'json_object' or 'text'" },
      { text: '{}', times: 0 },
    ])
    const format = { name: 'a plan', schema: { type: 'object' } }
    await ask({ onText: () => undefined, format })
    await ask({ onText: () => undefined, format })
    expect(server.requests).toHaveLength(5)
    expect(bodyOf(server)['response_format']).toEqual({
      type: 'json_schema',
      json_schema: { name: 'a_plan', schema: { type: 'object' }, strict: false },
    })
    for (const n of [3, 4]) {
      expect(bodyOf(server, n)).not.toHaveProperty('max_tokens')
      expect(bodyOf(server, n)).not.toHaveProperty('stream_options')
      expect(bodyOf(server, n)).not.toHaveProperty('response_format')
      expect(bodyOf(server, n)).toMatchObject({ max_completion_tokens: 100, stream: true })
    }
  })

  it('may answer whole where a stream was asked for', async () => {
    const { ask } = await world([{ text: 'All at once.', whole: true }])
    const pieces: string[] = []
    expect((await ask({ onText: (piece) => pieces.push(piece) })).text).toBe('All at once.')
    expect(pieces).toEqual(['All at once.'])
  })

  it('gives structured answers all the same', async () => {
    const { model } = await world([
      { status: 400, error: 'response_format is not supported' },
      { status: 400, error: 'response_format is not supported' },
      { text: 'Sure! {"steps": 1}' },
      { text: '```json\n{"steps": ["a"]}\n```' },
    ])
    const schema = z.object({ steps: z.array(z.string()) })
    const answer = await askStructured(model, { messages: [{ role: 'user', text: 'Plan.' }], schema, name: 'plan' })
    expect(answer).toMatchObject({ ok: true, value: { steps: ['a'] } })
  })
})

describe('an endpoint in trouble', () => {
  it('is asked again after the wait it asks for, and otherwise after growing waits', async () => {
    const { ask, clock, server } = await world([
      { status: 429, error: 'slow down', headers: { 'retry-after': '7' } },
      { status: 500 },
      { raw: '<html>oops</html>' },
      { text: 'at last' },
    ])
    expect((await ask()).text).toBe('at last')
    expect(clock.waits).toEqual([7000, 500, 1000])
    expect(server.requests).toHaveLength(4)
  })

  it.each([
    ['a key it does not know', { status: 401 }, 'permission', 'Check the key.'],
    ['an unknown model', { status: 404 }, 'not_found', 'name of the model'],
    [
      'a request it cannot read',
      { status: 400, error: 'tools[0] is bad' },
      'validation',
      'answered 400: tools[0] is bad',
    ],
    ['an account without money', { status: 429, errorCode: 'insufficient_quota' }, 'permission', '429'],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:9/' } }, 'validation', 'leads to'],
  ])('is asked once where it refuses: %s', async (_, line, type, words) => {
    const { ask, server } = await world([{ ...line, times: 0 }])
    const error: unknown = await ask().catch((caught: unknown) => caught)
    expect(classifyError(error)).toMatchObject({ type, message: expect.stringContaining(words) as unknown })
    expect(server.requests).toHaveLength(1)
  })

  it('gives back a question it wants to hear much later', async () => {
    const { ask, clock, server } = await world([{ status: 429, headers: { 'retry-after': '3600' } }])
    const error: unknown = await ask().catch((caught: unknown) => caught)
    expect(classifyError(error)).toMatchObject({ retryable: true, retryAfterMs: 3_600_000 })
    expect([clock.waits, server.requests.length]).toEqual([[], 1])
  })

  it('says when the question was too long for it, so that the loop can shorten it', async () => {
    const { ask, server } = await world([{ status: 400, errorCode: 'context_length_exceeded', error: 'too much' }])
    const error: unknown = await ask().catch((caught: unknown) => caught)
    expect(isContextTooLong(error)).toBe(true)
    expect(server.requests).toHaveLength(1)
  })

  it('gives no reply where it breaks off in the middle: asked again only while nobody heard a word', async () => {
    const quiet = await world([{ calls: [['look', { at: 1 }]], cutAfter: 2 }, { text: 'whole' }])
    expect((await quiet.ask({ onText: () => undefined })).text).toBe('whole')
    const heard: string[] = []
    const loud = await world([{ text: 'Half of it is here', cutAfter: 3 }, { text: 'whole' }])
    const error: unknown = await loud.ask({ onText: (piece) => heard.push(piece) }).catch((caught: unknown) => caught)
    expect(classifyError(error)).toMatchObject({ type: 'unavailable', retryable: true })
    expect([heard.join(''), loud.server.requests.length]).toEqual(['Half of it', 1])
    const whole = await world([{ text: 'cut', cutAfter: 0 }, { text: 'whole' }])
    expect((await whole.ask()).text).toBe('whole')
  })

  it('is not asked again for a reply that broke off if the caller does not want to pay for it', async () => {
    const asked: unknown[] = []
    const mayAskAgain = async (error: unknown) => asked.push(error) < 2
    const { ask, server } = await world([
      { status: 500 },
      { calls: [['look', { at: 1 }]], cutAfter: 2 },
      { text: 'never' },
    ])
    const error: unknown = await ask({ onText: () => undefined, mayAskAgain }).catch((caught: unknown) => caught)
    expect(asked.map((each) => Object(each).mayBeCharged)).toEqual([false, true])
    expect([error === asked[1], server.requests.length]).toEqual([true, 2])
  })

  it('is not waited for longer than said: whole, or in silence', async () => {
    const slow = await world([{ hang: true }, { text: 'ok' }])
    const late = slow.ask()
    await until(() => slow.server.requests.length === 1)
    slow.clock.runOut(timeoutMs)
    expect((await late).text).toBe('ok')
    await expect(slow.server.requests[0]?.closed).resolves.toBe('cut')

    const silent = await world([{ text: 'And then', hang: true, times: 0 }])
    const heard: string[] = []
    const asked = silent.ask({ onText: (piece) => heard.push(piece) })
    await until(() => heard.join('') === 'And then')
    silent.clock.runOut(silenceMs)
    const error: unknown = await asked.catch((caught: unknown) => caught)
    const message = expect.stringContaining('nothing was heard') as unknown
    expect(classifyError(error)).toMatchObject({ type: 'timeout', message })
  })

  it('hears no more of a question that is called off: its connection is closed', async () => {
    const { ask, server } = await world([{ text: 'This takes for ever', hang: true, times: 0 }])
    const stop = new AbortController()
    const heard: string[] = []
    const asked = ask({ signal: stop.signal, onText: (piece) => heard.push(piece) })
    await until(() => heard.length > 0)
    stop.abort(new Error('enough'))
    await expect(asked).rejects.toThrow('enough')
    await expect(server.requests[0]?.closed).resolves.toBe('cut')
    expect(server.requests).toHaveLength(1)
  })

  it('is left alone once it failed five times running, and tried by one question after that', async () => {
    let ill = true
    const { ask, clock, server } = await world(() => (ill ? { status: 500 } : { text: 'better' }), { attempts: 1 })
    for (let n = 0; n < 5; n++) await expect(ask()).rejects.toThrow('answered 500')
    await expect(ask()).rejects.toThrow(/answered 500.*is left alone for another 15 s/)
    await expect(ask()).rejects.toMatchObject({ mayBeCharged: false })
    expect(server.requests).toHaveLength(5)
    clock.pass(15_000)
    await expect(ask()).rejects.toThrow('answered 500')
    await expect(ask()).rejects.toThrow('for another 30 s')
    clock.pass(30_000)
    ill = false
    const [first, second] = await Promise.allSettled([ask(), ask()])
    expect([first.status, second.status]).toEqual(['fulfilled', 'rejected'])
    expect((await ask()).text).toBe('better')
    expect(server.requests).toHaveLength(8)
  })

  it('shares its breaker with every model of its provider', async () => {
    const clock = runtime()
    const breaker = createBreaker({ provider: 'example', runtime: clock, failures: 1 })
    const one = await world([{ status: 500, times: 0 }], { breaker, attempts: 1 })
    const other = await world([{ text: 'ok', times: 0 }], { breaker, attempts: 1 })
    await expect(one.ask()).rejects.toThrow('500')
    await expect(other.ask()).rejects.toThrow('example failed too often')
    clock.pass(15_000)
    expect((await other.ask()).text).toBe('ok')
  })

  it('is not there at all', async () => {
    const { ask, server } = await world([], { attempts: 2 })
    await server.close()
    open.splice(0)
    const error: unknown = await ask().catch((caught: unknown) => caught)
    expect(classifyError(error)).toMatchObject({
      type: 'unavailable',
      message: expect.stringContaining('ECONNREFUSED') as unknown,
    })
    expect(error).toMatchObject({ mayBeCharged: false })
  })
})

const make = (options: object) => () =>
  endpointModel({ url: 'http://127.0.0.1/v1', model: 'm', runtime: runtime(), ...options })

describe('the key', () => {
  const key = 'sk-very-secret-0123456789'

  it('is sent with each request, and is in no error, whatever the endpoint echoes', async () => {
    const right = await world([{ text: 'ok' }], { key, insistsOn: key })
    expect((await right.ask()).text).toBe('ok')
    const wrong = await world([{ text: 'ok' }], { key, insistsOn: 'another' })
    const echo = await world([{ status: 500, error: key, errorCode: key }], { key, attempts: 1 })
    for (const { ask } of [wrong, echo]) {
      const error: unknown = await ask().catch((caught: unknown) => caught)
      expect(error).toMatchObject({ message: expect.stringContaining('[key]') as unknown })
      expect(textOf(error)).not.toContain(key)
    }
  })

  it('is refused without being said where no header can carry it', () => {
    expect(make({ key: `${key}\n` })).toThrow('cannot be sent in a header')
    expect(make({ key: `${key}\n` })).not.toThrow(key)
    expect(make({ url: `http://me:${key}@127.0.0.1/v1` })).toThrow('contains a password')
    expect(make({ url: `http://me:${key}@127.0.0.1/v1` })).not.toThrow(key)
    expect(make({ url: 'file:///etc/passwd' })).toThrow('is not an http or https address')
  })
})

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return [String(error), error.stack, JSON.stringify(Object.entries(error)), textOf(error.cause)].join('\n')
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(2)
}
