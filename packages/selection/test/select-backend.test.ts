import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isStorageSelectionError, previewStorage, resolveStorage, selectBackend } from '@agentm/selection'
import { type StorageRequest } from '../src/resolve-storage.ts'
import { describe, expect, it } from 'vitest'
import { memoryPlugin, ownWorld, vaultPlugin } from './own-world.ts'

/** The refusal of a selection, beside the preview of the same; they must say the same words. */
async function refusal(request: StorageRequest) {
  const error: unknown = await selectBackend(request).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!isStorageSelectionError(error)) throw new Error('a refusal was wanted', { cause: error })
  const preview = await previewStorage(request)
  expect(preview).toEqual({ status: 'fail', text: error.message, line: `storage [FAIL] ${error.message}` })
  return error
}

async function withVault(texts: Readonly<Record<string, string>> = {}) {
  const own = await ownWorld()
  const plugin = vaultPlugin(texts)
  own.registry.register(plugin)
  return { ...own, plugin, vault: await own.directory('vault') }
}

async function selected(request: StorageRequest) {
  const resolution = await resolveStorage(request)
  if (!resolution.ok) throw resolution.error
  return resolution.storage
}

describe('which backend is meant', () => {
  it('fresh machine: device-local', async () => {
    const { world, registry } = await ownWorld()
    expect(await selected({ world, registry })).toMatchObject({ protocol: 'device-local', origin: 'default' })
  })

  it('config vault with a path and a plugin: vault, rooted at vault_path', async () => {
    const { world, registry, plugin, vault, config } = await withVault()
    await config({ 'storage.backend': 'vault', 'plugins.obsidian-vault.vault_path': vault })
    expect(await selected({ world, registry })).toMatchObject({ protocol: 'vault', origin: 'configured' })
    expect(plugin.opened[0]).toEqual({ vault_path: vault, root: vault })
  })

  it('the other directories a vault names may begin with ~, and are refused when they are relative', async () => {
    const { world, registry, plugin, vault, config } = await withVault()
    const common = { 'storage.backend': 'vault', 'plugins.obsidian-vault.vault_path': vault }
    await config({
      ...common,
      'plugins.obsidian-vault.personal_root': '~/Notes',
      'plugins.obsidian-vault.allow_links': ['~', '/mnt/shared'],
    })
    await selected({ world, registry })
    expect(plugin.opened[0]).toMatchObject({
      personal_root: join(world.home, 'Notes'),
      allow_links: [world.home, '/mnt/shared'],
    })
    await config({ ...common, 'plugins.obsidian-vault.allow_links': ['shared'] })
    const { message } = await refusal({ world, registry })
    expect(message).toContain('plugins.obsidian-vault.allow_links is "shared", which is not an absolute path')
  })

  it('MEMORY_VAULT_PATH only: vault', async () => {
    const own = await withVault()
    const world = own.with({ MEMORY_VAULT_PATH: ` ${own.vault} ` })
    expect(await selected({ world, registry: own.registry })).toMatchObject({
      protocol: 'vault',
      origin: 'environment',
    })
    expect(own.plugin.opened[0]).toMatchObject({ root: own.vault })
  })

  it('config device-local beats MEMORY_VAULT_PATH', async () => {
    const own = await withVault()
    await own.config({ 'storage.backend': ' device-local ' })
    const world = own.with({ MEMORY_VAULT_PATH: own.vault })
    expect((await selected({ world, registry: own.registry })).protocol).toBe('device-local')
  })

  it('plugin path key without storage.backend: device-local', async () => {
    const { world, registry, vault, config } = await withVault()
    await config({ 'plugins.obsidian-vault.vault_path': vault, vault_path: vault })
    expect((await selected({ world, registry })).protocol).toBe('device-local')
  })

  it('nested {"storage": {"backend": …}} is not seen', async () => {
    const { world, registry, config } = await withVault()
    await config({ storage: { backend: 'vault' } })
    expect((await selected({ world, registry })).protocol).toBe('device-local')
  })

  it('legacy vault_path alone: vault, as it always meant, and the preview says the same', async () => {
    const { world, registry, plugin, vault, config } = await withVault()
    await config({ vault_path: vault })
    expect(await selected({ world, registry })).toMatchObject({ protocol: 'vault', origin: 'legacy' })
    expect(plugin.opened[0]).toMatchObject({ root: vault })
    expect((await previewStorage({ world, registry })).status).toBe('ok')
  })

  it('protocol names are case-sensitive', async () => {
    const { world, registry, config } = await withVault()
    await config({ 'storage.backend': 'Vault' })
    expect((await refusal({ world, registry })).reason).toBe('unregistered')
  })

  it('the config of AGENTM_INSTALL_PREFIX counts for everything, also for the vault path', async () => {
    const own = await withVault()
    const prefix = await own.directory('elsewhere')
    await writeFile(
      join(prefix, '.agentm-config.json'),
      JSON.stringify({ 'storage.backend': 'vault', 'plugins.obsidian-vault.vault_path': own.vault }),
    )
    const world = own.with({ AGENTM_INSTALL_PREFIX: ' ~/elsewhere ' })
    expect((await selected({ world, registry: own.registry })).protocol).toBe('vault')
    expect(
      (await refusal({ world: own.with({ AGENTM_INSTALL_PREFIX: 'elsewhere' }), registry: own.registry })).reason,
    ).toBe('config')
  })

  it('opens the plugin with its own settings only', async () => {
    const { world, registry, config } = await ownWorld()
    const plugin = memoryPlugin('notes')
    registry.register(plugin)
    await config({
      'storage.backend': 'notes',
      'plugins.notes.depth': 3,
      'plugins.notes.a.b': true,
      'plugins.notesx': 1,
    })
    await selectBackend({ world, registry })
    expect(plugin.opened).toEqual([{ depth: 3, 'a.b': true }])
  })

  it('does not change the registry', async () => {
    const { world, registry } = await withVault()
    await selectBackend({ world, registry })
    expect(registry.protocols()).toEqual(['device-local', 'vault'])
  })
})

