import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { harnessStateDir, readEnablement, readStateFile, writeStateFile } from '@agentm/routing'
import { describe, expect, it } from 'vitest'
import { ownCheckout } from './own-checkout.ts'

const origin = 'https://example.com/o/s.git'

describe('where state is kept', () => {
  it('mode local: with the checkout, whatever the backend', async () => {
    const { resolve, put, root, vault, filesBelow } = await ownCheckout({ vault: true, origin })
    await put('.harness/.project-mode', 'local')
    await writeStateFile(await resolve(), 'PLAN.md', 'mine')
    expect(await filesBelow(root)).toEqual({ '.harness/.project-mode': 'local', '.harness/PLAN.md': 'mine' })
    expect(await filesBelow(vault)).toEqual({})
  })

  it('a synced backend: in the store, and nothing in the checkout', async () => {
    const { resolve, root, vault, filesBelow } = await ownCheckout({ vault: true, origin })
    const at = await writeStateFile(await resolve(), 'PLAN.md', 'a\r\nb')
    expect(at.key).toBe('projects/s/_harness/PLAN.md')
    expect(await filesBelow(root)).toEqual({})
    expect((await filesBelow(vault))['projects/s/_harness/PLAN.md']).toBe('a\r\nb')
    expect(await readStateFile(await resolve(), 'PLAN.md')).toEqual({ kind: 'text', text: 'a\r\nb' })
  })

  it('an older layout keeps its place', async () => {
    const { resolve, putInVault } = await ownCheckout({ vault: true, origin })
    await putInVault('personal-projects/s/_harness/progress.md', 'was here')
    expect(await readStateFile(await resolve(), 'progress.md')).toEqual({ kind: 'text', text: 'was here' })
    expect((await writeStateFile(await resolve(), 'PLAN.md', 'x')).key).toBe('personal-projects/s/_harness/PLAN.md')
  })

  it('a backend that is not synced: with the checkout', async () => {
    const { resolve, home, root, filesBelow } = await ownCheckout({ origin })
    await writeStateFile(await resolve(), 'PLAN.md', 'mine')
    expect(await filesBelow(home)).toEqual({ 'src/app/.harness/PLAN.md': 'mine' })
    expect(harnessStateDir(await resolve())).toMatchObject({ local: true })
    expect(await filesBelow(root)).toEqual({ '.harness/PLAN.md': 'mine' })
  })

  it('no project: with the checkout', async () => {
    const { resolve, root, filesBelow } = await ownCheckout({ vault: true })
    await writeStateFile(await resolve(), 'PLAN.md', 'mine')
    expect(await filesBelow(root)).toEqual({ '.harness/PLAN.md': 'mine' })
  })
})

describe('a broken vault', () => {
  it('writing refuses, and nothing appears in the checkout', async () => {
    const { resolve, vault, root, filesBelow } = await ownCheckout({ vault: true, origin })
    await rm(vault, { recursive: true })
    const project = await resolve()
    await expect(writeStateFile(project, 'PLAN.md', 'x')).rejects.toMatchObject({
      code: 'STORAGE_SELECTION',
      reason: 'no-root',
    })
    expect(await filesBelow(root)).toEqual({})
  })

  it('with .project-mode=local it writes with the checkout', async () => {
    const { resolve, put, vault, root, filesBelow } = await ownCheckout({ vault: true, origin })
    await rm(vault, { recursive: true })
    await put('.harness/.project-mode', 'local')
    await writeStateFile(await resolve(), 'PLAN.md', 'x')
    expect((await filesBelow(root))['.harness/PLAN.md']).toBe('x')
  })

  it('reading degrades to the checkout, with a notice', async () => {
    const { resolve, put, vault } = await ownCheckout({ vault: true, origin })
    await rm(vault, { recursive: true })
    await put('.harness/PLAN.md', 'older')
    const project = await resolve()
    expect(await readStateFile(project, 'PLAN.md')).toEqual({ kind: 'text', text: 'older' })
    expect(project.notices).toHaveLength(1)
  })

  it('a backend that cannot answer its capabilities: writing refuses', async () => {
    const own = await ownCheckout({ vault: true, origin })
    const { registry } = own.world
    const vault = registry?.get('vault')
    if (registry === undefined || vault === undefined) throw new TypeError('the world has a vault')
    const open: typeof vault.open = async (settings) =>
      Object.defineProperty(await vault.open(settings), 'capabilities', {
        get() {
          throw new Error('no idea')
        },
      })
    registry.register({ ...vault, open }, { clobber: true })
    await expect(writeStateFile(await own.resolve(), 'PLAN.md', 'x')).rejects.toMatchObject({ reason: 'plugin' })
    expect(await own.filesBelow(own.root)).toEqual({})
  })
})

