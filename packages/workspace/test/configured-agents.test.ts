import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { NewStep } from '@agentm/harness'
import { filePath } from '@agentm/vault-lock'
import { openWorkspace, type Plans } from '@agentm/workspace'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startScriptedServer } from '../../../tools/scripted-model.mjs'

const key = 'sk-very-secret-0123456789'

async function world(config: Readonly<Record<string, unknown>> = {}, variables: Readonly<Record<string, string>> = {}) {
  const home = filePath(await realpath(await mkdtemp(path.join(tmpdir(), 'agentm-agents-'))))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const directory = path.join(home, 'work')
  await mkdir(path.join(home, '.claude'), { recursive: true })
  await mkdir(directory)
  const configure = async (more: Readonly<Record<string, unknown>>) =>
    writeFile(path.join(home, '.claude/.agentm-config.json'), JSON.stringify({ owner: 'ada', ...config, ...more }))
  await configure({})
  const env = { XDG_CACHE_HOME: path.join(home, '.cache'), PATH: process.env['PATH'], ...variables }
  const surroundings = { env, home, installations: [filePath(path.resolve(import.meta.dirname, '../../..'))] }
  const open = async () => {
    const workspace = await openWorkspace(directory, { world: surroundings })
    onTestFinished(() => workspace.close())
    return workspace.plans()
  }
  return { home, directory, configure, open, surroundings }
}

async function server(script: Parameters<typeof startScriptedServer>[0], options: { readonly key?: string } = {}) {
  const started = await startScriptedServer(script, options)
  onTestFinished(() => started.close())
  return started
}

const at = (url: string) => ({ 'models.url': url, 'models.model': 'tiny' })
const once = { retry: { maxFailures: 1, maxCrashes: 1, baseMs: 1, capMs: 1 } }
const names = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name)

async function working<T>(opened: Plans, during: () => Promise<T>): Promise<T> {
  const worker = await opened.startWorker({ onError: (error) => expect.unreachable(String(error)) })
  try {
    return await during()
  } finally {
    await worker.stop()
  }
}

async function made({ harness }: Plans, step: Partial<NewStep> = {}, partition?: string) {
  const steps = [{ key: 'a', title: 'Do it', kind: 'agent', ...step }]
  const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps, ...(partition && { partition }) })
  return { planId, stepId: ids['a'] ?? '' }
}

/** Everything the log ever held of plans. */
async function logged({ store }: Plans): Promise<string> {
  const { nodes } = await store.log.scan({ owner: 'ada' })
  return JSON.stringify(await Promise.all(nodes.map(async ({ id }) => store.log.history(id, { owner: 'ada' }))))
}

