import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type KeyedStore, type MemoryEmbedder, openMemory } from '@agentm/memory'
import { cachedEmbedder, energeticEmbedder, modelEmbedder, openEndpointEmbedder } from '@agentm/memory/embedders'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { wrapEmbeddingModel } from 'ai'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { setup } from '../world.ts'
import { cachedVectorIn, packCachedVector } from '../../src/embedders/pure/cached-vector.ts'
import { mapCache } from './map-cache.ts'

type Answer = (
  request: { readonly input: string[]; readonly headers: IncomingMessage['headers']; readonly nth: number },
  response: ServerResponse,
) => void

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** An endpoint on loopback that answers as it is told. */
async function endpoint(answer: Answer) {
  const requests: string[][] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] }
      requests.push(input)
      answer({ input, headers: request.headers, nth: requests.length }, response)
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`, requests }
}

const vectorOf = (text: string) => [text.length, text.charCodeAt(0), 1]
const ok = (response: ServerResponse, input: readonly string[], vector: (text: string) => unknown = vectorOf) =>
  response.end(JSON.stringify({ data: input.map((text, index) => ({ index, embedding: vector(text) })).toReversed() }))
const fail = (response: ServerResponse, status: number, headers = {}) => response.writeHead(status, headers).end('no')

function runtime() {
  const slept: number[] = []
  return { slept, now: () => Date.UTC(2026, 0, 1), random: () => 0, sleep: async (ms: number) => void slept.push(ms) }
}

test('asks in batches, keeps the order, sends the key, and learns the length by asking', async () => {
  const keys: unknown[] = []
  const { url, requests } = await endpoint(({ input, headers }, response) => {
    keys.push(headers.authorization)
    ok(response, input)
  })
  const embedder = await openEndpointEmbedder({ url, model: 'm', apiKey: 'k', batch: 2, runtime: runtime() })
  expect([embedder.name, embedder.dimensions]).toEqual(['endpoint/m/3', 3])
  const texts = ['a', 'bb', 'ccc', 'dddd', 'eeeee']
  expect((await embedder.embed(texts)).map((vector) => Array.from(vector))).toEqual(texts.map(vectorOf))
  expect(requests.slice(1).map(({ length }) => length)).toEqual([2, 2, 1])
  expect(new Set(keys)).toEqual(new Set(['Bearer k']))
})

test.each([
  ['as long as the server asks', 429, { 'retry-after': '7' }, [7000]],
  [
    'until the date the server names',
    503,
    { 'retry-after': new Date(Date.UTC(2026, 0, 1, 0, 0, 3)).toUTCString() },
    [3000],
  ],
  ['a little where it says nothing', 500, {}, [250]],
])('waits %s and tries again', async (_, status, headers, slept) => {
  const { url } = await endpoint(({ input, nth }, response) =>
    nth === 1 ? fail(response, status, headers) : ok(response, input),
  )
  const time = runtime()
  const embedder = await openEndpointEmbedder({ url, model: 'm', dimensions: 3, runtime: time })
  expect(await embedder.embed(['a'])).toHaveLength(1)
  expect(time.slept).toEqual(slept)
})

test.each<[string, Answer, object]>([
  ['500 for ever', (_, response) => fail(response, 500), { message: expect.stringContaining('500'), fault: 'service' }],
  [
    '401',
    (_, response) => fail(response, 401),
    { message: expect.stringContaining('Check the key'), fault: 'service' },
  ],
  ['400', (_, response) => fail(response, 400), { fault: 'input' }],
  [
    'a wrong length',
    ({ input }, response) => ok(response, input, () => [1, 2]),
    { message: expect.stringContaining('2 dimensions instead of 3') },
  ],
  [
    'NaN as null',
    ({ input }, response) => ok(response, input, () => [1, null, 1]),
    { message: expect.stringContaining('finite') },
  ],
  [
    'NaN as a word',
    (_, response) => response.end('{"data":[{"embedding":[NaN,1,1]}]}'),
    { message: expect.stringContaining('protocol') },
  ],
  ['infinity', (_, response) => response.end('{"data":[{"embedding":[1e999,1,1]}]}'), { code: 'EMBEDDER_FAILED' }],
  ['too few vectors', (_, response) => ok(response, []), { message: expect.stringContaining('0 vectors for 1') }],
  ['a page of HTML', (_, response) => response.end('<html>'), { message: expect.stringContaining('protocol') }],
  ['silence', () => undefined, { message: expect.stringContaining('within 60 ms') }],
  ['a slow body', (_, response) => void response.write('{'), { message: expect.stringContaining('within 60 ms') }],
  ['a closed connection', (_, response) => void response.destroy(), { message: expect.stringContaining('reached') }],
  [
    'a redirect',
    (_, response) => fail(response, 302, { location: 'http://127.0.0.1:1/' }),
    { message: expect.stringContaining('reached') },
  ],
])('refuses %s by name, without the key', { timeout: 120_000 }, async (what, answer, expected) => {
  const waits = what === 'silence' || what === 'a slow body'
  const { url } = await endpoint(answer)
  const embedder = await openEndpointEmbedder({
    url,
    model: 'm',
    dimensions: 3,
    apiKey: 'the-key',
    // Only who never answers is to be late, however busy this machine is.
    timeoutMs: waits ? 60 : 60_000,
    attempts: 2,
    runtime: runtime(),
  })
  const refusal: unknown = await embedder.embed(['a']).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'EMBEDDER_FAILED', embedder: 'endpoint/m/3', ...expected })
  expect(String(refusal)).not.toContain('the-key')
})

test('uses a model of the AI SDK by its shape', async () => {
  const calls: number[] = []
  let fails = 1
  const model = {
    provider: 'lab',
    modelId: 'small',
    maxEmbeddingsPerCall: Promise.resolve(2),
    doEmbed: async ({ values }: { readonly values: string[] }) => {
      calls.push(values.length)
      if (fails-- > 0)
        throw Object.assign(new Error('busy'), { isRetryable: true, responseHeaders: { 'retry-after': '2' } })
      return { embeddings: values.map(vectorOf) }
    },
  }
  const time = runtime()
  const embedder = modelEmbedder(model, { dimensions: 3, runtime: time })
  expect(embedder.name).toBe('lab/small/3')
  expect(await embedder.embed(['a', 'b', 'c'])).toHaveLength(3)
  expect([calls, time.slept]).toEqual([[2, 2, 1], [2000]])
  const broken = {
    ...model,
    doEmbed: async () => Promise.reject(Object.assign(new Error('no'), { isRetryable: false, statusCode: 400 })),
  }
  await expect(modelEmbedder(broken, { dimensions: 3, runtime: time }).embed(['a'])).rejects.toMatchObject({
    fault: 'input',
  })
})

test('uses an embedding model of the AI SDK over HTTP: in batches, patient when told to be, and plain about what it refuses', async () => {
  const { url, requests } = await endpoint(({ input, nth, headers }, response) => {
    if (headers.authorization !== 'Bearer k') return fail(response, 401)
    if (nth === 2) return fail(response, 429, { 'retry-after': '3' })
    if (input.includes('too long')) return fail(response, 400)
    response.setHeader('content-type', 'application/json')
    return response.end(
      JSON.stringify({ data: input.map((text) => ({ embedding: vectorOf(text) })), usage: { prompt_tokens: 1 } }),
    )
  })
  const provider = (apiKey: string) => createOpenAICompatible({ name: 'lab', baseURL: url.replace(/\/$/, ''), apiKey })
  const model = wrapEmbeddingModel({
    model: provider('k').embeddingModel('small'),
    middleware: { specificationVersion: 'v3', overrideMaxEmbeddingsPerCall: () => 2 },
  })
  const time = runtime()
  const embedder = modelEmbedder(model, { dimensions: 3, runtime: time })
  expect(embedder.name).toBe('lab.embedding/small/3')
  const texts = ['a', 'bb', 'ccc', 'dddd', 'eeeee']
  expect((await embedder.embed(texts)).map((vector) => vector[0])).toEqual([1, 2, 3, 4, 5])
  expect(requests.map(({ length }) => length)).toEqual([2, 2, 2, 1])
  expect(time.slept).toEqual([3000])
  await expect(embedder.embed(['too long'])).rejects.toMatchObject({ code: 'EMBEDDER_FAILED', fault: 'input' })
  const stranger = modelEmbedder(provider('wrong').embeddingModel('small'), { dimensions: 3, runtime: runtime() })
  const asked = requests.length
  await expect(stranger.embed(['a'])).rejects.toMatchObject({ code: 'EMBEDDER_FAILED', fault: 'service' })
  expect(requests).toHaveLength(asked + 1)
})

test('uses a model of energetic-ai by its shape', async () => {
  const embedder = energeticEmbedder({ embed: async (texts) => texts.map(() => Array.from({ length: 512 }, () => 1)) })
  expect([embedder.name, (await embedder.embed(Array.from({ length: 40 }, () => 'a'))).length]).toEqual([
    'energetic-ai/embeddings-en/512',
    40,
  ])
})

function mapStore(): KeyedStore & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>()
  return {
    kept,
    read: async (key) => kept.get(key),
    write: async (key, text) => void kept.set(key, text),
    remove: async (key) => void kept.delete(key),
  }
}

test('asks for each text once, believes no damaged entry, and forgets what it is told to', async () => {
  const { cache, kept } = mapCache()
  const asked: string[] = []
  const inner = {
    name: 'x y',
    dimensions: 3,
    embed: async (texts: readonly string[]) => texts.map((text) => (asked.push(text), vectorOf(text))),
  }
  const embedder = cachedEmbedder(inner, cache)
  const first = await embedder.embed(['a', 'b'])
  expect(await embedder.embed(['b', 'a', 'c'])).toEqual([
    first[1],
    first[0],
    cachedVectorIn(packCachedVector(Float32Array.from(vectorOf('c'))), 3),
  ])
  expect(asked).toEqual(['a', 'b', 'c'])
  for (const key of kept.keys()) kept.set(key, new Uint8Array(3))
  await embedder.embed(['a'])
  expect(asked).toHaveLength(4)
  const hashes = [...kept.keys()].map((key) => key.split('/').at(-1) ?? '')
  await embedder.forget?.(hashes)
  expect(kept.size).toBe(0)
})

test('a backlog survives a failing embedder: its size shows, words work meanwhile, waiting grows, and all is made good', async () => {
  let mode: 'down' | 'up' = 'down'
  const { url } = await endpoint(({ input }, response) => (mode === 'down' ? fail(response, 503) : ok(response, input)))
  const embedder = await openEndpointEmbedder({ url, model: 'm', dimensions: 3, attempts: 1, runtime: runtime() })
  const state = mapStore()
  const { options, tick } = await setup({ embedder, state })
  const start = Date.UTC(2026, 2, 1, 12)
  const memory = openMemory(options)
  await memory.save({ kind: 'fix', text: 'Copper pipes leak.' })
  const first = await memory.backlog()
  expect(first).toMatchObject({ waiting: 1, failure: expect.stringContaining('503') })
  expect(first.retryAt).toBeGreaterThan(start)
  await memory.save({ kind: 'fix', text: 'Steel pipes bend.' })
  expect((await memory.recall({ text: 'copper' })).results).toHaveLength(1)
  mode = 'up'
  // Another process knows that it is too early.
  const next = openMemory(options)
  expect(await next.embedPending()).toMatchObject({ embedded: 0, waiting: 2 })
  tick(60_000)
  expect(await next.embedPending()).toEqual({ embedded: 2, waiting: 0, refused: 0 })
  const { results, freshness } = await next.recall({ text: 'copper' })
  expect([results[0]?.similarity === undefined, freshness.pendingVectors]).toEqual([false, 0])
})

test('one text the embedder refuses does not hold up the others', async () => {
  const { url } = await endpoint(({ input }, response) =>
    input.some((text) => text.includes('poison')) ? fail(response, 400) : ok(response, input),
  )
  const embedder = await openEndpointEmbedder({ url, model: 'm', dimensions: 3, runtime: runtime() })
  const { options, write } = await setup()
  for (let i = 0; i < 40; i++) await write(`projects/acme/fix/n${i}.md`, i === 3 ? 'poison here' : `note ${i}`)
  const memory = openMemory({ ...options, embedder })
  await memory.recall({ text: 'note' })
  expect(await memory.embedPending()).toEqual({ embedded: 39, waiting: 1, refused: 1 })
  expect(await memory.embedPending()).toMatchObject({ embedded: 0, waiting: 1 })
  await write('projects/acme/fix/n3.md', 'cured')
  await memory.recall({ text: 'note' })
  expect(await memory.embedPending()).toMatchObject({ embedded: 1, waiting: 0 })
})

test('an endpoint that refuses everything is at fault, not its texts', async () => {
  const { url } = await endpoint((_, response) => fail(response, 400))
  const embedder = await openEndpointEmbedder({ url, model: 'wrong', dimensions: 3, runtime: runtime() })
  const { options, write } = await setup()
  for (let i = 0; i < 40; i++) await write(`projects/acme/fix/n${i}.md`, `note ${i}`)
  const memory = openMemory({ ...options, embedder })
  await memory.recall({ text: 'note' })
  expect(await memory.embedPending()).toMatchObject({
    embedded: 0,
    waiting: 40,
    refused: 0,
    failure: expect.stringContaining('400'),
  })
})

const of = (name: string) => ({ name, dimensions: 3, embed: async (texts: readonly string[]) => texts.map(vectorOf) })

test('makes all vectors anew for another embedder, and never compares the two', async () => {
  const { options } = await setup()
  const one = openMemory({ ...options, embedder: of('one') })
  await one.save({ kind: 'fix', text: 'Copper pipes leak.' })
  expect((await one.recall({ text: 'copper' })).results[0]?.similarity).toBeDefined()
  const two = openMemory({ ...options, embedder: of('two') })
  const before = await two.recall({ text: 'copper' })
  expect([before.results[0]?.similarity, before.freshness.pendingVectors]).toEqual([undefined, 1])
  expect(await two.embedPending()).toMatchObject({ embedded: 1, waiting: 0 })
  expect((await two.recall({ text: 'copper' })).results[0]?.similarity).toBeDefined()
})

const sleep = async () => undefined

test('answers by words when the embedder fails or hangs, says so, and does not ask one again that just failed', async () => {
  let asked = 0
  const broken = {
    name: 'broken',
    dimensions: 3,
    embed: async () => {
      asked++
      throw new Error('out of order')
    },
  }
  const { options } = await setup({ embedder: broken })
  const memory = openMemory(options)
  await memory.save({ kind: 'fix', text: 'Copper pipes leak.' })
  const { results, freshness } = await memory.recall({ text: 'copper' })
  expect([results.length, asked, freshness.notice]).toEqual([1, 1, 'meaning is left out: out of order'])
  const signals: (AbortSignal | undefined)[] = []
  const hanging: MemoryEmbedder = {
    ...broken,
    name: 'hanging',
    embed: async (_texts, _use, signal) => {
      signals.push(signal)
      return new Promise<never>(() => undefined)
    },
  }
  const patient = openMemory({ ...options, embedder: hanging, runtime: { ...options.runtime, sleep } })
  expect((await patient.recall({ text: 'copper' })).freshness.notice).toContain('took too long')
  // Its request is ended, so that the process can end.
  expect(signals.map((signal) => signal?.aborted)).toEqual([true])
})

test('stops at once when a person stops it, though the endpoint does not answer, and counts that as no failure', async () => {
  const { url, asked } = await silentEndpoint()
  const silent = await openEndpointEmbedder({ url, model: 'm', dimensions: 3, runtime: runtime() })
  const { options } = await setup()
  await openMemory(options).save({ kind: 'fix', text: 'Copper pipes leak.' })
  const memory = openMemory({ ...options, embedder: silent })
  for (const embed of [
    async (signal: AbortSignal) => memory.embedPending({ signal }),
    async (signal: AbortSignal) => memory.embedAhead(silent, { signal }),
  ]) {
    const stopping = new AbortController()
    const before = asked()
    const made = embed(stopping.signal)
    await expect.poll(asked).toBeGreaterThan(before)
    stopping.abort()
    expect(await made).not.toHaveProperty('failure')
  }
  expect(await memory.embedPending({ patienceMs: 50 })).toMatchObject({
    failure: expect.stringContaining('took too long'),
  })
  const asksBefore = asked()
  await memory.save({ kind: 'fix', text: 'Zinc pipes do not.' })
  expect(asked()).toBe(asksBefore)
})

/** Takes requests and answers none. */
async function silentEndpoint() {
  let requests = 0
  const server = createServer(() => {
    requests += 1
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked: () => requests }
}
