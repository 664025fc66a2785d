import { chmod, lstat, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  adoptStoreId,
  findConfigValue,
  listConfigValues,
  migrateInstallConfig,
  readInstallConfig,
  setConfigValue,
  unsetConfigValue,
} from '@agentm/selection'
import { updateInstallConfig } from '../src/update-install-config.ts'
import { describe, expect, it } from 'vitest'
import { ownWorld } from './own-world.ts'

// As an installer of the Python implementation leaves it.
const python = `{
  "schema_version": 2,
  "mode": "source",
  "installed_at": "2026-06-27T09:12:44Z",
  "source_clones": {
    "agentm": "/home/j\\u00fcrgen/src/agentm"
  },
  "installed_shas": {
    "10": "a",
    "9": "b"
  },
  "fragments": [],
  "ratio": 1.0,
  "vault_path": "/home/j\\u00fcrgen/Vault",
  "state_mode": "vault"
}
`

describe('reading', () => {
  it('a config of the Python implementation', async () => {
    const { world, config } = await ownWorld()
    await config(python)
    expect(await readInstallConfig(world)).toMatchObject({
      values: {
        vault_path: '/home/jürgen/Vault',
        state_mode: 'backend',
        mode: 'source',
        source_clones: { agentm: '/home/jürgen/src/agentm' },
      },
    })
  })

  it.each([
    ['absent', {}, undefined],
    ['null', { state_mode: null }, undefined],
    ['empty', { state_mode: ' ' }, undefined],
    ['trimmed, lowercased', { state_mode: ' LOCAL\n' }, 'local'],
    ['vault', { state_mode: 'Vault' }, 'backend'],
    ['anything else as it is', { state_mode: 'locl' }, 'locl'],
  ])('state_mode: %s', async (_, settings, mode) => {
    const { world, config } = await ownWorld()
    await config(settings)
    expect((await readInstallConfig(world)).values.state_mode).toBe(mode)
  })

  it('our own keys', async () => {
    const { world, config } = await ownWorld()
    await config({ owner: ' ada ', 'nodes.url': 'postgres://db/agentm', 'storage.plugins': ['@acme/backend', 'b'] })
    expect(await readInstallConfig(world)).toMatchObject({
      values: { owner: 'ada', 'nodes.url': 'postgres://db/agentm', 'storage.plugins': ['@acme/backend', 'b'] },
    })
  })

  it('writes nothing, also where there are legacy keys', async () => {
    const { world, config, configFile } = await ownWorld()
    await config(python)
    await readInstallConfig(world)
    expect(await readFile(configFile, 'utf8')).toBe(python)
  })
})

