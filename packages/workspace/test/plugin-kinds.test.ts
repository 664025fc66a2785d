import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openWorkspace } from '@agentm/workspace'
import { openWorkspaceReader } from '@agentm/workspace/reader'
import { filePath } from '@agentm/vault-lock'
import { describe, expect, it, onTestFinished } from 'vitest'

/** A home with this config, and packages installed in its prefix that note in a file that they ran. */
async function setup(config: Readonly<Record<string, unknown>>, packages: Readonly<Record<string, Package>> = {}) {
  const home = filePath(await realpath(await mkdtemp(path.join(tmpdir(), 'agentm-kinds-'))))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const prefix = path.join(home, '.claude')
  await mkdir(prefix)
  const write = (more: Readonly<Record<string, unknown>> = {}) =>
    writeFile(path.join(prefix, '.agentm-config.json'), JSON.stringify({ owner: 'ada', ...config, ...more }))
  await write()
  for (const [name, each] of Object.entries(packages)) await install(prefix, name, each)
  const world = { env: { XDG_CACHE_HOME: path.join(home, '.cache') }, home, installations: [] }
  return {
    write,
    open: async () => {
      const workspace = await openWorkspace(home, { world })
      onTestFinished(() => workspace.close())
      return workspace
    },
    reader: async () => {
      const reader = await openWorkspaceReader(home, { world })
      onTestFinished(() => reader.close())
      return reader
    },
    ran: async () => (await readFile(path.join(prefix, 'ran'), 'utf8').catch(() => '')).split(' ').slice(0, -1),
  }
}

interface Package {
  readonly source: string
  /** As package.json has it. */
  readonly agentm?: unknown
}

async function install(prefix: string, name: string, { source, agentm = { steps: './index.js' } }: Package) {
  const directory = path.join(prefix, 'node_modules', name)
  await mkdir(directory, { recursive: true })
  const note = `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(path.join(prefix, 'ran'))}, '${name} ');`
  await writeFile(path.join(directory, 'index.js'), note + source)
  await writeFile(
    path.join(directory, 'package.json'),
    JSON.stringify({ name, version: '1.0.0', type: 'module', agentm }),
  )
}

/** A plugin whose kinds answer what it was opened with. */
function echoing(...names: readonly string[]): string {
  const kinds = names.map((name) => `{ name: '${name}', run: async () => ({ end: 'done', result: settings }) }`)
  return `export const plugin = { contract: 1, settingsKey: 'plugins.echo', open: async (settings) => [${kinds.join(', ')}] }`
}

describe('a kind of step that a plugin brings', () => {
  it('runs with its own settings, and only those', async () => {
    const settings = { 'plugins.echo.channel': 'builds', 'plugins.other.token': 'not for you' }
    const { open } = await setup({ 'harness.kinds': ['count'], ...settings }, { echo: { source: echoing('count') } })
    const plans = await (await open()).plans()
    const { harness } = plans
    const worker = await plans.startWorker()
    onTestFinished(() => worker.stop())
    const step = { key: 'a', title: 'A', kind: 'count' }
    const { planId, steps } = await harness.createPlan({ goal: 'g', steps: [step] })
    expect((await harness.ended(planId)).payload.status).toBe('done')
    expect((await harness.step(steps['a'] ?? '')).payload.result).toEqual({ channel: 'builds' })
  })

  it('is there for plan files, and runs only where harness.kinds allows it', async () => {
    const { open } = await setup({ 'harness.plugins': ['echo'] }, { echo: { source: echoing('count') } })
    const workspace = await open()
    expect(await workspace.stepKindNames(['count', 'other'])).toEqual(expect.arrayContaining(['command', 'count']))
    expect(await workspace.stepKindNames(['count', 'other'])).not.toContain('other')
    const kinds = await (await workspace.plans()).stepKinds()
    expect(kinds.map(({ name }) => name)).not.toContain('count')
  })

  it('is not looked for by plans of built-in kinds, and not loaded where its package declares other kinds', async () => {
    const declared = { source: echoing('count'), agentm: { steps: './index.js', kinds: ['count'] } }
    const { open, write, ran } = await setup({ 'harness.kinds': ['approval'] }, { echo: declared })
    const workspace = await open()
    await workspace.stepKindNames(['approval', 'command'])
    await (await workspace.plans()).stepKinds()
    await write({ 'harness.kinds': ['other'] })
    await expect((await (await open()).plans()).stepKinds()).rejects.toMatchObject({ code: 'HARNESS_CONFIG' })
    expect(await ran()).toEqual([])
    await write({ 'harness.kinds': ['count'] })
    await (await (await open()).plans()).stepKinds()
    expect(await ran()).toEqual(['echo'])
  })

  it('is taken from the package that is named where two bring it, and from neither where none is named', async () => {
    const packages = { one: { source: echoing('count') }, two: { source: echoing('count') } }
    const { open, write, reader } = await setup({ 'harness.kinds': ['count'] }, packages)
    await expect((await (await open()).plans()).startWorker()).rejects.toThrow(
      'one and two both provide the kind of step "count". Say which one is meant: agentm config set harness.plugins NAME.',
    )
    await write({ 'harness.plugins': ['two'] })
    expect((await (await reader()).probeKinds()).plugins).toEqual([{ kind: 'count', from: 'two', isAllowed: true }])
    await write({ 'harness.plugins': ['one', 'two'] })
    await expect((await reader()).probeKinds()).rejects.toThrow('one and two both provide')
  })
})

const opens = (kinds: string) => `export const plugin = { contract: 1, open: async () => ${kinds} }`

it.each<[string, Package | undefined, string]>([
  ['is not installed', undefined, 'is not installed. Install it beside agentm (npm install --prefix ~/.claude echo)'],
  ['throws while loading', { source: 'throw new Error("no disk")' }, 'cannot be loaded (no disk)'],
  ['declares nothing', { source: echoing('count'), agentm: {} }, 'its package.json has no "agentm": { "steps": … }'],
  ['declares a file outside itself', { source: '', agentm: { steps: '../x.js' } }, 'declares no kind of step'],
  ['exports no plugin', { source: 'export const kinds = []' }, 'exports no kind of step'],
  ['is of another version', { source: echoing('count').replace('contract: 1', 'contract: 2') }, 'version 2'],
  ['cannot be opened', { source: opens('{ throw new Error("no channel") }') }, 'cannot be opened (no channel)'],
  ['opens nothing', { source: opens('[]') }, 'is not a list of kinds of steps'],
  ['opens a kind that cannot run', { source: opens('[{ name: "count" }]') }, 'is not a list of kinds of steps'],
  [
    'opens a name no list can hold',
    { source: opens('[{ name: "a,b", run() {} }]') },
    'is not a list of kinds of steps',
  ],
  ['takes a name of ours', { source: echoing('command') }, `"command", and that name is one of agentm's own`],
  ['has two kinds of one name', { source: echoing('count', 'count') }, 'two kinds of steps with the name "count"'],
])(
  'a package of harness.plugins that %s is refused by its name, the setting and what to do',
  async (_, found, says) => {
    const config = { 'harness.kinds': ['count'], 'harness.plugins': ['echo'] }
    const { open } = await setup(config, found === undefined ? {} : { echo: found })
    const refusal = await (await (await open()).plans()).startWorker().catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'HARNESS_CONFIG', retryable: false })
    const { message } = refusal as Error
    expect(message).toMatch(
      /^the plugin package echo .*(?:Update it|beside agentm).*take it out of harness\.plugins\.$/s,
    )
    expect(message).toContain(says)
  },
)