describe('a step for an agent', () => {
  it('waits for a model or a person where there is none, and goes on once one is configured', async () => {
    const { open, configure } = await world()
    const opened = await open()
    const { planId, stepId } = await made(opened)
    await working(opened, async () => {
      await expect
        .poll(async () => JSON.stringify(await opened.harness.waiting(planId)))
        .toContain('No model is configured')
    })
    expect((await opened.harness.plan(planId)).payload.status).toBe('running')

    const { url } = await server([{ calls: [['respondToUser', { text: 'Done.' }]] }])
    await configure(at(url))
    const again = await open()
    await working(again, () => again.harness.ended(planId))
    expect((await again.harness.step(stepId)).payload.result).toEqual({ text: 'Done.', stop: 'respondToUser' })
  })

  it('is done with the model and the tools of the config, and the key is nowhere', async () => {
    const { open, directory, home } = await world({}, { MY_KEY: key })
    await writeFile(path.join(directory, 'data.txt'), 'forty-two')
    const { url, requests } = await server(
      [
        { status: 500, error: `bad luck for ${key}` },
        {
          calls: [
            ['files_read', { path: 'data.txt' }],
            ['shell', { program: 'env' }],
          ],
          usage: [1000, 100],
        },
        {
          calls: [
            ['files_write', { path: 'out.txt', text: '42' }],
            ['respondToUser', { text: '42' }],
          ],
          usage: [0, 0],
        },
        { status: 401, error: `no ${key}`, times: 0 },
      ],
      { key },
    )
    await writeFile(
      path.join(home, '.claude/.agentm-config.json'),
      JSON.stringify({
        owner: 'ada',
        ...at(url),
        'models.keyVariable': 'MY_KEY',
        'models.prices': '{"tiny": {"input": 1, "output": 2}}',
        'models.parameters': { temperature: 0 },
        'tools.files': 'write',
        'tools.shell.allow': ['env'],
        'tools.shell.variables': ['MY_KEY'],
      }),
    )
    const opened = await open()
    const first = await working(opened, async () => {
      const { planId } = await made(opened)
      await opened.harness.ended(planId)
      const refused = await made(opened, once)
      expect((await opened.harness.ended(refused.planId)).payload.status).toBe('failed')
      return { planId }
    })
    expect(await readFile(path.join(directory, 'out.txt'), 'utf8')).toBe('42')
    expect(await opened.harness.usage(first.planId)).toMatchObject({ toolCalls: 3, tokens: 1100, costMicros: 1200 })
    expect(requests[0]?.body['temperature']).toBe(0)
    expect(await logged(opened)).toContain('[key]')
    expect(await logged(opened)).toContain('forty-two')
    const files = await readdir(home, { recursive: true, withFileTypes: true })
    const texts = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => readFile(path.join(file.parentPath, file.name), 'latin1')),
    )
    expect(texts.join('\n')).not.toContain(key)
    expect(texts.join('\n')).toContain('forty-two')
  })

  it.each([
    ['proposes what it wants to remember', undefined, false],
    ['remembers at once where the user allows it', 'save', true],
  ] as const)('knows what memory knows, and %s; the log says neither', async (_, mayKeep, isKept) => {
    const { open, configure, directory, surroundings } = await world()
    const before = await openWorkspace(directory, { world: surroundings })
    await (await before.memory()).save({ kind: 'fact', text: 'The cat is called Ada Lovelace.' })
    await before.close()
    const { url, requests } = await server([
      { calls: [['memory_recall', { about: 'what is the cat called' }]] },
      { calls: [['memory_save', { text: 'The dog is called Bob Hope.' }]] },
      { calls: [['respondToUser', { text: 'I know.' }]] },
    ])
    await configure({ ...at(url), ...(mayKeep && { 'tools.memory': mayKeep }) })
    const opened = await open()
    const { planId } = await made(opened)
    await working(opened, () => opened.harness.ended(planId))
    expect(requests[1]?.body.messages.at(-1)?.content).toContain('The cat is called Ada Lovelace.')
    const log = await logged(opened)
    expect(log).toContain(String.raw`\"found\":[`)
    expect(log).not.toMatch(/Lovelace|Hope/)
    const after = await openWorkspace(directory, { world: surroundings })
    onTestFinished(() => after.close())
    const memory = await after.memory()
    const { results } = await memory.recall({ text: 'dog called' })
    expect(results.some(({ text }) => text.includes('Bob Hope'))).toBe(isKept)
    const { candidates } = await memory.inbox.list()
    expect(candidates.map(({ text }) => text.trim())).toEqual(isKept ? [] : ['The dog is called Bob Hope.'])
  })

  it('is heard as it is said, by whoever listens', async () => {
    const { url } = await server([{ text: 'It is all done, piece by piece.' }])
    const opened = await (await world(at(url))).open()
    const heard: [string, string][] = []
    const worker = await opened.startWorker({ onText: (piece, { title }) => heard.push([title, piece]) })
    const { planId } = await made(opened)
    await opened.harness.ended(planId)
    await worker.stop()
    expect(heard.length).toBeGreaterThan(2)
    expect(heard.map(([, piece]) => piece).join('')).toBe('It is all done, piece by piece.')
    expect(heard[0]?.[0]).toBe('Do it')
  })

  it('of another project waits for a worker in its folder', async () => {
    const { url, requests } = await server([{ calls: [['respondToUser', { text: 'Done.' }]], times: 0 }])
    const { open } = await world(at(url))
    const opened = await open()
    const elsewhere = await made(opened, {}, 'acme')
    const here = await made(opened)
    await working(opened, async () => {
      await opened.harness.ended(here.planId)
      const waitsFor = async () => (await opened.harness.step(elsewhere.stepId)).payload.waitsFor?.for
      await expect.poll(waitsFor).toBe('time')
    })
    expect(await logged(opened)).toContain('waits for a worker in a folder of acme')
    expect(requests).toHaveLength(1)
  })
})