describe('writing', () => {
  it('keeps every other byte of a config of the Python implementation', async () => {
    const { world, config, configFile } = await ownWorld()
    await config(python)
    expect(await setConfigValue('storage.backend', ' device-local ', world)).toBe(true)
    expect(await readFile(configFile, 'utf8')).toBe(
      python.replace('"state_mode": "vault"\n', '"state_mode": "vault",\n  "storage.backend": "device-local"\n'),
    )
    expect(await unsetConfigValue('storage.backend', world)).toBe(true)
    expect(await readFile(configFile, 'utf8')).toBe(python)
  })

  it('makes the file where there is none, for its owner only, and says what was written last', async () => {
    const { world, configFile } = await ownWorld()
    await setConfigValue('owner', 'Zoë', world)
    expect(await readFile(configFile, 'utf8')).toBe('{\n  "owner": "Zo\\u00eb",\n  "schema_version": 2\n}\n')
    expect((await stat(configFile)).mode & 0o777).toBe(0o600)
  })

  it('takes the permissions of others away', async () => {
    const { world, config, configFile } = await ownWorld()
    await config('{}')
    await chmod(configFile, 0o644)
    await setConfigValue('owner', 'ada', world)
    expect((await stat(configFile)).mode & 0o777).toBe(0o600)
  })

  it('writes nothing where nothing changes', async () => {
    const { world, config, configFile } = await ownWorld()
    await config('{"owner":"ada"}')
    expect(await setConfigValue('owner', 'ada', world)).toBe(false)
    expect(await unsetConfigValue('state_mode', world)).toBe(false)
    expect(await readFile(configFile, 'utf8')).toBe('{"owner":"ada"}')
  })

  it.each([['{"a": '], ['[]'], ['\uFEFF{}']])('refuses on a corrupt file and leaves it: %j', async (text) => {
    const { world, config, configFile } = await ownWorld()
    await config(text)
    await expect(setConfigValue('owner', 'ada', world)).rejects.toMatchObject({
      code: 'STORAGE_SELECTION',
      reason: 'config',
    })
    expect(await readFile(configFile, 'utf8')).toBe(text)
  })

  it('repairs a value that no reader accepts', async () => {
    const { world, config } = await ownWorld()
    await config({ 'storage.backend': 7 })
    await expect(readInstallConfig(world)).rejects.toMatchObject({ reason: 'config' })
    await setConfigValue('storage.backend', 'device-local', world)
    expect((await readInstallConfig(world)).values['storage.backend']).toBe('device-local')
  })

  it('rewrites a linked config where it is kept', async () => {
    const { world, configFile, directory } = await ownWorld()
    const kept = join(await directory('dotfiles'), 'agentm.json')
    await mkdir(dirname(configFile), { recursive: true })
    await writeFile(kept, '{}')
    await symlink(kept, configFile)
    await setConfigValue('owner', 'ada', world)
    expect((await lstat(configFile)).isSymbolicLink()).toBe(true)
    expect(JSON.parse(await readFile(kept, 'utf8'))).toEqual({ owner: 'ada', schema_version: 2 })
  })

  it.each([
    ['storage.backend', ' '],
    ['storage.backend', 5],
    ['state_mode', 'locl'],
    ['storage.plugins', '../x'],
    ['schema_version', 3],
    ['vault_path', '/nowhere/at/all'],
    ['vault_path', ''],
  ])('refuses %s = %j', async (key, value) => {
    const { world, configFile } = await ownWorld()
    await expect(setConfigValue(key, value, world)).rejects.toMatchObject({ code: 'CONFIG_VALUE', key })
    await expect(stat(configFile)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('state_mode vault is stored as backend; plugins may be a list in text', async () => {
    const { world } = await ownWorld()
    await setConfigValue('state_mode', 'vault', world)
    await setConfigValue('storage.plugins', 'a, @b/c', world)
    expect(await listConfigValues(world)).toEqual([
      ['state_mode', 'backend'],
      ['schema_version', 2],
      ['storage.plugins', ['a', '@b/c']],
    ])
  })

  it('vault_path sets, finds and clears both keys, resolved', async () => {
    const { world, home, directory } = await ownWorld()
    const vault = await directory('vault')
    await symlink(vault, join(home, 'link'))
    await setConfigValue('vault_path', '~/link', world)
    expect(await listConfigValues(world)).toEqual([
      ['plugins.obsidian-vault.vault_path', vault],
      ['vault_path', vault],
      ['schema_version', 2],
    ])
    expect(await findConfigValue('vault_path', world)).toBe(vault)
    await unsetConfigValue('vault_path', world)
    expect(await listConfigValues(world)).toEqual([['schema_version', 2]])
    await expect(unsetConfigValue('schema_version', world)).rejects.toMatchObject({ code: 'CONFIG_VALUE' })
  })

  it('vault_path is found under the legacy key', async () => {
    const { world, config } = await ownWorld()
    expect(await findConfigValue('vault_path', world)).toBeUndefined()
    await config({ vault_path: '/v' })
    expect(await findConfigValue('vault_path', world)).toBe('/v')
  })
})

describe('migrating', () => {
  it('rewrites a legacy vault_path, once, keeping everything else', async () => {
    const { world, config, configFile } = await ownWorld()
    await config(python)
    expect(await migrateInstallConfig(world)).toEqual(['plugins.obsidian-vault.vault_path', 'storage.backend'])
    const migrated = await readFile(configFile, 'utf8')
    expect(migrated).toBe(
      python.replace(
        '"state_mode": "vault"\n',
        '"state_mode": "vault",\n  "plugins.obsidian-vault.vault_path": "/home/j\\u00fcrgen/Vault",\n  "storage.backend": "vault"\n',
      ),
    )
    expect(await migrateInstallConfig(world)).toEqual([])
    expect(await readFile(configFile, 'utf8')).toBe(migrated)
  })

  it('leaves a chosen backend alone', async () => {
    const { world, config } = await ownWorld()
    await config({ vault_path: '/v', 'storage.backend': 'device-local' })
    expect(await migrateInstallConfig(world)).toEqual(['plugins.obsidian-vault.vault_path'])
    expect(await findConfigValue('storage.backend', world)).toBe('device-local')
  })
})

it('the first store id adopted stays', async () => {
  const { world } = await ownWorld()
  const key = 'plugins.obsidian-vault.store_id'
  expect(await Promise.all(['a', 'b', 'c'].map((id) => adoptStoreId(key, id, world)))).toEqual(['a', 'a', 'a'])
  expect(await findConfigValue(key, world)).toBe('a')
})

it('a change that throws changes nothing', async () => {
  const { world, config, configFile } = await ownWorld()
  await config('{}')
  const failing = updateInstallConfig(world, (document) => {
    document.set('a', 'b')
    throw new Error('second thoughts')
  })
  await expect(failing).rejects.toThrow('second thoughts')
  expect(await readFile(configFile, 'utf8')).toBe('{}')
})
