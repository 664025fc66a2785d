import { access, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openWorkspace } from '@agentm/workspace'
import { openWorkspaceReader } from '@agentm/workspace/reader'
import * as sqlite from '@agentm/nodes-sqlite'
import { filePath } from '@agentm/vault-lock'
import { describe, expect, it, onTestFinished } from 'vitest'

const root = path.resolve(import.meta.dirname, '../../..')

interface Package {
  readonly source: string
  /** As package.json has it. */
  readonly agentm?: unknown
}

/** A home whose log is at `shelf://…`, and packages installed in its prefix that note in a file that they ran. */
async function setup(config: Readonly<Record<string, unknown>> = {}, packages: Readonly<Record<string, Package>> = {}) {
  const home = filePath(await realpath(await mkdtemp(path.join(tmpdir(), 'agentm-logs-'))))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  // What vitest runs from source cannot be imported by a package; the thread of a heartbeat imports what is built.
  Object.assign(globalThis, { sqliteOfThisTest: sqlite })
  onTestFinished(() => void Reflect.deleteProperty(globalThis, 'sqliteOfThisTest'))
  const prefix = path.join(home, '.claude')
  const project = path.join(home, 'project')
  await mkdir(prefix)
  await mkdir(project)
  const file = path.join(home, 'shelf.db')
  const written = { owner: 'ada', 'nodes.url': `shelf://${file}`, 'harness.kinds': ['approval', 'command'], ...config }
  await writeFile(path.join(prefix, '.agentm-config.json'), JSON.stringify(written))
  for (const [name, each] of Object.entries(packages)) await install(prefix, name, each)
  const world = {
    env: { XDG_CACHE_HOME: path.join(home, '.cache'), PATH: process.env['PATH'] },
    home,
    installations: [],
  }
  return {
    file,
    prefix,
    project,
    open: async () => {
      const workspace = await openWorkspace(project, { world })
      onTestFinished(() => workspace.close())
      return workspace
    },
    reader: async () => {
      const reader = await openWorkspaceReader(project, { world })
      onTestFinished(() => reader.close())
      return reader
    },
    /** How the packages were opened, in order. */
    ran: async () => (await readFile(path.join(prefix, 'ran'), 'utf8').catch(() => '')).split('\n').slice(0, -1),
  }
}

async function install(prefix: string, name: string, { source, agentm = { log: './index.js' } }: Package) {
  const directory = path.join(prefix, 'node_modules', name)
  await mkdir(directory, { recursive: true })
  await symlink(path.join(root, 'node_modules/@agentm'), path.join(prefix, 'node_modules/@agentm'), 'junction').catch(
    () => {},
  )
  const note = `import { appendFileSync } from 'node:fs'
const ran = (what) => appendFileSync(${JSON.stringify(path.join(prefix, 'ran'))}, '${name} ' + what + '\\n')
ran('loaded')\n`
  await writeFile(path.join(directory, 'index.js'), note + source)
  await writeFile(
    path.join(directory, 'package.json'),
    JSON.stringify({ name, version: '1.0.0', type: 'module', agentm }),
  )
}

/** Keeps a log in the SQLite file that its URL names. */
function shelf(protocol = 'shelf'): string {
  return `const { openSqliteReader, openSqliteStore } = globalThis.sqliteOfThisTest ?? (await import('@agentm/nodes-sqlite'))
const path = (url) => new URL(url).pathname
export const plugin = {
  contract: 1,
  protocols: ['${protocol}'],
  settingsKey: 'plugins.shelf',
  async open({ url, concepts, settings, connections }) {
    ran('open ' + JSON.stringify({ ...settings, connections }))
    return openSqliteStore({ path: path(url), concepts })
  },
  async openReader({ url, concepts, patienceMs }) {
    ran('openReader' + (patienceMs === undefined ? '' : ' impatiently'))
    return openSqliteReader({ path: path(url), concepts })
  },
}`
}

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

