import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Capabilities, contentHash, Locator } from '@agentm/storage-seam'
import {
  DirectoryBackend,
  type DirectoryOptions,
  type FileSystem,
  nodeFileSystem,
  nodeRuntime,
} from '@agentm/vault-lock'
import { describe, expect, it } from 'vitest'
import { age, type Child, setup, type TestWorld, namesIn } from './world.ts'

class Files extends DirectoryBackend {
  override readonly capabilities = new Capabilities({ conditionalWrite: true, removal: true, concurrentWriters: true })
}

const note = new Locator('note.md')

const files = ({ root, lockRoot }: TestWorld, options: DirectoryOptions = {}) =>
  new Files(root, { lockRoot, ...options })

/** The clock of a process that looks eleven seconds later. */
const later = { ...nodeRuntime, now: () => Date.now() + 11_000 }

async function stopped(child: Child): Promise<void> {
  await expect(child.next()).resolves.toBe('about to take note.md away')
  const state = () => execFileSync('ps', ['-o', 'state=', '-p', `${child.process.pid}`]).toString()
  await expect.poll(state).toMatch(/^T/)
}

describe.skipIf(process.platform === 'win32')('a process that stood still while it removed a note', () => {
  it.each(['', contentHash('old')])('leaves what its successor wrote there (condition: %j)', async (hash) => {
    const world = await setup()
    writeFileSync(world.at('note.md'), 'old')
    const child = world.start('remover', world.root, 'note.md', ...(hash === '' ? [] : [hash]))
    await stopped(child)
    await files(world, { runtime: later }).write(note, 'from the successor')
    child.process.kill('SIGCONT')
    expect(await child.next()).toBe('LOCK_LOST')
    expect(readFileSync(world.at('note.md'), 'utf8')).toBe('from the successor')
    expect(namesIn(world.root).filter((name) => name.startsWith('.'))).toEqual([])
  })

  it('puts back what a successor wrote that clears nothing away, as the Python implementation', async () => {
    const world = await setup()
    writeFileSync(world.at('note.md'), 'old')
    const child = world.start('remover', world.root, 'note.md')
    await stopped(child)
    rmdirSync(world.lock)
    writeFileSync(world.at('note.md'), 'from the successor')
    child.process.kill('SIGCONT')
    expect(await child.next()).toBe('LOCK_LOST')
    expect(readFileSync(world.at('note.md'), 'utf8')).toBe('from the successor')
    expect(namesIn(world.root)).toEqual(['note.md'])
  })

  it('leaves the note where it was when it is killed there', async () => {
    const world = await setup()
    writeFileSync(world.at('note.md'), 'old')
    const child = world.start('remover', world.root, 'note.md')
    await stopped(child)
    child.process.kill('SIGKILL')
    await child.exit()
    await files(world, { runtime: later }).write(new Locator('other.md'), 'x')
    expect(
      namesIn(world.root)
        .filter((name) => name !== '_meta')
        .toSorted(),
    ).toEqual(['note.md', 'other.md'])
    expect(readFileSync(world.at('note.md'), 'utf8')).toBe('old')
  })
})

it('puts a note back whose remover was killed before anybody heard that it is gone', async () => {
  const world = await setup()
  const calls: string[] = []
  const killed: FileSystem = {
    ...nodeFileSystem,
    // From here on nothing of it happens any more.
    unlink: async () => Promise.reject(new Error('killed')),
    link: async (from, to) =>
      to.includes('.agentm-locks') ? nodeFileSystem.link(from, to) : Promise.reject(new Error('killed')),
    rename: async (from, to) => {
      if (calls.push(from) > 1) throw new Error('killed')
      return nodeFileSystem.rename(from, to)
    },
  }
  writeFileSync(world.at('note.md'), 'old')
  await expect(files(world, { fs: killed }).remove(note)).rejects.toThrow('killed')
  expect(existsSync(world.at('note.md'))).toBe(false)
  mkdirSync(join(world.lock, '..', 'deaths'))
  await files(world).write(new Locator('other.md'), 'x')
  expect(readFileSync(world.at('note.md'), 'utf8')).toBe('old')
  expect(namesIn(world.root).filter((name) => name.startsWith('.'))).toEqual([])
})

it('does not say that a note is gone which its successor has just put back', async () => {
  const world = await setup()
  writeFileSync(world.at('note.md'), 'old')
  const fs: FileSystem = {
    ...nodeFileSystem,
    unlink: async (place) => {
      // The process stood still here, and a successor is in the middle of clearing away what it finds: the note has two names.
      if (basename(place) === 'note.md') {
        rmdirSync(world.lock)
        await nodeFileSystem.link(place, world.at('note.md'))
      }
      return nodeFileSystem.unlink(place)
    },
  }
  await expect(files(world, { fs }).remove(note)).rejects.toMatchObject({ code: 'LOCK_LOST', isInDoubt: false })
  expect(readFileSync(world.at('note.md'), 'utf8')).toBe('old')
  expect(namesIn(world.root)).toEqual(['note.md'])
})

