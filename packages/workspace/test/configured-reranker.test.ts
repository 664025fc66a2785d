import { openWorkspaceReader } from '@agentm/workspace/reader'
import { describe, expect, it, onTestFinished } from 'vitest'
import { modelHome, modelServer } from './model-servers.ts'

const question = 'which port does the database use?'

/** Three notes that answer about as well; `wanted` is the one that a good reader would choose. */
async function saved(home: Awaited<ReturnType<typeof modelHome>>) {
  const memory = await home.open()
  for (const name of ['first', 'wanted', 'last'])
    await memory.save({
      kind: 'fact',
      title: `The ${name} one`,
      text: `The database uses the port of the ${name} one.`,
    })
  return memory
}

const firstOf = async (memory: Awaited<ReturnType<typeof saved>>) => {
  const { results, freshness } = await memory.recall({ text: question })
  return { title: results[0]?.title, count: results.length, notice: freshness.notice }
}

const scoreOf = (text: string) => Number(text.includes('wanted'))

describe('a reranker from the config', () => {
  it('behind a /rerank endpoint puts first what it says, and gets its key in the header', async () => {
    const server = await modelServer(({ body }, response) => {
      const results = (body['documents'] as string[]).map((text, index) => ({ index, relevance_score: scoreOf(text) }))
      response.end(JSON.stringify({ results }))
    })
    const home = await modelHome({
      'reranker.provider': 'http',
      'reranker.url': `${server.url}/v1`,
      'reranker.model': 'bge-reranker',
    })
    expect(await firstOf(await saved(home))).toEqual({ title: 'The wanted one', count: 3, notice: undefined })
    expect(server.asked[0]).toMatchObject({
      url: '/v1/rerank',
      headers: { authorization: 'Bearer sk-rerank' },
      body: { model: 'bge-reranker', query: question },
    })
  })

  it('that is a language model of the AI SDK answers with an order', async () => {
    const server = await modelServer(({ body }, response) => {
      const [, { content }] = body['messages'] as [unknown, { content: string }]
      const wanted = /\[(\d)\] The wanted one/.exec(content)?.[1]
      const message = { role: 'assistant', content: `{"order": [${wanted}]}` }
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
      response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage }))
    })
    const home = await modelHome({
      'reranker.provider': 'package',
      'reranker.package': '@ai-sdk/openai-compatible',
      'reranker.model': 'small',
      'reranker.url': `${server.url}/v1`,
    })
    expect(await firstOf(await saved(home))).toEqual({ title: 'The wanted one', count: 3, notice: undefined })
    expect(server.asked[0]).toMatchObject({ headers: { authorization: 'Bearer sk-rerank' }, body: { model: 'small' } })
  })

  it('that is a cross-encoder is read from its directory with the installed package, and asks no network', async () => {
    const home = await modelHome({ 'reranker.provider': 'onnx', 'reranker.model': '/home/ada/models/ms-marco' })
    await home.plant(
      '@huggingface/transformers',
      `const env = { allowRemoteModels: true, allowLocalModels: false, localModelPath: '' }
       const load = (made) => ({ from_pretrained: async (name) => {
         if (env.allowRemoteModels || env.localModelPath !== '/home/ada/models' || name !== 'ms-marco') throw new Error('a download')
         return made
       } })
       exports.env = env
       exports.AutoTokenizer = load((texts, { text_pair }) => text_pair)
       exports.AutoModelForSequenceClassification = load(async (texts) => ({
         logits: { dims: [texts.length, 1], data: Float32Array.from(texts, (text) => Number(text.includes('wanted'))) },
       }))`,
    )
    expect(await firstOf(await saved(home))).toEqual({ title: 'The wanted one', count: 3, notice: undefined })
  })

  it.each([
    ['late', () => {}, 'did not answer within 60 ms'],
    [
      'wrong',
      (_: unknown, response: { end(text: string): unknown }) => response.end('{"results":[]}'),
      '0 scores for 3',
    ],
  ] as const)('that is %s leaves the plain order, all results, and a notice', async (_, answer, why) => {
    const server = await modelServer(answer)
    const plain = await modelHome({})
    const home = await modelHome({
      'reranker.provider': 'http',
      'reranker.url': server.url,
      'reranker.deadlineMs': 60,
    })
    const expected = await firstOf(await saved(plain))
    const got = await firstOf(await saved(home))
    expect(got).toMatchObject({ title: expected.title, count: 3, notice: expect.stringContaining(why) as unknown })
    // Another process does not wait for it again at once.
    const again = await firstOf(await home.open())
    expect(again).toEqual(got)
    expect(server.asked).toHaveLength(1)
  })

  it('that nobody listens for leaves the plain order', async () => {
    const home = await modelHome({ 'reranker.provider': 'http', 'reranker.url': 'http://127.0.0.1:9' })
    expect(await firstOf(await saved(home))).toMatchObject({
      count: 3,
      notice: expect.stringContaining('cannot be reached') as unknown,
    })
  })

  it('that is a cross-encoder of another package leaves the plain order', async () => {
    const home = await modelHome({
      'reranker.provider': 'onnx',
      'reranker.model': '/models/m',
      'reranker.package': 'zod',
    })
    expect(await firstOf(await saved(home))).toMatchObject({
      count: 3,
      notice: expect.stringContaining('does not export what @huggingface/transformers exports') as unknown,
    })
  })

  it.each([
    [false, 0],
    [true, 1],
  ])('is asked by hooks only if the config says so (reranker.hooks %s)', async (hooks, times) => {
    const server = await modelServer((_, response) => response.writeHead(500).end())
    const config = { 'reranker.provider': 'http', 'reranker.url': server.url, 'reranker.hooks': hooks }
    const home = await modelHome({})
    await saved(home)
    await home.configure(config)
    const reader = await openWorkspaceReader(home.directory, { world: home.world })
    onTestFinished(() => reader.close())
    const opened = await reader.memory()
    expect((await opened?.memory.recall({ text: question }))?.results).toHaveLength(3)
    expect(server.asked).toHaveLength(times)
    // A reader without the configured reranker does not have the whole answer; `agentm recall` then asks a workspace.
    expect(opened?.isWhole).toBe(hooks)
  })

  it.each([
    ['no address', { 'reranker.provider': 'http' }, 'reranker.url is not set'],
    ['no package', { 'reranker.provider': 'package' }, 'needs reranker.package and reranker.model'],
    [
      'an absent package',
      { 'reranker.provider': 'package', 'reranker.package': 'absent', 'reranker.model': 'm' },
      'reranker.package names absent, which is not installed',
    ],
    ['a relative directory', { 'reranker.provider': 'onnx', 'reranker.model': 'models/m' }, '/absolute/path'],
    [
      'a directory, but no package',
      { 'reranker.provider': 'onnx', 'reranker.model': '/models/m' },
      'npm install --prefix ~/.claude @huggingface/transformers',
    ],
  ])('is refused where the config names %s', async (_, config, message) => {
    const home = await modelHome(config)
    await expect(home.open()).rejects.toThrow(message)
  })
})