describe('a log that a plugin opens', () => {
  it('is opened with its settings, once for each workspace and once for the heartbeat of a worker', async () => {
    const config = { 'plugins.shelf.replica': 'b', 'plugins.other.token': 'not for you' }
    const { open, ran, file } = await setup(config, { shelf: { source: shelf() } })
    const plans = await (await open()).plans()
    const worker = await plans.startWorker()
    onTestFinished(() => worker.stop())
    const step = { key: 'a', title: 'A', kind: 'command', input: { command: 'true' } }
    const { planId } = await plans.harness.createPlan({ goal: 'g', steps: [step] })
    expect((await plans.harness.ended(planId)).payload.status).toBe('done')
    await worker.stop()
    expect(plans.isLocal).toBe(false)
    expect(await isThere(file)).toBe(true)
    const opened = (await ran()).filter((line) => line.includes('open'))
    expect(opened).toEqual(['shelf open {"replica":"b"}', 'shelf open {"replica":"b","connections":1}'])
  })

  it('is read by its reader, which makes nothing, and is given up in time where somebody waits', async () => {
    const { open, reader, ran, file } = await setup({}, { shelf: { source: shelf() } })
    expect(await (await reader()).plans()).toBeUndefined()
    expect(await isThere(file)).toBe(false)
    const { harness } = await (await open()).plans()
    await harness.createPlan({ goal: 'g', steps: [{ key: 'a', title: 'A', kind: 'approval' }] })
    await (await (await open()).memory()).save({ kind: 'fact', text: 'The harbour closes at nine.' })
    const looking = await reader()
    expect(await (await looking.plans())?.harness.statuses()).toHaveLength(1)
    const remembered = await looking.memory({ serverMs: 60_000 })
    expect((await remembered?.memory.recall({ text: 'harbour' }))?.results).toHaveLength(1)
    expect((await ran()).slice(-2)).toEqual(['shelf openReader', 'shelf openReader impatiently'])
  })

  it('is found by what packages declare, and loads none that opens something else', async () => {
    const other = { source: shelf('drawer'), agentm: { log: './index.js', protocols: ['drawer'] } }
    const { open, ran } = await setup({}, { drawer: other, shelf: { source: shelf() } })
    await (await open()).log()
    expect((await ran()).filter((line) => line.endsWith('loaded'))).toEqual(['shelf loaded'])
  })

  it('is that of the package which nodes.plugins names, and of none of two that are only installed', async () => {
    const packages = { one: { source: shelf() }, two: { source: shelf() } }
    const named = await setup({ 'nodes.plugins': ['two'] }, packages)
    await (await named.open()).log()
    expect(await named.ran()).toEqual(['two loaded', 'two open {}'])
    const { open } = await setup({}, packages)
    await expect((await open()).log()).rejects.toMatchObject({
      code: 'LOG_PLUGIN',
      message:
        'one and two both provide the log "shelf". Say which one is meant: agentm config set nodes.plugins NAME.',
    })
  })

  it('is never opened by a package of the directory being opened', async () => {
    const { open, ran, project } = await setup()
    await install(project, 'shelf', { source: shelf() })
    await expect((await open()).log()).rejects.toMatchObject({ code: 'LOG_PLUGIN' })
    expect(await ran()).toEqual([])
    expect(await isThere(path.join(project, 'ran'))).toBe(false)
  })

  it('of an older version is refused to whoever only looks, as one on PostgreSQL is', async () => {
    const behind = `throw Object.assign(new Error('old'), { code: 'SCHEMA_ABSENT', found: 2, known: 3, server: 'the shelf' })`
    const source = shelf().replace('return openSqliteReader', `${behind}\n    return openSqliteReader`)
    const { reader } = await setup({}, { shelf: { source } })
    await expect((await reader()).plans()).rejects.toMatchObject({
      code: 'LOG_BEHIND',
      message: expect.stringContaining('the log at the shelf has version 2') as unknown,
    })
  })
})

it.each(['shelf', 'SHELF', 'lib-sql+x'])(
  'a log at %s:// that nobody opens is refused with the logs there are',
  async (protocol) => {
    const { open } = await setup(
      { 'nodes.url': `${protocol}://ada:secret@shelf.example/team?token=secret` },
      { drawer: { source: shelf('drawer'), agentm: { log: './index.js', protocols: ['drawer'] } } },
    )
    const refusal = await (await open()).log().catch((error: unknown) => error)
    expect(refusal).toMatchObject({
      code: 'LOG_PLUGIN',
      message:
        `the log is configured to be at ${protocol.toLowerCase()}://shelf.example/team, and no installed plugin opens ${protocol.toLowerCase()}://. ` +
        'There are: a file, postgres://, postgresql://, drawer://. ' +
        'Install the package that opens it beside agentm (npm install --prefix ~/.claude NAME), or correct nodes.url.',
    })
  },
)

it('a log of a plugin is restored by that plugin, and refused where the plugin cannot', async () => {
  const restoring = shelf().replace(
    'async openReader',
    `async restore(from, { url }) { ran('restore ' + from + ' ' + url.startsWith('shelf://')) },\n  async openReader`,
  )
  const able = await setup({}, { shelf: { source: restoring } })
  await (await (await able.open()).logUpkeep()).restore('/backup')
  expect(await able.ran()).toEqual(['shelf loaded', 'shelf restore /backup true'])
  const unable = await setup({}, { shelf: { source: shelf() } })
  const upkeep = await (await unable.open()).logUpkeep()
  await expect(upkeep.restore('/backup')).rejects.toMatchObject({ code: 'SERVER_RESTORE' })
  expect(await unable.ran()).toEqual(['shelf loaded'])
})

const opens = (store: string) =>
  `export const plugin = { contract: 1, protocols: ['shelf'], open: async () => ${store}, openReader: async () => undefined }`

it.each<[string, Package | undefined, string]>([
  ['is not installed', undefined, 'is not installed. Install it beside agentm (npm install --prefix ~/.claude echo)'],
  ['throws while loading', { source: 'throw new Error("no disk")' }, 'cannot be loaded (no disk)'],
  ['declares nothing', { source: shelf(), agentm: {} }, 'its package.json has no "agentm": { "log": … }'],
  ['exports no plugin', { source: 'export const open = 1' }, 'exports no log'],
  ['has no reader', { source: 'export const plugin = { contract: 1, protocols: [], open() {} }' }, 'exports no log'],
  ['is of another version', { source: shelf().replace('contract: 1', 'contract: 2') }, 'version 2'],
  ['cannot open it', { source: opens('{ throw new Error("no shelf") }') }, 'cannot open the log at shelf://'],
  ['opens no log', { source: opens('({ log: {} })') }, 'that is no log'],
])('a package of nodes.plugins that %s is refused by its name', async (_, found, says) => {
  const { open } = await setup({ 'nodes.plugins': ['echo'] }, found === undefined ? {} : { echo: found })
  const refusal = await (await open()).log().catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'LOG_PLUGIN' })
  expect((refusal as Error).message).toMatch(/^the plugin package echo /)
  expect((refusal as Error).message).toContain(says)
})
