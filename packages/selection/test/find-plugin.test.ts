import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installationsOf, isStorageSelectionError, resolveStorage, type SelectionWorld } from '@agentm/selection'
import type { FilePath } from '@agentm/vault-lock'
import { describe, expect, it } from 'vitest'
import { memoryPlugin, type OwnWorld, ownWorld } from './own-world.ts'

interface Installed {
  readonly version?: string
  readonly protocol?: string
  /** Source of the module; the default is a plugin that answers to `protocol`. */
  readonly source?: string
  readonly manifest?: Readonly<Record<string, unknown>>
}

/** Puts a package below `place/node_modules` that notes, in the home, that it ran. */
async function install(own: OwnWorld, place: string, name: string, options: Installed = {}): Promise<void> {
  const { version = '1.0.0', protocol = 'cloud' } = options
  const directory = join(place, 'node_modules', name)
  await mkdir(join(directory, 'lib'), { recursive: true })
  const manifest = options.manifest ?? { name, version, type: 'module', agentm: { backend: './lib/plugin.js' } }
  await writeFile(join(directory, 'package.json'), JSON.stringify(manifest))
  const note = `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(join(own.home, 'ran'))}, '${name} ');`
  await writeFile(join(directory, 'lib/plugin.js'), note + (options.source ?? pluginSource(protocol, version)))
}

function pluginSource(protocol: string, version: string): string {
  const verbs = ['resolve', 'read', 'write', 'list', 'exists', 'info', 'mkdir'].map((verb) => `${verb}() {}`).join(', ')
  return `export const plugin = { protocol: '${protocol}', seam: 1, settingsKey: 'plugins.x', open: async () => ({ version: '${version}', capabilities: {}, ${verbs} }) }`
}

async function withCloud(settings: Readonly<Record<string, unknown>> = {}) {
  const own = await ownWorld()
  await own.config({ 'storage.backend': 'cloud', ...settings })
  const prefix = join(own.home, '.claude')
  const program = await own.directory('program')
  const world: SelectionWorld = { ...own.world, installations: [program] }
  return { ...own, own, prefix, program, world }
}

async function versionOf({ world, registry }: Pick<OwnWorld, 'world' | 'registry'>): Promise<unknown> {
  const resolution = await resolveStorage({ world, registry })
  if (!resolution.ok) throw resolution.error
  return (resolution.storage.backend as { version?: unknown }).version
}

async function refusalOf(world: Pick<OwnWorld, 'world' | 'registry'>) {
  const resolution = await resolveStorage(world)
  if (resolution.ok || !isStorageSelectionError(resolution.error)) throw new Error('a refusal was wanted')
  return resolution.error
}

async function ran({ home }: OwnWorld): Promise<string[]> {
  return (await readFile(join(home, 'ran'), 'utf8').catch(() => '')).split(' ').filter((name) => name !== '')
}