describe('a model from a provider package', () => {
  const packaged = { 'models.model': 'tiny', 'models.settings': { name: 'local' }, 'models.keyVariable': 'MY_KEY' }

  it('is loaded from where the program is installed', async () => {
    const { url, requests } = await server([{ calls: [['respondToUser', { text: 'Done.' }]] }], { key })
    const own = { ...packaged, 'models.package': '@ai-sdk/openai-compatible', 'models.url': url }
    const { open } = await world(own, { MY_KEY: key })
    const opened = await open()
    const { planId } = await made(opened)
    expect((await working(opened, () => opened.harness.ended(planId))).payload.status).toBe('done')
    expect(requests).toHaveLength(1)
  })

  it('is never loaded from the folder that is worked in', async () => {
    const { open, directory } = await world({ ...packaged, 'models.package': 'planted' }, { MY_KEY: key })
    const planted = path.join(directory, 'node_modules', 'planted')
    await mkdir(planted, { recursive: true })
    await writeFile(path.join(planted, 'package.json'), '{"name": "planted", "main": "index.js"}')
    await writeFile(path.join(planted, 'index.js'), 'throw new Error("it ran")')
    await expect((await open()).startWorker()).rejects.toMatchObject({
      code: 'MODEL_CONFIG',
      message: expect.stringContaining('is not installed') as unknown,
    })
  })

  it('is refused where the package makes no models', async () => {
    const { open } = await world({ ...packaged, 'models.package': 'zod' }, { MY_KEY: key })
    await expect((await open()).agents.model()).rejects.toThrow('is not a provider package')
  })
})

it('words beliefs with the model of the config, where one is configured', async () => {
  const { url, requests } = await server([
    {
      text: '{"answers": [{"number": 1, "distilled": true, "kind": "fact", "content": "Deploying on Friday fails.", "confidence": 0.7}, {"number": 2, "distilled": false}, {"number": 3, "distilled": false}]}',
      times: 0,
    },
  ])
  const { open, configure, directory, surroundings } = await world()
  const { store, owner } = await open()
  const happened = [
    'Deploying on Friday failed again',
    'Deploying on Friday failed once more',
    'Deploying on Friday failed',
  ]
  for (const content of happened) {
    const payload = { kind: 'note', content, data: { text: content } }
    await store.log.append([{ concept: 'v1:harness:observation', payload, mutation: 'recordObservation' }], {
      owner,
      actor: 'test',
    })
  }
  await configure(at(url))
  const workspace = await openWorkspace(directory, { world: surroundings })
  onTestFinished(() => workspace.close())
  const opened = await workspace.learning()
  const { report } = await opened.run({ owner })
  expect(report).toMatchObject({ outcome: 'done', episodes: 3 })
  expect(requests.length).toBeGreaterThan(0)
  expect(JSON.stringify(await opened.beliefs(owner).list())).toContain('Deploying on Friday fails.')
})

describe('models', () => {
  it('may be others for some uses, with others again that answer in their place, each at its own price', async () => {
    const worker = await server([{ status: 400, error: 'context_length_exceeded' }])
    const planner = await server([{ calls: [['respondToUser', { text: 'unused' }]] }])
    const spare = await server([{ calls: [['respondToUser', { text: 'Done.' }]], usage: [1000, 100] }], { key })
    const { open } = await world(
      {
        ...at(worker.url),
        'models.roles.planner': { model: 'wise', url: planner.url },
        'models.fallbacks': [{ model: 'spare', url: spare.url, keyVariable: 'SPARE_KEY' }],
        'models.prices': {
          tiny: { input: 9, output: 9 },
          wise: { input: 9, output: 9 },
          spare: { input: 1, output: 2 },
        },
        'tools.shell.allow': ['env'],
        'tools.shell.variables': ['SPARE_KEY'],
      },
      { SPARE_KEY: key },
    )
    const opened = await open()
    expect(await opened.agents.model('planner')).toMatchObject({ name: 'wise', url: planner.url, fallbacks: ['spare'] })
    expect(await opened.agents.model()).toMatchObject({ name: 'tiny', fallbacks: ['spare'], unpriced: undefined })
    const { planId } = await made(opened)
    await working(opened, () => opened.harness.ended(planId))
    expect(await opened.harness.usage(planId)).toMatchObject({ tokens: 1100, costMicros: 1200 })
    expect(await logged(opened)).toContain('spare answered, because tiny could not')
    // Programs do not see the key of any model.
    const shell = (await opened.agents.tools()).find(({ name }) => name === 'shell')
    const answer = await shell?.run(
      { program: 'env', args: [], directory: '.' },
      { signal: new AbortController().signal, key: 'k', attempt: 1 },
    )
    expect(JSON.stringify(answer)).not.toContain(key)
  })

  it('need a price each where money is limited', async () => {
    const { open } = await world({
      ...at('http://127.0.0.1:9/v1'),
      'models.fallbacks': ['spare'],
      'models.prices': { tiny: { input: 1, output: 1 } },
    })
    const opened = await open()
    await expect(opened.agents.checkPriced()).rejects.toThrow('no price for the model spare')
  })
})

