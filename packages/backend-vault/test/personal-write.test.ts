import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { plugin } from '@agentm/backend-vault'
import { grantPersonalWrite, readPersonal } from '@agentm/backend-vault/personal'
import { Locator } from '@agentm/storage-seam'
import { filePath, lockDirectory } from '@agentm/vault-lock'
import { afterEach, describe, expect, it, vi } from 'vitest'

const made: string[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(made.splice(0).map((directory) => rm(directory, { recursive: true, force: true })))
})

async function setup(settings: Record<string, string> = {}) {
  const vault = await mkdtemp(path.join(tmpdir(), 'personal-'))
  made.push(vault)
  await mkdir(path.join(vault, 'Agent'))
  const backend = await plugin.open({ vault_path: vault, memory_root: 'Agent', personal_root: vault, ...settings })
  return { vault, backend }
}

const diary = new Locator('Diary/today.md')
const now = () => Date.now()
const grantFor = (text: string, replaces?: string) => grantPersonalWrite({ target: diary, text, replaces, now: now() })

describe('the personal write', () => {
  it('writes above the store, once, what the person was shown', async () => {
    const { vault, backend } = await setup()
    const grant = grantFor('hello')
    await backend.personalWrite(diary, 'hello', grant)
    expect(await readFile(path.join(vault, diary.key), 'utf8')).toBe('hello')
    await expect(backend.personalWrite(diary, 'hello', grant)).rejects.toMatchObject({ code: 'GRANT_REFUSED' })
  })

  it.each([
    ['another text', diary, 'goodbye'],
    ['another place', new Locator('Diary/yesterday.md'), 'hello'],
  ])('refuses %s, and the permission is gone', async (_, at, text) => {
    const { vault, backend } = await setup()
    const grant = grantFor('hello')
    await expect(backend.personalWrite(at, text, grant)).rejects.toMatchObject({ code: 'GRANT_REFUSED' })
    await expect(backend.personalWrite(diary, 'hello', grant)).rejects.toMatchObject({ code: 'GRANT_REFUSED' })
    expect(await readdir(vault)).toEqual(['Agent'])
  })

  it('refuses a copy of a permission, and one that was made up', async () => {
    const { backend } = await setup()
    await expect(backend.personalWrite(diary, 'hello', { ...grantFor('hello') })).rejects.toThrow(
      'not given in this process',
    )
  })

  it('refuses a permission that is too old', async () => {
    const { backend } = await setup()
    const grant = grantPersonalWrite({ target: diary, text: 'hello', replaces: undefined, now: now() - 600_000 })
    await expect(backend.personalWrite(diary, 'hello', grant)).rejects.toThrow('expired')
  })

  it('refuses when the note is not the one the person saw', async () => {
    const { vault, backend } = await setup()
    await mkdir(path.join(vault, 'Diary'))
    await writeFile(path.join(vault, diary.key), 'written meanwhile')
    await expect(backend.personalWrite(diary, 'hello', grantFor('hello'))).rejects.toMatchObject({
      code: 'CONCURRENT_MODIFICATION',
    })
    await backend.personalWrite(diary, 'hello', grantFor('hello', 'written meanwhile'))
    expect(await readFile(path.join(vault, diary.key), 'utf8')).toBe('hello')
  })

  it('refuses a place inside the store, also through a link', async () => {
    const { vault, backend } = await setup()
    await symlink(path.join(vault, 'Agent'), path.join(vault, 'alias'))
    for (const key of ['Agent/plan.md', 'alias/plan.md']) {
      const target = new Locator(key)
      const grant = grantPersonalWrite({ target, text: 'x', replaces: undefined, now: now() })
      await expect(backend.personalWrite(target, 'x', grant)).rejects.toMatchObject({ code: 'OUTSIDE_STORE' })
    }
    expect(await readdir(path.join(vault, 'Agent'))).toEqual([])
  })

  it('refuses when the store is not below the personal root', async () => {
    const { vault, backend } = await setup({ personal_root: path.join(tmpdir(), 'elsewhere') })
    await expect(backend.personalWrite(diary, 'hello', grantFor('hello'))).rejects.toThrow('is not below it')
    expect(await readdir(vault)).toEqual(['Agent'])
  })

  it('takes the lock of the store, not one of its own', async () => {
    const { vault, backend } = await setup()
    const locked = await lockDirectory(filePath(path.join(vault, 'Agent')))
    await backend.personalWrite(diary, 'hello', grantFor('hello'))
    expect(await readdir(path.dirname(path.dirname(locked)))).toContain(path.basename(path.dirname(locked)))
    const own = await lockDirectory(filePath(vault))
    expect(await readdir(path.dirname(path.dirname(own)))).not.toContain(path.basename(path.dirname(own)))
  })

  it('is out of reach of every normal verb', async () => {
    const { vault, backend } = await setup()
    await writeFile(path.join(vault, 'mine.md'), 'mine')
    await symlink(vault, path.join(vault, 'Agent', 'up'))
    const up = new Locator('up/mine.md')
    expect(() => backend.resolve('..', 'mine.md')).toThrow('climb')
    await expect(backend.read(up)).rejects.toMatchObject({ code: 'OUTSIDE_STORE' })
    await expect(backend.write(up, 'x')).rejects.toMatchObject({ code: 'OUTSIDE_STORE' })
    await expect(backend.update(up, () => 'x')).rejects.toMatchObject({ code: 'OUTSIDE_STORE' })
    await expect(backend.remove(up)).rejects.toMatchObject({ code: 'OUTSIDE_STORE' })
    await expect(backend.list(new Locator('up'))).rejects.toMatchObject({ code: 'OUTSIDE_STORE' })
    expect(await readFile(path.join(vault, 'mine.md'), 'utf8')).toBe('mine')
  })

  it('is not declared without a personal root', async () => {
    const { backend } = await setup({ personal_root: '' })
    expect(backend.capabilities.personalWrite).toBe(false)
    await expect(backend.personalWrite(diary, 'x', grantFor('x'))).rejects.toMatchObject({
      code: 'UNSUPPORTED_CAPABILITY',
    })
  })

  it('shows what is there before it asks', async () => {
    const { vault } = await setup()
    const roots = { personalRoot: filePath(vault), storeRoot: filePath(path.join(vault, 'Agent')) }
    expect(await readPersonal(diary, roots)).toBeUndefined()
    await writeFile(path.join(vault, 'a.md'), 'a')
    expect(await readPersonal(new Locator('a.md'), roots)).toBe('a')
  })
})