describe('refusals', () => {
  it('protocol not registered and not vault: names it, and the registered ones sorted', async () => {
    const { world, registry, config } = await withVault()
    await config({ 'storage.backend': 'cloud' })
    const error = await refusal({ world, registry })
    expect(error.reason).toBe('unregistered')
    expect(error.message).toContain('"cloud"')
    expect(error.message).toContain('Registered: device-local, vault.')
  })

  it('protocol not registered, nothing registered: says (none)', async () => {
    const { world, registry, config } = await ownWorld()
    registry.unregister('device-local')
    await config({ 'storage.backend': 'cloud' })
    expect((await refusal({ world, registry })).message).toContain('Registered: (none).')
  })

  it('vault, plugin not installed: one of the same family, with three ways to fix it', async () => {
    const { world, registry, config, directory } = await ownWorld()
    await config({ 'storage.backend': 'vault', 'plugins.obsidian-vault.vault_path': await directory('vault') })
    const error = await refusal({ world, registry })
    expect(error).toMatchObject({
      name: 'BackendNotInstalledError',
      code: 'STORAGE_SELECTION',
      reason: 'not-installed',
    })
    expect(error.message.match(/npm install|agentm config set/g)).toHaveLength(3)
  })

  it.each([
    ['absent', {}],
    ['blank', { 'plugins.obsidian-vault.vault_path': ' ' }],
    ['null', { 'plugins.obsidian-vault.vault_path': null }],
  ])('vault, vault_path %s: says how to set it', async (_, settings) => {
    const { world, registry, config } = await withVault()
    await config({ 'storage.backend': 'vault', ...settings })
    const error = await refusal({ world, registry })
    expect(error.reason).toBe('no-root')
    expect(error.message).toContain('agentm config set plugins.obsidian-vault.vault_path')
    expect(error.message).toContain('MEMORY_VAULT_PATH')
  })

  it('vault, directory gone: refused, also by the preview', async () => {
    const { world, registry, config, home } = await withVault()
    await config({ 'storage.backend': 'vault', 'plugins.obsidian-vault.vault_path': join(home, 'unmounted') })
    const error = await refusal({ world, registry })
    expect(error.reason).toBe('no-root')
    expect(error.message).toContain(`${join(home, 'unmounted')} does not exist`)
  })

  it('legacy vault_path whose directory is gone: refused, not device-local', async () => {
    const { world, registry, config, home } = await withVault()
    await config({ vault_path: join(home, 'unmounted') })
    expect((await refusal({ world, registry })).reason).toBe('no-root')
  })

  it('vault_path is a plugin setting before it is a legacy key, also when its directory is gone', async () => {
    const { world, registry, config, home, vault } = await withVault()
    await config({
      'storage.backend': 'vault',
      'plugins.obsidian-vault.vault_path': join(home, 'unmounted'),
      vault_path: vault,
    })
    expect((await refusal({ world, registry })).message).toContain(join(home, 'unmounted'))
  })

  it('broken MEMORY_VAULT_PATH: refused, without falling through to the config', async () => {
    const own = await withVault()
    await own.config({ 'storage.backend': 'vault', 'plugins.obsidian-vault.vault_path': own.vault })
    const world = own.with({ MEMORY_VAULT_PATH: join(own.home, 'unmounted') })
    expect((await refusal({ world, registry: own.registry })).reason).toBe('no-root')
  })

  it.each([
    ['config unreadable: not JSON', '{\n  "storage.backend": vault\n}', ':2:22 is not JSON'],
    ['config unreadable: byte order mark', '\uFEFF{}', ':1:1 is not JSON'],
    ['config unreadable: empty', '', ':1:1 is not JSON'],
    ['config not an object', '["vault"]', 'does not hold an object'],
    ['value empty', '{"storage.backend": ""}', '"storage.backend" is ""'],
    ['value blank', '{"storage.backend": " \\t"}', '"storage.backend" is " \\t"'],
    ['value null', '{"storage.backend": null}', '"storage.backend" is null'],
    ['value a number', '{"storage.backend": 7}', '"storage.backend" is 7'],
    ['vault path a number', '{"plugins.obsidian-vault.vault_path": 7}', 'vault_path" is 7'],
    ['plugin list not a list', '{"storage.plugins": "x"}', '"storage.plugins" is "x"'],
    ['plugin name a path', '{"storage.plugins": ["../x"]}', '"storage.plugins" is ["../x"]'],
  ])('%s: names the file and what is wrong', async (_, text, says) => {
    const { world, registry, config, configFile } = await ownWorld()
    await config(text)
    const error = await refusal({ world, registry })
    expect(error.reason).toBe('config')
    expect(error.message.startsWith(configFile)).toBe(true)
    expect(error.message).toContain(says)
  })

  it('config not UTF-8, a directory, or a link to nowhere: refused, never taken for a fresh machine', async () => {
    for (const [make, says] of [
      [(file: string) => writeFile(file, Buffer.from([0x7b, 0xff, 0x7d])), 'is not UTF-8 text'],
      [(file: string) => mkdir(file), 'is not a file'],
      [(file: string) => symlink('/nowhere/at/all', file), 'is a link to something that is not there'],
    ] as const) {
      const { world, registry, configFile } = await ownWorld()
      await mkdir(dirname(configFile), { recursive: true })
      await make(configFile)
      const error = await refusal({ world, registry })
      expect(error.reason).toBe('config')
      expect(error.message).toContain(says)
    }
  })

  it('required not satisfied: the backend and the flags, in declaration order', async () => {
    const { world, registry } = await ownWorld()
    const error = await refusal({ world, registry, required: { sync: true, encryption: true, conflictFiles: true } })
    expect(error).toMatchObject({
      name: 'CapabilityMismatchError',
      reason: 'capability',
      protocol: 'device-local',
      unmet: ['conflictFiles', 'encryption', 'sync'],
    })
    expect(error.message).toContain('conflictFiles, encryption, sync')
  })

  it.each([[undefined], [{}], [{ sync: false }]])('required absent or all false: no check (%j)', async (required) => {
    const { world, registry } = await ownWorld()
    const backend = await selectBackend({ world, registry, ...(required === undefined ? {} : { required }) })
    expect(backend.capabilities.sync).toBe(false)
  })

  it('a plugin for another version of the contract is named', async () => {
    const { world, registry, config } = await ownWorld()
    registry.register(memoryPlugin('old', { seam: 9 }))
    await config({ 'storage.backend': 'old' })
    const error = await refusal({ world, registry })
    expect(error.reason).toBe('plugin')
    expect(error.message).toContain('"old" was written for version 9')
  })

  it.each([
    ['throws', () => Promise.reject(new Error('out of paper')), 'out of paper'],
    ['opens nothing', () => Promise.resolve(undefined as never), 'is not a backend'],
    ['opens something else', () => Promise.resolve({ capabilities: {}, read() {} } as never), 'is not a backend'],
  ])('a plugin that %s is named', async (_, open, says) => {
    const { world, registry, config } = await ownWorld()
    registry.register(memoryPlugin('odd', { open }))
    await config({ 'storage.backend': 'odd' })
    const error = await refusal({ world, registry })
    expect(error.reason).toBe('plugin')
    expect(error.message).toContain('"odd"')
    expect(error.message).toContain(says)
  })

  it('a backend that cannot answer its capabilities is refused', async () => {
    const { world, registry, config } = await ownWorld()
    const honest = await memoryPlugin('x').open({})
    const mute = Object.create(honest, {
      capabilities: {
        get() {
          throw new Error('no idea')
        },
      },
    }) as typeof honest
    registry.register(memoryPlugin('mute', { open: () => Promise.resolve(mute) }))
    await config({ 'storage.backend': 'mute' })
    expect((await refusal({ world, registry })).message).toContain('no idea')
  })

  it('a store that says it is unavailable has no root', async () => {
    const { world, registry, config } = await ownWorld()
    const gone = Object.assign(new Error('the store marker is gone'), { code: 'STORE_UNAVAILABLE' })
    registry.register(memoryPlugin('drive', { open: () => Promise.reject(gone) }))
    await config({ 'storage.backend': 'drive' })
    expect((await refusal({ world, registry })).reason).toBe('no-root')
  })

  it('any replicated backend whose directory is gone is refused, not only ours', async () => {
    const { world, registry, config, home, directory } = await ownWorld()
    registry.register(memoryPlugin('drive', { rootSetting: 'folder', declares: { sync: true } }))
    await config({ 'storage.backend': 'drive', 'plugins.drive.folder': join(home, 'drive') })
    expect((await refusal({ world, registry })).reason).toBe('no-root')
    await directory('drive')
    expect((await selected({ world, registry })).protocol).toBe('drive')
  })
})

