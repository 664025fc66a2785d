import { chmod, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseCapabilities, previewStorage, processWorld } from '@agentm/selection'
import { describe, expect, it } from 'vitest'
import { memoryPlugin, ownWorld, vaultPlugin } from './own-world.ts'

describe('the preview', () => {
  it('device-local, root writable', async () => {
    const { world, registry, home } = await ownWorld()
    expect(await previewStorage({ world, registry })).toMatchObject({
      status: 'ok',
      line: `storage [OK] selected backend 'device-local' (fresh-install default) — registered; root ${join(home, '.agentm/memory')} writable`,
    })
  })

  it('device-local, root not writable: a warning', async () => {
    const { world, registry, config, configFile } = await ownWorld()
    // A file in the way stops everybody, also root.
    const root = join(configFile, 'memory')
    await config({ 'plugins.device-local.root': root })
    expect((await previewStorage({ world, registry })).line).toBe(
      `storage [WARN] selected backend 'device-local' (fresh-install default) — registered, but root ${root} is not writable`,
    )
  })

  it('vault: seeded from its path', async () => {
    const own = await ownWorld()
    own.registry.register(vaultPlugin())
    const vault = await own.directory('vault')
    await own.config({ 'storage.backend': 'vault', 'plugins.obsidian-vault.vault_path': vault })
    const { world, registry } = own
    expect((await previewStorage({ world, registry })).line).toBe(
      `storage [OK] selected backend 'vault' (configured (storage.backend)) — obsidian-vault plugin discoverable; seeded from ${vault}`,
    )
    expect((await previewStorage({ world: own.with({ MEMORY_VAULT_PATH: vault }), registry })).line).toBe(
      `storage [OK] selected backend 'vault' (configured (storage.backend)) — obsidian-vault plugin discoverable; seeded from ${vault}`,
    )
  })

  it('third party: registered', async () => {
    const { world, registry, config } = await ownWorld()
    registry.register(memoryPlugin('notes'))
    await config({ 'storage.backend': 'notes' })
    expect((await previewStorage({ world, registry })).line).toBe(
      "storage [OK] selected backend 'notes' (configured (storage.backend)) — registered",
    )
  })

  it('writes nothing, on a fresh machine and on a legacy config', async () => {
    const { world, registry, home, config } = await ownWorld()
    await previewStorage({ world, registry })
    expect(await readdir(home)).toEqual([])
    await config({ vault_path: join(home, 'gone') })
    await chmod(join(home, '.claude'), 0o555)
    await previewStorage({ world, registry })
    await chmod(join(home, '.claude'), 0o755)
    expect(await readdir(join(home, '.claude'))).toEqual(['.agentm-config.json'])
  })
})

describe('required capabilities', () => {
  it('are read from a list, in either spelling', () => {
    expect(parseCapabilities('sync, conflict_files,concurrentWriters')).toEqual({
      names: ['sync', 'conflictFiles', 'concurrentWriters'],
      required: { sync: true, conflictFiles: true, concurrentWriters: true },
    })
    expect(parseCapabilities('')).toEqual({ names: [], required: {} })
  })

  it('unknown ones are named beside the valid ones, sorted', () => {
    const parsed = parseCapabilities('sync,speed, ')
    expect(parsed).toMatchObject({ unknown: ['speed'] })
    expect(parsed).toHaveProperty('valid', expect.arrayContaining(['concurrentWriters', 'sync']))
  })

  it('that are promised pass, and say of which backend', async () => {
    const { world, registry, config } = await ownWorld()
    registry.register(memoryPlugin('notes', { declares: { encryption: true } }))
    await config({ 'storage.backend': 'notes' })
    const { required } = parseCapabilities('encryption') as { required: Record<string, boolean> }
    expect(await previewStorage({ world, registry, required })).toMatchObject({ status: 'ok', protocol: 'notes' })
  })
})

it('the surroundings of this process are its environment and home', () => {
  const world = processWorld()
  expect(world.env).toBe(process.env)
  expect(world.home).not.toBe('')
  expect(world.installations).toEqual([])
})
