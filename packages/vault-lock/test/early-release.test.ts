import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Capabilities, Locator } from '@agentm/storage-seam'
import { DirectoryBackend, type FileSystem, nodeFileSystem } from '@agentm/vault-lock'
import { expect, it } from 'vitest'
import { openDirectory, openWhileSynced } from '../src/open-directory.ts'
import { namesIn, setup } from './world.ts'

class Files extends DirectoryBackend {
  override readonly capabilities = new Capabilities({ conditionalWrite: true, concurrentWriters: true })
}

const note = new Locator('note.md')
const writers = {
  write: async (store: Files, text: string) => store.write(note, text),
  'write on a condition': async (store: Files, text: string) => store.write(note, text, { ifHash: null }),
  update: async (store: Files, text: string) => store.update(note, () => text),
}

/** A disk on which names of a directory are put when `syncing` says so. */
function onSync(syncing: () => Promise<void>): FileSystem {
  return {
    ...nodeFileSystem,
    async openDirectory(path, options) {
      const directory = await openDirectory(path, nodeFileSystem, options)
      const sync = async (): Promise<void> => {
        await syncing()
        await directory.sync()
      }
      return { ...directory, ...openWhileSynced(sync, directory.close) }
    },
  }
}

async function storeWhere(syncing: () => Promise<void>) {
  const world = await setup()
  const store = new Files(world.root, { lockRoot: world.lockRoot, fs: onSync(async () => at.sync()) })
  const at = { sync: async () => {} }
  // The first writer in a directory lets go of the lock only when the way there is on the disk, too.
  await store.write(new Locator('other.md'), 'x')
  at.sync = syncing
  return { ...world, store }
}

it.each(Object.entries(writers))('gives the lock back while a new name is put on the disk: %s', async (_, write) => {
  let isBegun = false
  let finish: (() => void) | undefined
  const disk = new Promise<void>((resolve) => (finish = resolve))
  const { store, lock, at } = await storeWhere(async () => {
    isBegun = true
    await disk
  })
  let isWritten = false
  const writing = write(store, 'text').then(() => (isWritten = true))
  await expect.poll(() => isBegun && !existsSync(lock)).toBe(true)
  expect(readFileSync(at('note.md'), 'utf8')).toBe('text')
  expect(isWritten).toBe(false)
  finish?.()
  await writing
})

it.each(Object.entries(writers))('says when a new name could not be put on the disk: %s', async (_, write) => {
  const { store, root } = await storeWhere(async () => {
    throw Object.assign(new Error('broken disk'), { code: 'EIO' })
  })
  await expect(write(store, 'text')).rejects.toMatchObject({ code: 'DEVICE_FAULT' })
  expect(namesIn(root)).toEqual(['note.md', 'other.md'])
})

it('keeps a directory open that is closed while it is being synced', async (context) => {
  if (nodeFileSystem.openDirectory === undefined) context.skip('no open directory has a name here')
  const { root } = await setup()
  const directory = await openDirectory(root, nodeFileSystem)
  const syncing = directory.sync()
  await directory.close()
  const other = await openDirectory(dirname(root), nodeFileSystem)
  expect(other.self).not.toBe(directory.self)
  await syncing
  await other.close()
  expect(existsSync(directory.self)).toBe(false)
})
