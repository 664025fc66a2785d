import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Capabilities, contentHash, Locator } from '@agentm/storage-seam'
import { DirectoryBackend, type DirectoryOptions, type FileSystem, nodeFileSystem } from '@agentm/vault-lock'
import { expect, it } from 'vitest'
import { setup, type TestWorld, namesIn } from './world.ts'

class Files extends DirectoryBackend {
  override readonly capabilities = new Capabilities({ conditionalWrite: true, concurrentWriters: true })
}

const note = new Locator('note.md')

const files = ({ root, lockRoot }: TestWorld, options: DirectoryOptions = {}) =>
  new Files(root, { lockRoot, ...options })

/** A program without the lock makes the note right before ours gets its name. */
function racing(place: string): FileSystem {
  let races = 1
  return {
    ...nodeFileSystem,
    link: async (from, to) => {
      if (basename(to) === basename(place) && races-- > 0) writeFileSync(place, 'first')
      return nodeFileSystem.link(from, to)
    },
  }
}

it('does not replace a note that a program without the lock made in the last moment', async () => {
  const world = await setup()
  const store = files(world, { fs: racing(world.at('note.md')) })
  await expect(store.write(note, 'second', { ifHash: null })).rejects.toMatchObject({
    code: 'CONCURRENT_MODIFICATION',
    actual: contentHash('first'),
  })
  expect(readFileSync(world.at('note.md'), 'utf8')).toBe('first')
  expect(namesIn(world.root).filter((name) => name.startsWith('.'))).toEqual([])
})

it('updates a note that came in the last moment, where it would have made it', async () => {
  const world = await setup()
  const store = files(world, { fs: racing(world.at('note.md')) })
  expect(await store.update(note, (text) => `${text ?? 'nothing'}, then ours`)).toBe('first, then ours')
  expect(readFileSync(world.at('note.md'), 'utf8')).toBe('first, then ours')
})

it('leaves a new note with one name', async () => {
  const world = await setup()
  await files(world).write(note, 'x', { ifHash: null })
  const { nlink } = await nodeFileSystem.lstat(world.at('note.md'))
  expect(nlink).toBe(1n)
})

it('makes a note on a disk where no file has two names', async () => {
  const world = await setup()
  const refused = Object.assign(new Error('no links here'), { code: 'EPERM' })
  const fs = { ...nodeFileSystem, link: async () => Promise.reject(refused) }
  await files(world, { fs }).write(note, 'x', { ifHash: null })
  await expect(files(world, { fs }).write(note, 'y', { ifHash: null })).rejects.toMatchObject({
    code: 'CONCURRENT_MODIFICATION',
  })
  expect(readFileSync(world.at('note.md'), 'utf8')).toBe('x')
})

it('makes no note in the place of a link that leads nowhere', async () => {
  const world = await setup()
  symlinkSync('nowhere.md', world.at('note.md'))
  await expect(files(world).write(note, 'x', { ifHash: null })).rejects.toMatchObject({ code: 'NOT_A_FILE' })
  expect(existsSync(world.at('nowhere.md'))).toBe(false)
})