describe.each([
  ['synced', true],
  ['local', false],
])('a state file, %s', (_, synced) => {
  async function checkout() {
    const own = await ownCheckout({ vault: synced, origin })
    const put = synced
      ? (name: string, text: string | Uint8Array) => own.putInVault(`projects/s/_harness/${name}`, text)
      : put2
    async function put2(name: string, text: string | Uint8Array): Promise<void> {
      await own.put(`.harness/${name}`, text)
    }
    return { ...own, put, directory: synced ? join(own.vault, 'projects/s/_harness') : join(own.root, '.harness') }
  }

  it('absent is absent', async () => {
    const { resolve } = await checkout()
    expect(await readStateFile(await resolve(), 'PLAN.md')).toEqual({ kind: 'absent' })
  })

  it('not UTF-8, or a directory, is unreadable and not absent', async () => {
    const { resolve, put, directory } = await checkout()
    await put('PLAN.md', Buffer.from([0x61, 0xff]))
    await mkdir(join(directory, 'progress.md'))
    expect(await readStateFile(await resolve(), 'PLAN.md')).toMatchObject({
      kind: 'unreadable',
      error: { code: 'CORRUPT_TEXT' },
    })
    expect(await readStateFile(await resolve(), 'progress.md')).toMatchObject({ kind: 'unreadable' })
  })

  it('comes back byte for byte', async () => {
    const { resolve, put } = await checkout()
    const text = '\uFEFFa\r\nb\rc\n\u2028é😀'
    await put('PLAN.md', text)
    expect(await readStateFile(await resolve(), 'PLAN.md')).toEqual({ kind: 'text', text })
  })

  it.each([
    ['../x'],
    ['..'],
    ['a/../../x'],
    ['a\\b'],
    [''],
    ['.'],
    ['a\0b'],
    ['/etc/x'],
    ['id_rsa'],
    ['active-plan'],
    ['PLAN-a/b.md'],
    ['PLAN-..\\x.md'],
    ['progress-a\nb.md'],
    ['PLAN.md/x'],
    ['hooks/PLAN.md'],
    ['PLAN-.md'],
  ])('the name %j is refused, because it is not one of a state file', async (name) => {
    const { resolve, home, filesBelow } = await checkout()
    const project = await resolve()
    const before = await filesBelow(home)
    await expect(readStateFile(project, name)).rejects.toMatchObject({ code: 'INVALID_FILE_NAME' })
    await expect(writeStateFile(project, name, 'x')).rejects.toMatchObject({ code: 'INVALID_FILE_NAME' })
    expect(await filesBelow(home)).toEqual(before)
  })

  it.each([['PLAN.md'], ['progress.md'], ['PLAN-a b.md'], ['progress-ä.md'], ['features.json'], ['PLAN.archive.1.md']])(
    'the name %j is one of a state file',
    async (name) => {
      const { resolve, directory, filesBelow } = await checkout()
      await writeStateFile(await resolve(), name, 'here')
      expect(await filesBelow(directory)).toEqual({ [name]: 'here' })
      expect(await readStateFile(await resolve(), name)).toEqual({ kind: 'text', text: 'here' })
    },
  )
})

describe('the enablement block', () => {
  it('is read from the state file, not from the one that names the project', async () => {
    const { resolve, put, putInVault } = await ownCheckout({ vault: true, origin })
    await put('.harness/project.json', JSON.stringify({ vault_project: 's', type: 'other' }))
    const block = {
      type: 'library',
      skills: { memory: { enabled: true, auto_detected: true, rationale: 'é', rule_id: null, extra: 1 } },
      hooks: {},
      registered_at: '2026-06-27T09:12:44Z',
      github: { repo: 'o/s' },
    }
    await putInVault('projects/s/_harness/project.json', JSON.stringify(block))
    expect(await readEnablement(await resolve())).toMatchObject({
      type: 'library',
      skills: { memory: { enabled: true, auto_detected: true, rationale: 'é', extra: 1 } },
      hooks: {},
      github: { repo: 'o/s' },
    })
  })

  it('absent is undefined; corrupt is refused', async () => {
    const { resolve, putInVault } = await ownCheckout({ vault: true, origin })
    expect(await readEnablement(await resolve())).toBeUndefined()
    for (const text of ['{', '[]', '{"skills": {"memory": {"enabled": "yes"}}}', Buffer.from([0xff])]) {
      await putInVault('projects/s/_harness/project.json', text)
      await expect(readEnablement(await resolve())).rejects.toMatchObject({ code: 'UNREADABLE_FILE' })
    }
  })
})