describe('the tools of agents', () => {
  it('read and remember where the config says nothing, whatever the project says', async () => {
    const { open, directory } = await world()
    const open_everything = JSON.stringify({
      'tools.shell.allow': ['*'],
      'tools.files': 'write',
      'tools.http.hosts': ['*.org'],
    })
    for (const name of ['.claude/.agentm-config.json', '.agentm-config.json', 'agentm.json', '.agentm.json']) {
      await mkdir(path.dirname(path.join(directory, name)), { recursive: true })
      await writeFile(path.join(directory, name), open_everything)
    }
    const { agents } = await open()
    expect(names(await agents.tools())).toEqual([
      'files_list',
      'files_glob',
      'files_search',
      'files_read',
      'memory_recall',
      'memory_save',
    ])
    expect(await agents.model()).toBe(undefined)
    expect(await agents.tools({ owner: 'eve', partition: '_global' })).toEqual([])
  })

  it('are those the config allows', async () => {
    const { open } = await world({
      'tools.files': 'off',
      'tools.memory': 'recall',
      'tools.http.hosts': ['api.example.com'],
      'tools.shell.allow': ['git status'],
      'tools.approve': ['shell', 'http_send'],
    })
    const tools = await (await open()).agents.tools()
    expect(names(tools)).toEqual([
      'shell',
      'shell_start',
      'shell_read',
      'shell_write',
      'shell_stop',
      'memory_recall',
      'http',
      'http_send',
    ])
    expect(names(tools.filter(({ needsApproval }) => needsApproval))).toEqual([
      'shell',
      'shell_start',
      'shell_write',
      'http_send',
    ])
  })

  it('include those of MCP servers, and say in the trace which are not to be had', async () => {
    const script = path.resolve(import.meta.dirname, '../../agent-loop/test/tools/mcp-server.mjs')
    const { url } = await server([
      { calls: [['mcp_words_look_up', { word: 'ada' }]] },
      { calls: [['respondToUser', { text: 'Looked.' }]] },
    ])
    const { open } = await world({
      ...at(url),
      'tools.mcp.words': { command: process.execPath, args: [script] },
      'tools.mcp.gone': '{"command": "/no/such/program"}',
    })
    const opened = await open()
    const { planId } = await made(opened)
    await working(opened, () => opened.harness.ended(planId))
    expect(await logged(opened)).toContain('ada means ada')
    expect(await logged(opened)).toContain('the tools of the MCP server gone are not to be had')
  })
})

it.each([
  [{ 'models.url': 'http://127.0.0.1:9/v1' }, 'a model needs both'],
  [{ 'models.url': 'nonsense', 'models.model': 'm' }, 'begins with http:// or https://'],
  [{ ...at('http://127.0.0.1:9/v1'), 'models.keyVariable': 'NOT_SET' }, 'names the variable NOT_SET'],
  [{ ...at('http://127.0.0.1:9/v1'), 'models.prices': 'cheap' }, 'models.prices'],
  [{ ...at('http://127.0.0.1:9/v1'), 'models.prices': { input: 3_000_000, output: 15 } }, 'dollars per million tokens'],
  [{ ...at('http://127.0.0.1:9/v1'), 'models.prices': { tiny: { input: 3 } } }, 'tiny: "output" is absent'],
  [{ ...at('http://127.0.0.1:9/v1'), 'models.prices': { input: 3, output: 5, cached: 1 } }, 'cached'],
])('refuses to start a worker with %j', async (config, words) => {
  const { open } = await world(config)
  await expect(open().then((opened) => opened.startWorker())).rejects.toThrow(words)
})

it.each([
  [{ 'tools.files': 'all' }, 'tools.files'],
  [{ 'tools.mcp.x': { command: 'a', url: 'b' } }, 'tools.mcp.x'],
  [{ 'tools.mcp.a.b': { command: 'a' } }, 'letters, digits'],
  [{ 'tools.mcp.x': { url: 'http://127.0.0.1:9/', keyVariable: 'NOT_SET' } }, 'NOT_SET'],
])('refuses tools for %j', async (config, words) => {
  const { open } = await world(config)
  await expect(open().then((opened) => opened.agents.tools())).rejects.toThrow(words)
})
