import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { filePath } from '@agentm/vault-lock'
import { openWorkspace } from '@agentm/workspace'
import { openWorkspaceReader } from '@agentm/workspace/reader'
import { describe, expect, it, onTestFinished } from 'vitest'

async function setup(config: Readonly<Record<string, unknown>> = {}) {
  const home = filePath(await realpath(await mkdtemp(path.join(tmpdir(), 'agentm-workspace-'))))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const configFile = path.join(home, '.claude/.agentm-config.json')
  await mkdir(path.dirname(configFile), { recursive: true })
  await writeFile(configFile, JSON.stringify({ owner: 'ada', ...config }))
  const world = { env: { XDG_CACHE_HOME: path.join(home, '.cache') }, home, installations: [] }
  const open = async (where: Parameters<typeof openWorkspace>[0] = home) => {
    const workspace = await openWorkspace(where, { world })
    onTestFinished(() => workspace.close())
    return workspace
  }
  const read = async (where: Parameters<typeof openWorkspace>[0] = home) => {
    const reader = await openWorkspaceReader(where, { world })
    onTestFinished(() => reader.close())
    return reader
  }
  return { home, configFile, open, read }
}

describe('a workspace of the user', () => {
  it('opens each thing once, and shares it', async () => {
    const { open, home } = await setup()
    await mkdir(path.join(home, 'repo/.harness'), { recursive: true })
    await writeFile(path.join(home, 'repo/.harness/project.json'), '{"vault_project":"acme"}')
    const workspace = await open(path.join(home, 'repo'))
    const [memory, again] = await Promise.all([workspace.memory(), workspace.memory()])
    expect(again).toBe(memory)
    expect((await workspace.plans()).store).toBe(await workspace.log())
    expect((await workspace.project()).backend).toBe((await workspace.storage()).backend)
  })

  it('reads the config once, when it is first asked for something', async () => {
    const { open, configFile } = await setup()
    const workspace = await open()
    expect(await workspace.owner()).toBe('ada')
    await writeFile(configFile, '{"owner":"bob"}')
    expect((await workspace.plans()).owner).toBe('ada')
    expect((await workspace.learning()).owner).toBe('ada')
  })

  it('tries again what could not be opened', async () => {
    const { open, home } = await setup({ 'plugins.device-local.root': '~/file/below' })
    await writeFile(path.join(home, 'file'), '')
    const workspace = await open()
    await expect(workspace.memory()).rejects.toThrow('ENOTDIR')
    await rm(path.join(home, 'file'))
    const memory = await workspace.memory()
    expect((await memory.save({ kind: 'note', text: 'It is back.' })).outcome).toBe('created')
  })

  it('creates nothing by being opened, asked what it is, and closed', async () => {
    const { open, home } = await setup()
    const workspace = await open()
    expect(await workspace.isUntouched()).toBe(true)
    expect(await workspace.hasLog()).toBe(false)
    await workspace.project()
    await workspace.close()
    expect(await readdir(home)).toEqual(['.claude'])
  })
})

describe('a workspace of its own', () => {
  it('keeps everything in its home, and reads neither the config nor the variables of the user', async () => {
    const { open, home, configFile } = await setup({ 'embedder.provider': 'nonsense' })
    const before = await readFile(configFile, 'utf8')
    const data = path.join(home, 'data')
    const workspace = await open({ home: data })
    const saved = await (await workspace.memory()).save({ kind: 'fact', text: 'The door is green.' })
    expect(saved.project).toBeUndefined()
    await workspace.close()
    const names = ['.agentm-config.json', '.agentm-locks', 'device-id', 'log', 'memory', 'state']
    expect((await readdir(data)).toSorted()).toEqual(names)
    expect(await readFile(configFile, 'utf8')).toBe(before)

    const again = await open({ home: data })
    const { results } = await (await again.memory()).recall({ text: 'which colour has the door' })
    expect(results[0]?.text).toContain('green')
  })

  it('takes settings from the program', async () => {
    const { open, home } = await setup()
    const workspace = await open({ home: path.join(home, 'data'), settings: { owner: 'robot' } })
    expect(await workspace.owner()).toBe('robot')
    const wrong = await open({ home: path.join(home, 'data'), settings: { 'tools.files': 'all' } })
    await expect(wrong.plans()).rejects.toThrow('"tools.files" is "all"')
  })

  it('belongs to the project of a directory only when one is named', async () => {
    const { open, home } = await setup()
    const repo = path.join(home, 'repo')
    await mkdir(path.join(repo, '.harness'), { recursive: true })
    await writeFile(path.join(repo, '.harness/project.json'), '{"vault_project":"acme"}')
    expect((await (await open({ home: path.join(repo, 'data') })).project()).slug).toBeUndefined()
    expect((await (await open({ home: path.join(repo, 'data'), directory: repo })).project()).slug).toBe('acme')
  })
})

describe('a reader', () => {
  it('finds nothing where nothing was kept, and creates nothing', async () => {
    const { read, home } = await setup()
    const reader = await read()
    expect(await reader.memory()).toBeUndefined()
    expect(await reader.log()).toBeUndefined()
    expect(await reader.plans()).toBeUndefined()
    expect(await reader.beliefs('ada')).toBeUndefined()
    expect(await reader.trace('nothing')).toMatchObject({ stepCount: 0 })
    expect(await readdir(home)).toEqual(['.claude'])
  })

  it('reads what a workspace wrote', async () => {
    const { open, read } = await setup()
    const workspace = await open()
    await (await workspace.memory()).save({ kind: 'fact', text: 'The door is green.' })
    const { planId } = await (
      await workspace.plans()
    ).harness.createPlan({
      goal: 'Paint the door',
      steps: [{ key: 'a', title: 'Paint', kind: 'approval' }],
    })
    const reader = await read()
    const memory = await reader.memory()
    expect((await memory?.memory.recall({ text: 'which colour has the door' }))?.results[0]?.text).toContain('green')
    const plans = await reader.plans()
    expect((await plans?.harness.plan(planId))?.payload.goal).toBe('Paint the door')
    expect(await reader.trace(planId)).toMatchObject({ stepCount: 1 })
  })

  it('has no verb that writes', async () => {
    const { open, read } = await setup()
    const workspace = await open()
    await (await workspace.memory()).save({ kind: 'fact', text: 'The door is green.' })
    const reader = await read()
    const [memory, plans, log] = [await reader.memory(), await reader.plans(), await reader.log()]
    const writing =
      /^(?:save|append|create|forget|capture|supersede|pause|resume|cancel|claim|redact|rebuild|answer(?!s$)|erase)/
    const verbs = [reader, memory?.memory, plans, plans?.harness, plans?.roster, plans?.work, log]
      .flatMap((part) => Object.keys(part ?? {}))
      .filter((name) => writing.test(name))
    expect(verbs).toEqual([])
  })
})