describe('the root of the store', () => {
  it('is vault_path joined with memory_root', async () => {
    const { world, registry, plugin, vault, config } = await withVault()
    await config({
      'storage.backend': 'vault',
      'plugins.obsidian-vault.vault_path': `${vault}/`,
      'plugins.obsidian-vault.memory_root': 'Agent/Memory',
    })
    await selectBackend({ world, registry })
    expect(plugin.opened[0]).toEqual({
      vault_path: `${vault}/`,
      memory_root: 'Agent/Memory',
      root: join(vault, 'Agent/Memory'),
    })
  })

  it.each([['..'], ['a/../../b'], ['/etc'], ['out']])(
    'refuses the memory_root %j, which leads out',
    async (memoryRoot) => {
      const { world, registry, vault, config, home } = await withVault()
      await symlink(home, join(vault, 'out'))
      await config({
        'storage.backend': 'vault',
        'plugins.obsidian-vault.vault_path': vault,
        'plugins.obsidian-vault.memory_root': memoryRoot,
      })
      const error = await refusal({ world, registry })
      expect(error.reason).toBe('no-root')
      expect(error.message).toContain('does not stay inside')
    },
  )

  it('refuses a relative vault_path, which would be another store in every directory', async () => {
    const { world, registry, config } = await withVault()
    await config({ 'storage.backend': 'vault', 'plugins.obsidian-vault.vault_path': 'vault' })
    expect((await refusal({ world, registry })).message).toContain('not an absolute path')
  })

  it('expands ~', async () => {
    const { world, registry, plugin, vault, config } = await withVault()
    await config({ 'storage.backend': 'vault', 'plugins.obsidian-vault.vault_path': '~/vault' })
    await selectBackend({ world, registry })
    expect(plugin.opened[0]).toMatchObject({ root: vault })
  })

  it.each([
    ['nothing set', {}, {}, '.agentm/memory'],
    ['AGENTM_HOME', { AGENTM_HOME: '~/data' }, {}, 'data/memory'],
    ['the setting', { AGENTM_HOME: '~/data' }, { 'plugins.device-local.root': '~/own' }, 'own'],
    ['the variable', { AGENTM_DEVICE_LOCAL_ROOT: '~/test' }, { 'plugins.device-local.root': '~/own' }, 'test'],
  ])('of device-local, with %s', async (_, env, settings, below) => {
    const own = await ownWorld()
    const plugin = memoryPlugin('device-local', { settingsKey: 'plugins.device-local', rootSetting: 'root' })
    own.registry.register(plugin, { clobber: true })
    await own.config(settings)
    await selectBackend({ world: own.with(env), registry: own.registry })
    expect(plugin.opened[0]).toMatchObject({ root: join(own.home, below) })
  })

  it('carries the store id of the configured store, and not into another one', async () => {
    const own = await withVault({ '_meta/agentm-store.json': '{ "id": "id-1" }' })
    const other = await own.directory('other')
    await own.config({
      'storage.backend': 'vault',
      'plugins.obsidian-vault.vault_path': own.vault,
      'plugins.obsidian-vault.store_id': 'id-1',
    })
    const { registry } = own
    const key = 'plugins.obsidian-vault.store_id'
    expect(await selected({ world: own.world, registry })).toMatchObject({ storeId: 'id-1', storeIdKey: key })
    const same = await selected({ world: own.with({ MEMORY_VAULT_PATH: own.vault }), registry })
    expect(same).toMatchObject({ storeId: 'id-1', storeIdKey: key })
    const foreign = await selected({ world: own.with({ MEMORY_VAULT_PATH: other }), registry })
    expect(foreign).not.toHaveProperty('storeId')
    expect(foreign).not.toHaveProperty('storeIdKey')
    expect(own.plugin.opened.map((settings) => settings.store_id)).toEqual(['id-1', 'id-1', undefined])
  })

  it.each([
    ['holds no marker', {}, 'holds no _meta/agentm-store.json'],
    ['holds another id', { '_meta/agentm-store.json': '{ "id": "id-2" }' }, 'is id-2'],
    ['holds a corrupt marker', { '_meta/agentm-store.json': '{' }, 'agentm-store.json is corrupt'],
  ])('a store that %s is not the one the config names', async (_, texts, why) => {
    const own = await withVault(texts)
    await own.config({
      'storage.backend': 'vault',
      'plugins.obsidian-vault.vault_path': own.vault,
      'plugins.obsidian-vault.store_id': 'id-1',
    })
    const error = await refusal({ world: own.world, registry: own.registry })
    expect(error).toMatchObject({ code: 'STORAGE_SELECTION', reason: 'no-root' })
    expect(error).toHaveProperty('message', expect.stringContaining(why))
  })
})