describe('the plugin for a protocol', () => {
  it('is the registered one before any package', async () => {
    const { own, world, registry, prefix } = await withCloud({ 'storage.plugins': ['cloud-a'] })
    await install(own, prefix, 'cloud-a')
    registry.register(memoryPlugin('cloud'))
    expect(await versionOf({ world, registry })).toBeUndefined()
    expect(await ran(own)).toEqual([])
  })

  it('is one the user names before one that declares itself', async () => {
    const { own, world, registry, prefix } = await withCloud({ 'storage.plugins': ['zzz'] })
    await install(own, prefix, '@agentm/backend-cloud', { version: '1.0.0' })
    await install(own, prefix, 'zzz', { version: '2.0.0' })
    expect(await versionOf({ world, registry })).toBe('2.0.0')
    expect(await ran(own)).toEqual(['zzz'])
  })

  it('is named by AGENTM_BACKEND_PLUGINS before the config', async () => {
    const { own, world, registry, prefix } = await withCloud({ 'storage.plugins': ['b'] })
    await install(own, prefix, 'a', { version: '1.0.0', protocol: 'other' })
    await install(own, prefix, '@x/a', { version: '2.0.0' })
    await install(own, prefix, 'b', { version: '3.0.0' })
    const env = { ...world.env, AGENTM_BACKEND_PLUGINS: 'a, @x/a' }
    expect(await versionOf({ world: { ...world, env }, registry })).toBe('2.0.0')
    expect(await ran(own)).toEqual(['a', '@x/a'])
  })

  it('is found among the packages that declare themselves, scoped ones too, and stays unregistered', async () => {
    const { own, world, registry, program } = await withCloud()
    await install(own, program, '@acme/cloudy', { version: '4.0.0' })
    await install(own, program, 'left-pad', { manifest: { name: 'left-pad', version: '1.0.0' } })
    expect(await versionOf({ world, registry })).toBe('4.0.0')
    expect(await ran(own)).toEqual(['@acme/cloudy'])
    expect(registry.protocols()).toEqual(['device-local'])
  })

  it('is not looked for unless the config asks', async () => {
    const { own, world, registry, prefix, config } = await withCloud()
    await install(own, prefix, 'a')
    await config({ 'storage.plugins': ['a'] })
    expect((await resolveStorage({ world, registry })).ok).toBe(true)
    expect(await ran(own)).toEqual([])
  })

  it('is not loaded when it declares another protocol', async () => {
    const { own, world, registry, prefix } = await withCloud()
    const agentm = { backend: './lib/plugin.js', protocol: 'other' }
    await install(own, prefix, 'a', { manifest: { name: 'a', version: '1.0.0', type: 'module', agentm } })
    expect((await refusalOf({ world, registry })).reason).toBe('unregistered')
    expect(await ran(own)).toEqual([])
  })

  it('is the newest version of the places it is installed in: 10 before 9', async () => {
    const { own, world, registry, prefix, program } = await withCloud()
    await install(own, prefix, 'a', { version: '9.9.9' })
    await install(own, program, 'a', { version: '10.0.0-rc.1' })
    expect(await versionOf({ world, registry })).toBe('10.0.0-rc.1')
  })

  it('is the one of the install prefix where versions are equal', async () => {
    const { own, world, registry, prefix, program } = await withCloud()
    await install(own, prefix, 'a', { source: pluginSource('cloud', 'prefix') })
    await install(own, program, 'a', { source: pluginSource('cloud', 'program') })
    expect(await versionOf({ world, registry })).toBe('prefix')
  })

  it('is never taken from the current directory', async () => {
    const { own, world, registry, directory } = await withCloud({ 'storage.plugins': ['a'] })
    const project = await directory('project')
    await install(own, project, 'a')
    const before = process.cwd()
    process.chdir(project)
    try {
      expect((await refusalOf({ world, registry })).reason).toBe('not-installed')
    } finally {
      process.chdir(before)
    }
    expect(await ran(own)).toEqual([])
  })

  it('is refused when a package the user names is not installed, also where another would do', async () => {
    const { own, world, registry, prefix } = await withCloud({ 'storage.plugins': ['gone', 'a'] })
    await install(own, prefix, 'a')
    const error = await refusalOf({ world, registry })
    expect(error).toMatchObject({ name: 'BackendNotInstalledError', reason: 'not-installed' })
    expect(error.message).toContain('gone')
  })

  it.each([
    ['throws while loading', { source: "throw new Error('no disk')" }, 'no disk'],
    ['exports nothing', { source: '' }, 'exports no backend'],
    ['exports something else', { source: 'export const plugin = 5' }, 'exports no backend'],
    [
      'has another major of the seam',
      { source: pluginSource('cloud', '1').replace('seam: 1', 'seam: 2') },
      'version 2',
    ],
    ['declares no backend', { manifest: { name: 'a', version: '1.0.0' } }, 'declares no backend'],
    ['declares a module outside itself', { manifest: { agentm: { backend: '../../evil.js' } } }, 'declares no backend'],
    ['has a broken manifest', { manifest: [] as never }, 'declares no backend'],
  ])('is refused by name when it %s', async (_, options, says) => {
    const { own, world, registry, prefix } = await withCloud({ 'storage.plugins': ['a'] })
    await install(own, prefix, 'a', options)
    const error = await refusalOf({ world, registry })
    expect(error.reason).toBe('plugin')
    expect(error.message).toContain('package a ')
    expect(error.message).toContain(says)
  })

  it('is found beside a broken package that was not asked for', async () => {
    const { own, world, registry, prefix } = await withCloud()
    await install(own, prefix, 'a', { source: "throw new Error('unrelated')" })
    await install(own, prefix, 'b', { version: '2.0.0' })
    expect(await versionOf({ world, registry })).toBe('2.0.0')
  })

  it('is refused when two packages declare it', async () => {
    const { own, world, registry, prefix } = await withCloud()
    await install(own, prefix, 'a')
    await install(own, prefix, 'b')
    expect((await refusalOf({ world, registry })).message).toContain('a and b both provide')
  })

  it('is refused when the package named for it provides another', async () => {
    const { own, world, registry, prefix } = await withCloud()
    await install(own, prefix, '@agentm/backend-cloud', { protocol: 'other' })
    expect((await refusalOf({ world, registry })).message).toContain('provides "other" and not "cloud"')
  })
})

it('an installation is a directory whose node_modules hold the running package', async () => {
  const { home, directory } = await ownWorld()
  const nested = await directory('lib/node_modules/@agentm/cli/node_modules/@agentm/workspace')
  await directory('lib/node_modules/@agentm/workspace')
  expect(await installationsOf(nested, '@agentm/workspace')).toEqual([join(home, 'lib/node_modules/@agentm/cli')])
  const source = await directory('checkout/packages/workspace')
  await directory('checkout/node_modules/@agentm')
  await symlink(source, join(home, 'checkout/node_modules/@agentm/workspace'))
  expect(await installationsOf(source, '@agentm/workspace')).toEqual([join(home, 'checkout')])
  const linked = join(home, 'checkout/node_modules/@agentm/workspace') as FilePath
  expect(await installationsOf(linked, '@agentm/workspace')).toEqual([join(home, 'checkout')])
})
