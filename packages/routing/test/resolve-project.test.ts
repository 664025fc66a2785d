import { mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { isAvailable, readStateFile, writeStateFile } from '@agentm/routing'
import { previewStorage } from '@agentm/selection'
import { describe, expect, it } from 'vitest'
import { ownCheckout } from './own-checkout.ts'

const origin = 'https://example.com/o/s.git'

describe('resolveProject', () => {
  it('no slug: nothing is selected', async () => {
    const { resolve, config, vault } = await ownCheckout()
    await config({ 'storage.backend': 'vault', 'plugins.obsidian-vault.vault_path': vault })
    const project = await resolve()
    expect(project).toMatchObject({ layout: 'none', notices: [] })
    expect(project).not.toHaveProperty('backend')
    expect(project).not.toHaveProperty('selectionError')
    expect(isAvailable(project)).toBe(false)
  })

  it('selection fails: the slug, and the error that selection throws, word for word', async () => {
    const { resolve, config, vault, world } = await ownCheckout({ origin })
    await config({ 'storage.backend': 'vault', 'plugins.obsidian-vault.vault_path': vault })
    const project = await resolve()
    expect(project).toMatchObject({
      slug: 's',
      layout: 'none',
      selectionError: { code: 'STORAGE_SELECTION', reason: 'no-root' },
    })
    expect(project).not.toHaveProperty('projectLocator')
    const { selection, registry } = world
    const preview = await previewStorage({ world: selection, ...(registry === undefined ? {} : { registry }) })
    expect(project.selectionError?.message).toBe(preview.text)
    expect(project.notices).toEqual([preview.text])
    expect(isAvailable(project)).toBe(false)
  })

  it.each([
    ['projects/s exists: new', ['projects/s', 'personal-projects/s', 'desk/projects/s'], 'projects/s', 'new'],
    [
      'else personal-projects/s exists: legacy',
      ['personal-projects/s', 'desk/projects/s'],
      'personal-projects/s',
      'legacy',
    ],
    ['else desk/projects/s exists: desk', ['desk/projects/s'], 'desk/projects/s', 'desk'],
    ['else projects/s', [], 'projects/s', 'new'],
  ])('%s', async (_, directories, key, layout) => {
    const { resolve, vault } = await ownCheckout({ vault: true, origin })
    for (const directory of directories) await mkdir(join(vault, directory), { recursive: true })
    const project = await resolve()
    expect(project.projectLocator?.key).toBe(key)
    expect(project.layout).toBe(layout)
    expect(isAvailable(project)).toBe(true)
  })

  it('projects/s is a file: it counts as existing', async () => {
    const { resolve, putInVault, vault } = await ownCheckout({ vault: true, origin })
    await putInVault('projects/s', 'a file')
    await mkdir(join(vault, 'personal-projects/s'), { recursive: true })
    expect((await resolve()).layout).toBe('new')
  })

  it('fresh machine: device-local and its locator, and memory is available', async () => {
    const { resolve } = await ownCheckout({ origin })
    const project = await resolve()
    expect(project.projectLocator?.key).toBe('projects/s')
    expect(project.backend?.capabilities.sync).toBe(false)
    expect(isAvailable(project)).toBe(true)
  })

  it('writes nothing anywhere', async () => {
    const { resolve, home, filesBelow } = await ownCheckout({ vault: true, origin })
    const before = await filesBelow(home)
    await resolve()
    expect(await filesBelow(home)).toEqual(before)
  })

  it('a store that fails when it is asked for the project is carried as a selection error', async () => {
    const { resolve, putInVault } = await ownCheckout({ vault: true, origin })
    await putInVault('_meta/repos.json', Buffer.from([0xff]))
    const project = await resolve()
    expect(project.bindingError).toMatchObject({ code: 'CORRUPT_TEXT' })
  })
})

describe('the state mode', () => {
  it.each([
    ['marker local', 'local', undefined, 'local'],
    ['marker trimmed, lowercased', ' LOCAL \r\n', undefined, 'local'],
    ['marker vault reads as backend', 'vault', undefined, 'backend'],
    ['marker wins over the config', 'backend', 'local', 'backend'],
    ['marker empty: the config', ' \n', 'local', 'local'],
    ['no marker: the config', undefined, 'Vault', 'backend'],
    ['a typo is not local', 'locl', undefined, 'locl'],
    ['several lines are not local', 'local\nlocal', undefined, 'local\nlocal'],
    ['a BOM before the word is not local', '\uFEFFlocal', undefined, '\uFEFFlocal'],
    ['nothing said', undefined, undefined, undefined],
  ])('%s', async (_, marker, configured, mode) => {
    const { resolve, put, config } = await ownCheckout()
    if (marker !== undefined) await put('.harness/.project-mode', marker)
    if (configured !== undefined) await config({ state_mode: configured })
    const project = await resolve()
    expect(project.stateMode).toBe(mode)
    const hasEffect = mode === undefined || mode === 'local' || mode === 'backend'
    expect(project.notices).toHaveLength(hasEffect ? 0 : 1)
  })

  it('is never inferred from a vault that is gone', async () => {
    const { resolve, vault } = await ownCheckout({ vault: true, origin })
    await rm(vault, { recursive: true })
    expect((await resolve()).stateMode).toBeUndefined()
  })

  it('a marker that is a directory, a link to nowhere or not UTF-8 is refused', async () => {
    const one = await ownCheckout()
    await mkdir(join(one.root, '.harness/.project-mode'), { recursive: true })
    const two = await ownCheckout()
    await mkdir(join(two.root, '.harness'))
    await symlink('/nowhere/at/all', join(two.root, '.harness/.project-mode'))
    const three = await ownCheckout()
    await three.put('.harness/.project-mode', Buffer.from([0xff]))
    for (const { resolve } of [one, two, three])
      await expect(resolve()).rejects.toMatchObject({ code: 'UNREADABLE_FILE' })
  })

  it.each([
    ['storage.backend', 5],
    ['storage.plugins', 'not a list'],
    ['owner', {}],
    ['consolidation.at', 'noon'],
  ])('local for this device holds also where another setting, %s, is unusable', async (key, value) => {
    const { resolve, config, vault, filesBelow } = await ownCheckout({ vault: true, origin })
    const settings = { 'storage.backend': 'vault', 'plugins.obsidian-vault.vault_path': vault, state_mode: ' Local ' }
    await config({ ...settings, [key]: value })
    const project = await resolve()
    expect(project).toMatchObject({ stateMode: 'local', selectionError: { reason: 'config' } })
    await writeStateFile(project, 'PLAN.md', '# Plan\n')
    expect(await readStateFile(project, 'PLAN.md')).toEqual({ kind: 'text', text: '# Plan\n' })
    expect(await filesBelow(vault)).toEqual({})
  })

  it('local helps also where the config is corrupt', async () => {
    const { resolve, put, home, filesBelow } = await ownCheckout({ origin })
    await put('../../.claude/.agentm-config.json', '{')
    await put('.harness/.project-mode', 'local')
    const project = await resolve()
    expect(project.stateMode).toBe('local')
    expect(project.selectionError).toMatchObject({ reason: 'config' })
    expect(Object.keys(await filesBelow(home))).toHaveLength(2)
  })
})
