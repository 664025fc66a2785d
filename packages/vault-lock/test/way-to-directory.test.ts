import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Capabilities } from '@agentm/storage-seam'
import { DirectoryBackend, type FilePath, filePath, nodeFileSystem } from '@agentm/vault-lock'
import { afterEach, describe, expect, test } from 'vitest'
import { openDirectory } from '../src/open-directory.ts'
import { wayToDirectory } from '../src/way-to-directory.ts'

const made: string[] = []
afterEach(async () => {
  await Promise.all(made.splice(0).map((directory) => rm(directory, { recursive: true, force: true })))
})

const rested = async () => sleep(150)

async function setup() {
  const home = await realpath(await mkdtemp(path.join(tmpdir(), 'way-')))
  made.push(home)
  const root = path.join(home, 'store') as FilePath
  const notes = path.join(root, 'area', 'notes')
  await mkdir(notes, { recursive: true })
  await mkdir(path.join(home, 'elsewhere', 'notes'), { recursive: true })
  await rested()
  const directory = await openDirectory(notes, nodeFileSystem)
  const way = async () => wayToDirectory(directory, root, nodeFileSystem)
  return { home, root, notes, directory, way }
}

describe.runIf(process.platform === 'linux')('the way to an open directory', () => {
  test('is the same while nothing on it changes, also when names in the directory do', async () => {
    const { notes, way } = await setup()
    const before = await way()
    await writeFile(path.join(notes, 'a.md'), 'one')
    expect(before).toBeDefined()
    expect(await way()).toBe(before)
  })

  test('differs after a directory on it was swapped for a link and put back', async () => {
    const { home, root, way } = await setup()
    const before = await way()
    const [area, away] = [path.join(root, 'area'), path.join(root, 'away')]
    await rename(area, away)
    await symlink(path.join(home, 'elsewhere'), area)
    expect(await way()).toBeUndefined()
    await rm(area)
    await rename(away, area)
    expect(await way()).toBeUndefined()
    await rested()
    const after = await way()
    expect(after).toBeDefined()
    expect(after).not.toBe(before)
  })

  test('is not relied on for what is outside the root', async () => {
    const { home, directory } = await setup()
    expect(await wayToDirectory(directory, undefined, nodeFileSystem)).toBeUndefined()
    const other = path.join(home, 'elsewhere') as FilePath
    expect(await wayToDirectory(directory, other, nodeFileSystem)).toBeUndefined()
  })
})

test.runIf(process.platform === 'linux')(
  'many names are found alike by path and through the open directory',
  async () => {
    const { home, root, notes } = await setup()
    class Files extends DirectoryBackend {
      override readonly capabilities = new Capabilities({ conditionalWrite: true, removal: true })
    }
    for (let i = 0; i < 600; i++) await writeFile(path.join(notes, `n${i}.md`), `${i}`)
    const asked: string[] = []
    const fs = {
      ...nodeFileSystem,
      lstatAll: async (paths: readonly string[]) => {
        asked.push(paths[0] ?? '')
        return nodeFileSystem.lstatAll(paths)
      },
    }
    const files = new Files(filePath(root), { lockRoot: filePath(path.join(home, 'locks')), fs })
    const list = async () => (await files.listInfo(files.resolve('area/notes'))).children
    const through = await list()
    await writeFile(path.join(root, 'area', 'stirred.md'), 'now')
    asked.length = 0
    const stirred = await list()
    expect(asked.some((each) => each.startsWith('/proc/'))).toBe(true)
    await rested()
    asked.length = 0
    const rest = await list()
    expect(asked.every((each) => each.startsWith(notes))).toBe(true)
    expect(rest).toEqual(through)
    expect(rest).toEqual(stirred)
  },
)