it('does not say that a note is gone which its successor has put back and changed since', async () => {
  const world = await setup()
  writeFileSync(world.at('note.md'), 'old')
  const fs: FileSystem = {
    ...nodeFileSystem,
    unlink: async (place) => {
      if (basename(place) !== 'note.md') return nodeFileSystem.unlink(place)
      await nodeFileSystem.link(place, world.at('note.md'))
      await nodeFileSystem.unlink(place)
      // The process stood still again: its successor has read what it put back, and added to it.
      rmdirSync(world.lock)
      await files(world).update(note, (text) => `${text} and new`)
    },
  }
  await expect(files(world, { fs }).remove(note)).rejects.toMatchObject({ code: 'LOCK_LOST', isInDoubt: true })
  expect(readFileSync(world.at('note.md'), 'utf8')).toBe('old and new')
  expect(namesIn(world.root)).toEqual(['note.md'])
})

it('says that a note is gone also when it lost its lock right after that', async () => {
  const world = await setup()
  writeFileSync(world.at('note.md'), 'old')
  const fs: FileSystem = {
    ...nodeFileSystem,
    unlink: async (place) => {
      await nodeFileSystem.unlink(place)
      if (basename(place) === 'note.md') rmdirSync(world.lock)
    },
  }
  await files(world, { fs }).remove(note)
  expect(namesIn(world.root)).toEqual([])
})

it('says that its lock is lost when its successor has put back and cleared away what it was to delete', async () => {
  const world = await setup()
  writeFileSync(world.at('note.md'), 'old')
  const fs: FileSystem = {
    ...nodeFileSystem,
    unlink: async (place) => {
      if (basename(place) === 'note.md') {
        rmdirSync(world.lock)
        await nodeFileSystem.rename(place, world.at('note.md'))
        for (const name of namesIn(world.root)) if (name !== 'note.md') rmdirSync(world.at(name))
      }
      return nodeFileSystem.unlink(place)
    },
  }
  await expect(files(world, { fs }).remove(note)).rejects.toMatchObject({ code: 'LOCK_LOST' })
  expect(readFileSync(world.at('note.md'), 'utf8')).toBe('old')
  expect(namesIn(world.root)).toEqual(['note.md'])
})

it('does not bring a removed note back from what somebody left who was killed while he put it back', async () => {
  const world = await setup()
  writeFileSync(world.at('note.md'), 'old')
  const killed: FileSystem = {
    ...nodeFileSystem,
    unlink: async () => Promise.reject(new Error('killed')),
    rmdir: async (place) => (place === world.lock ? nodeFileSystem.rmdir(place) : Promise.reject(new Error('killed'))),
  }
  await expect(files(world, { fs: killed }).remove(note)).rejects.toThrow('killed')
  // It has two names now: its own, and one where it was to be deleted.
  expect(readFileSync(world.at('note.md'), 'utf8')).toBe('old')
  await files(world).remove(note)
  mkdirSync(join(world.lock, '..', 'deaths'))
  await files(world).write(new Locator('other.md'), 'x')
  expect(namesIn(world.root)).toEqual(['other.md'])
})

it('brings nothing back that another machine was about to delete', async () => {
  const world = await setup()
  const theirs = world.at('.~agentm-0123456789-id.tmp')
  mkdirSync(theirs)
  writeFileSync(join(theirs, 'note.md'), 'removed there')
  age(theirs, 3_700_000)
  await files(world).write(new Locator('other.md'), 'x')
  expect(namesIn(world.root)).toEqual(['other.md'])
})

it('does not remove what an editor saved in the last moment, where only a certain text should go', async () => {
  const world = await setup()
  writeFileSync(world.at('note.md'), 'old')
  let edits = 1
  const fs: FileSystem = {
    ...nodeFileSystem,
    rename: async (from, to) => {
      if (basename(from) === 'note.md' && edits-- > 0) writeFileSync(from, 'edited')
      return nodeFileSystem.rename(from, to)
    },
  }
  await expect(files(world, { fs }).remove(note, { ifHash: contentHash('old') })).rejects.toMatchObject({
    code: 'CONCURRENT_MODIFICATION',
    actual: contentHash('edited'),
  })
  expect(readFileSync(world.at('note.md'), 'utf8')).toBe('edited')
  expect(namesIn(world.root).filter((name) => name.startsWith('.'))).toEqual([])
})

it('removes a link, and nothing else', async () => {
  const world = await setup()
  writeFileSync(world.at('note.md'), 'kept')
  symlinkSync('note.md', world.at('link.md'))
  await files(world).remove(new Locator('link.md'))
  expect(namesIn(world.root)).toEqual(['note.md'])
  expect(readFileSync(world.at('note.md'), 'utf8')).toBe('kept')
})
