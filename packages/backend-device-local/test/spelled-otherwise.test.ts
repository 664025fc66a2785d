import { mkdir, mkdtemp, readdir, realpath, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DeviceLocalBackend } from '@agentm/backend-device-local'
import { filePath } from '@agentm/vault-lock'
import { describe, expect, it, onTestFinished } from 'vitest'
import { foldingFileSystem } from './folding-file-system.ts'

async function setup(platform: NodeJS.Platform, asMade?: (name: string) => string) {
  const home = await realpath(await mkdtemp(path.join(tmpdir(), 'agentm-spelled-')))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const root = path.join(home, 'store')
  await mkdir(root)
  const fs = foldingFileSystem(root, platform, asMade)
  const store = new DeviceLocalBackend(filePath(root), { fs, lockRoot: filePath(path.join(home, 'locks')) })
  return { root, store, at: (key: string) => store.resolve(key) }
}

describe.each(['linux', 'darwin'] as const)(
  'a disk that takes names for one that differ in case, on %s',
  (platform) => {
    it('keeps the second of two projects from the folder of the first, by every verb', async () => {
      const { root, store, at } = await setup(platform)
      await store.write(at('projects/Proj/plan.md'), 'of Proj')
      const refusal = {
        code: 'INVALID_LOCATOR',
        message: expect.stringContaining('takes "projects/proj" for "projects/Proj", which is there') as string,
      }
      for (const key of ['projects/proj/plan.md', 'projects/proj/new/other.md']) {
        expect(await store.exists(at(key))).toBe(false)
        await expect(store.read(at(key))).rejects.toMatchObject({ code: 'NOT_FOUND' })
        await expect(store.info(at(key))).rejects.toMatchObject({ code: 'NOT_FOUND' })
        await expect(store.remove(at(key))).rejects.toMatchObject({ code: 'NOT_FOUND' })
        await expect(store.write(at(key), 'x')).rejects.toMatchObject(refusal)
        await expect(store.update(at(key), () => 'x')).rejects.toMatchObject(refusal)
        await expect(store.mkdir(at(key))).rejects.toMatchObject(refusal)
      }
      expect(await store.list(at('projects/proj'))).toEqual([])
      expect(await store.listInfo(at('projects/proj'))).toEqual({ children: [] })
      await expect(store.write(at('projects/Proj/PLAN.md'), 'x')).rejects.toMatchObject({ code: 'INVALID_LOCATOR' })
      expect(await store.read(at('projects/Proj/plan.md'))).toBe('of Proj')
      expect(await readdir(path.join(root, 'projects'), { recursive: true })).toEqual(['Proj', 'Proj/plan.md'])
    })

    it('knows a name in another form of the same accents', async () => {
      const { store, at } = await setup(platform, (name) => name.normalize('NFD'))
      await store.write(at('caf\u00E9/cr\u00EApe.md'), 'one')
      expect(await store.read(at('caf\u00E9/cr\u00EApe.md'))).toBe('one')
      await expect(store.write(at('cafe\u0301/cr\u00EApe.md'), 'two', { ifHash: null })).rejects.toMatchObject({
        code: 'CONCURRENT_MODIFICATION',
      })
      await store.update(at('cafe\u0301/cre\u0302pe.md'), (text) => `${text}, two`)
      expect(await store.read(at('caf\u00E9/cr\u00EApe.md'))).toBe('one, two')
    })

    it('says so when the disk keeps another spelling of a new name than it was given', async () => {
      const { store, at } = await setup(platform, (name) => name.toLowerCase())
      await expect(store.write(at('Proj/Plan.md'), 'kept')).rejects.toMatchObject({
        code: 'INVALID_LOCATOR',
        message: expect.stringContaining('takes "Proj" for "proj"') as string,
      })
      expect(await store.read(at('proj/plan.md'))).toBe('kept')
    })

    it('follows a name that somebody spells otherwise', async () => {
      const { root, store, at } = await setup(platform)
      await store.write(at('Proj/plan.md'), 'x')
      await rename(path.join(root, 'Proj'), path.join(root, 'proj'))
      expect(await store.read(at('proj/plan.md'))).toBe('x')
      await expect.poll(async () => store.exists(at('Proj/plan.md'))).toBe(false)
    })
  },
)
