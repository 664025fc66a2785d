import { execFileSync } from 'node:child_process'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Capabilities, contentHash, Locator } from '@agentm/storage-seam'
import { DirectoryBackend, type DirectoryOptions, filePath, type FileSystem, nodeFileSystem } from '@agentm/vault-lock'
import { type Skipped } from '../src/list-names.ts'
import { afterEach, describe, expect, it } from 'vitest'

class Files extends DirectoryBackend {
  override readonly capabilities = new Capabilities({ conditionalWrite: true, removal: true, concurrentWriters: true })
}

const made: string[] = []
afterEach(async () => {
  await Promise.all(made.splice(0).map((directory) => rm(directory, { recursive: true, force: true })))
})

async function setup(options: DirectoryOptions = {}) {
  const home = await mkdtemp(path.join(tmpdir(), 'directory-backend-'))
  made.push(home)
  const root = path.join(home, 'store')
  const lockRoot = filePath(path.join(home, 'locks'))
  const open = (more: DirectoryOptions = {}) => new Files(filePath(root), { lockRoot, ...options, ...more })
  return { home, root, open, files: open() }
}

const note = new Locator('notes/a.md')

describe('DirectoryBackend', () => {
  it('makes nothing on disk until the first write', async () => {
    const { home, files } = await setup()
    expect(await files.list(files.resolve())).toEqual([])
    expect(await files.exists(note)).toBe(false)
    await expect(files.read(note)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await readdir(home)).toEqual([])
    await files.write(note, 'x')
    expect(await files.read(note)).toBe('x')
  })

  it('refuses a stale condition with nothing changed', async () => {
    const { files } = await setup()
    const refusal = { code: 'CONCURRENT_MODIFICATION' }
    await files.write(note, 'one')
    await expect(files.write(note, 'two', { ifHash: contentHash('zero') })).rejects.toMatchObject(refusal)
    await expect(files.write(note, 'two', { ifHash: null })).rejects.toMatchObject(refusal)
    expect(await files.read(note)).toBe('one')
    await files.write(note, 'two', { ifHash: contentHash('one') })
    expect(await files.read(note)).toBe('two')
  })

  it('notices an editor that saves between the look and the rename', async () => {
    const { root, open } = await setup()
    await open().write(note, 'mine')
    let edited = false
    // The name is looked at after its text was read, right before the rename.
    const fs = {
      ...nodeFileSystem,
      async lstat(place: string) {
        if (place.endsWith('a.md') && !edited) {
          edited = true
          await writeFile(path.join(root, note.key), 'edited by hand')
        }
        return nodeFileSystem.lstat(place)
      },
    }
    await expect(open({ fs }).write(note, 'theirs', { ifHash: contentHash('mine') })).rejects.toMatchObject({
      code: 'CONCURRENT_MODIFICATION',
    })
    expect(await readFile(path.join(root, note.key), 'utf8')).toBe('edited by hand')
    edited = false
    expect(await open({ fs }).update(note, (text) => `${text}, then by us`)).toBe('edited by hand, then by us')
  })

  it('notices an edit of the same length that keeps the time of the file', async () => {
    const { root, open } = await setup()
    await open().write(note, 'mine')
    const file = path.join(root, note.key)
    const { atime, mtime } = await stat(file)
    let edits = 1
    const fs: FileSystem = {
      ...nodeFileSystem,
      // The file was read, and what replaces it is being written.
      async open(place, ...how) {
        if (how[0] === 'wx' && edits-- > 0) {
          await writeFile(file, 'edit')
          await utimes(file, atime, mtime)
        }
        return nodeFileSystem.open(place, ...how)
      },
    }
    expect(await open({ fs }).update(note, (text) => `${text}, then by us`)).toBe('edit, then by us')
  })

  it('goes on when a program has saved the same text as another file meanwhile', async () => {
    const { root, open } = await setup()
    await open().write(note, 'mine')
    let saves = 1
    const fs: FileSystem = {
      ...nodeFileSystem,
      async open(place, ...how) {
        if (how[0] === 'wx' && saves-- > 0) {
          await writeFile(path.join(root, 'saved'), 'mine')
          await rename(path.join(root, 'saved'), path.join(root, note.key))
        }
        return nodeFileSystem.open(place, ...how)
      },
    }
    await open({ fs }).write(note, 'ours', { ifHash: contentHash('mine') })
    expect(await open().read(note)).toBe('ours')
  })

  it('reads and updates texts of any length', async () => {
    const { files } = await setup()
    for (const length of [0, 1, 4_095, 4_096, 4_097, 300_000]) {
      await files.write(note, 'x'.repeat(length))
      expect((await files.read(note)).length).toBe(length)
      expect(await files.update(note, (text) => `${text}!`)).toBe(`${'x'.repeat(length)}!`)
      expect((await files.read(note)).length).toBe(length + 1)
    }
  })

  it('keeps the permissions of a note it updates', async () => {
    const { root, files } = await setup()
    await files.write(note, 'one')
    for (const mode of [0o600, 0o666, 0o640]) {
      await chmod(path.join(root, note.key), mode)
      await files.update(note, (text) => `${text}, two`)
      expect((await stat(path.join(root, note.key))).mode & 0o777).toBe(mode)
    }
  })

  it('refuses a pipe in the place of a note instead of waiting for it', async () => {
    const { root, files } = await setup()
    await files.mkdir(new Locator('notes'))
    execFileSync('mkfifo', [path.join(root, note.key)])
    await expect(files.read(note)).rejects.toMatchObject({ code: 'NOT_A_FILE' })
    await expect(files.update(note, () => 'x')).rejects.toMatchObject({ code: 'NOT_A_FILE' })
  })

  it('folds updates that wait together into few writes and loses none', async () => {
    let renames = 0
    const fs = {
      ...nodeFileSystem,
      async rename(from: string, to: string) {
        renames++
        return nodeFileSystem.rename(from, to)
      },
    }
    const { files } = await setup({ fs })
    await Promise.all(Array.from({ length: 200 }, (_, i) => files.update(note, (text) => `${text ?? ''}${i}\n`)))
    const lines = (await files.read(note)).trimEnd().split('\n').map(Number)
    expect(lines.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => i))
    expect(renames).toBeLessThan(20)
  })

  it('gives a change that throws its own error and keeps its neighbours', async () => {
    const { files } = await setup()
    const results = await Promise.allSettled([
      files.update(note, () => 'a'),
      files.update(note, () => {
        throw new RangeError('mine')
      }),
      files.update(note, (text) => `${text}\uD800`),
      files.update(note, (text) => `${text}b`),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(await files.read(note)).toBe('ab')
  })

  it('reports bytes that are not UTF-8 as corrupt and leaves them alone', async () => {
    const { root, files } = await setup()
    await mkdir(path.join(root, 'notes'), { recursive: true })
    await writeFile(path.join(root, note.key), Buffer.from([0xff, 0xfe]))
    await expect(files.read(note)).rejects.toMatchObject({ code: 'CORRUPT_TEXT' })
    await expect(files.update(note, () => 'new')).rejects.toMatchObject({ code: 'CORRUPT_TEXT' })
    expect(await readFile(path.join(root, note.key))).toEqual(Buffer.from([0xff, 0xfe]))
  })

  it('skips names that cannot be keys, says so, and hides its own temporary files', async () => {
    const skipped: Skipped[] = []
    const { root, files } = await setup({ onSkipped: (one) => skipped.push(one) })
    await mkdir(root)
    await writeFile(path.join(root, 'a\\b'), '')
    await writeFile(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]), '')
    await writeFile(path.join(root, 'own.tmp'), '')
    await writeFile(path.join(root, `note.md.123.${'0'.repeat(32)}.tmp`), '')
    await writeFile(path.join(root, '.~agentm-0123456789-id.tmp'), '')
    await writeFile(path.join(root, '\u{1F600}'), '')
    await writeFile(path.join(root, '\uFF5E'), '')
    const names = (await files.list(files.resolve())).map(({ key }) => key)
    expect(names).toEqual(['own.tmp', '\uFF5E', '\u{1F600}'])
    expect(skipped.map(({ why }) => why).toSorted()).toEqual([
      '"a\\\\b" cannot be used as a key: a backslash separates directories on Windows',
      'its name is not UTF-8',
    ])
  })

  it('refuses a key that looks like a file being written, by every verb, and leaves such a file alone', async () => {
    const { root, files } = await setup()
    await mkdir(root)
    for (const name of [
      '.~agentm-0123456789-id.tmp',
      '.~agentm-unlocked00-id.tmp',
      `a.md.4711.${'0a'.repeat(16)}.tmp`,
    ]) {
      await writeFile(path.join(root, name), 'half of it')
      for (const at of [new Locator(name), new Locator(`folder/${name}/a.md`)]) {
        const refusal = {
          code: 'INVALID_LOCATOR',
          key: at.key,
          message: expect.stringContaining('being written has a name like that') as string,
        }
        await expect(files.write(at, 'x')).rejects.toMatchObject(refusal)
        await expect(files.write(at, 'x', { ifHash: null })).rejects.toMatchObject(refusal)
        await expect(files.update(at, () => 'x')).rejects.toMatchObject(refusal)
        await expect(files.mkdir(at)).rejects.toMatchObject(refusal)
        await expect(files.remove(at)).rejects.toMatchObject(refusal)
        await expect(files.read(at)).rejects.toMatchObject(refusal)
        await expect(files.info(at)).rejects.toMatchObject(refusal)
        await expect(files.exists(at)).rejects.toMatchObject(refusal)
      }
    }
    expect(await readdir(root)).toHaveLength(3)
    await files.write(new Locator('a.md.tmp'), 'kept')
    expect((await files.list(files.resolve())).map(String)).toEqual(['a.md.tmp'])
  })

  it('does not take a file it may not read for an absent one', async () => {
    const denied = Object.assign(new Error('permission denied'), { code: 'EACCES' })
    const { files, open } = await setup()
    await files.write(note, 'secret')
    const fs: FileSystem = {
      ...nodeFileSystem,
      open: (place, ...how) => (place.endsWith('a.md') ? Promise.reject(denied) : nodeFileSystem.open(place, ...how)),
    }
    await expect(open({ fs }).read(note)).rejects.toMatchObject({
      code: 'DEVICE_FAULT',
      fault: 'EACCES',
      cause: denied,
    })
    await expect(open({ fs }).update(note, () => 'fresh')).rejects.toMatchObject({
      code: 'DEVICE_FAULT',
      fault: 'EACCES',
    })
    expect(await files.read(note)).toBe('secret')
  })

  it('changes revision when the content changes and the clock says otherwise', async () => {
    const { root, files } = await setup()
    await files.write(note, 'one')
    const { revision, mtime } = await files.info(note)
    await writeFile(path.join(root, note.key), 'two')
    await utimes(path.join(root, note.key), mtime, mtime)
    expect((await files.info(note)).revision).not.toBe(revision)
  })

  it.runIf(process.platform === 'linux')('leaves no file open, whether a verb is done or refused', async () => {
    const { root, files, open } = await setup()
    await files.write(note, 'x')
    await symlink('notes', path.join(root, 'alias'))
    await symlink('nowhere', path.join(root, 'dangling'))
    await symlink(note.key, path.join(root, 'linked.md'))
    const before = await openFiles()
    for (const backend of [files, open({ storeId: 'another' })])
      for (const key of [
        '',
        'notes',
        note.key,
        'new/deep/b.md',
        'alias',
        'alias/a.md',
        'dangling',
        'linked.md',
        'gone',
      ]) {
        const at = new Locator(key)
        for (const verb of [
          () => backend.read(at),
          () => backend.list(at),
          () => backend.listInfo(at),
          () => backend.info(at),
          () => backend.exists(at),
          () => backend.mkdir(at.child('made')),
          () => backend.write(at, 'y'),
          () => backend.write(at, 'z', { ifHash: null }),
          () => backend.update(at, (text) => `${text}!`),
          () => backend.remove(at),
        ])
          await verb().catch(() => undefined)
      }
    await expect.poll(openFiles).toBeLessThanOrEqual(before)
  })

  it('removes a link, not what it points at', async () => {
    const { root, files } = await setup()
    await files.write(note, 'kept')
    await symlink('notes/a.md', path.join(root, 'link.md'))
    await files.remove(new Locator('link.md'))
    expect(await files.read(note)).toBe('kept')
    expect(await files.exists(new Locator('link.md'))).toBe(false)
  })
})

async function openFiles(): Promise<number> {
  return (await readdir('/proc/self/fd')).length
}

async function outside() {
  const world = await setup()
  const away = path.join(world.home, 'away')
  await mkdir(away)
  await mkdir(world.root)
  await writeFile(path.join(away, 'secret.md'), 'secret')
  return { ...world, away }
}

describe('confinement', () => {
  it.each([
    ['a linked file', 'secret.md', 'out.md', 'out.md'],
    ['a file in a linked directory', '', 'out', 'out/secret.md'],
  ])('refuses to read, describe or find %s outside the root', async (_, target, link, key) => {
    const { root, away, files } = await outside()
    const at = new Locator(key)
    await symlink(path.join(away, target), path.join(root, link))
    await expect(files.read(at)).rejects.toMatchObject({ code: 'OUTSIDE_STORE' })
    await expect(files.info(at)).rejects.toMatchObject({ code: 'OUTSIDE_STORE' })
    await expect(files.exists(at)).rejects.toMatchObject({ code: 'OUTSIDE_STORE' })
  })

  it.each([
    ['a linked file', 'secret.md', 'out.md', 'out.md'],
    ['a file in a linked directory', '', 'out', 'out/secret.md'],
    ['an absent file in a linked directory', '', 'out', 'out/new.md'],
    ['an absent file deep in a linked directory', '', 'out', 'out/x/y/new.md'],
  ])('refuses to write, update or make a directory at %s outside the root', async (_, target, link, key) => {
    const { root, away, files } = await outside()
    const at = new Locator(key)
    await symlink(path.join(away, target), path.join(root, link))
    await expect(files.write(at, 'x')).rejects.toMatchObject({ code: 'OUTSIDE_STORE' })
    await expect(files.update(at, () => 'x')).rejects.toMatchObject({ code: 'OUTSIDE_STORE' })
    await expect(files.mkdir(at)).rejects.toMatchObject({ code: 'OUTSIDE_STORE' })
    expect(await readFile(path.join(away, 'secret.md'), 'utf8')).toBe('secret')
    expect(await readdir(away)).toEqual(['secret.md'])
  })

  it('follows a link into a directory the owner named', async () => {
    const { root, away, open } = await outside()
    await symlink(away, path.join(root, 'out'))
    const files = open({ allowLinks: [filePath(away)] })
    expect(await files.read(new Locator('out/secret.md'))).toBe('secret')
    await files.write(new Locator('out/new.md'), 'x')
    expect(await readFile(path.join(away, 'new.md'), 'utf8')).toBe('x')
  })

  it('writes through a link that stays inside, and refuses one that leads nowhere', async () => {
    const { root, files } = await outside()
    await files.write(note, 'old')
    await symlink('notes/a.md', path.join(root, 'inside.md'))
    await symlink('nowhere.md', path.join(root, 'dangling.md'))
    await files.write(new Locator('inside.md'), 'new')
    expect(await files.read(note)).toBe('new')
    await expect(files.write(new Locator('dangling.md'), 'x')).rejects.toMatchObject({ code: 'NOT_A_FILE' })
    expect(await readdir(root)).not.toContain('nowhere.md')
  })

  it.each(['circle', 'circle/deep/new.md'])(
    'takes %s in a circle of links for absent, and no place to write',
    async (key) => {
      const { root, files } = await outside()
      const at = new Locator(key)
      await symlink('other', path.join(root, 'circle'))
      await symlink('circle', path.join(root, 'other'))
      expect(await files.exists(at)).toBe(false)
      expect(await files.list(at)).toEqual([])
      await expect(files.read(at)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(files.info(at)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(files.remove(at)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(files.write(at, 'x')).rejects.toMatchObject({ code: 'NOT_A_FILE' })
      await expect(files.update(at, () => 'x')).rejects.toMatchObject({ code: 'NOT_A_FILE' })
      await expect(files.mkdir(at)).rejects.toMatchObject({ code: 'NOT_A_FILE' })
    },
  )

  it('takes a root in a circle of links for absent', async () => {
    const { home, root } = await setup()
    await symlink('other', root)
    await symlink('store', path.join(home, 'other'))
    const files = new Files(filePath(root), { lockRoot: filePath(path.join(home, 'locks')) })
    expect(await files.exists(note)).toBe(false)
    expect(await files.list(files.resolve())).toEqual([])
    await expect(files.read(note)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(files.write(note, 'x')).rejects.toMatchObject({ code: 'NOT_A_FILE' })
    await expect(files.mkdir(files.resolve())).rejects.toMatchObject({ code: 'NOT_A_FILE' })
  })

  it('does not follow a link to another folder of the store, and says that this has a key of its own', async () => {
    const { root, files } = await outside()
    await files.write(note, 'of notes')
    await symlink('notes', path.join(root, 'alias'))
    const refusal = { code: 'OUTSIDE_STORE', message: expect.stringContaining('has a key of its own') as string }
    for (const at of [new Locator('alias'), new Locator('alias/a.md')]) {
      await expect(files.info(at)).rejects.toMatchObject(refusal)
      await expect(files.list(at)).rejects.toMatchObject(refusal)
      await expect(files.read(at)).rejects.toMatchObject(refusal)
      await expect(files.exists(at)).rejects.toMatchObject(refusal)
      await expect(files.write(at, 'x')).rejects.toMatchObject(refusal)
      await expect(files.mkdir(at)).rejects.toMatchObject(refusal)
      await expect(files.remove(at)).rejects.toMatchObject(refusal)
    }
    await expect(files.write(new Locator('alias/new/b.md'), 'x')).rejects.toMatchObject(refusal)
    expect(await readdir(path.join(root, 'notes'))).toEqual(['a.md'])
    const { children: listed } = await files.listInfo(files.resolve())
    expect(listed.map((child) => [child.locator.key, 'refusal' in child && child.refusal.code])).toEqual([
      ['alias', 'OUTSIDE_STORE'],
      ['notes', false],
    ])
  })

  it('follows one link into a directory the owner named, and no other link from there', async () => {
    const { root, away, open } = await outside()
    await mkdir(path.join(away, 'deep'))
    await writeFile(path.join(away, 'deep', 'far.md'), 'far')
    await symlink(away, path.join(root, 'out'))
    await symlink('.', path.join(away, 'itself'))
    await symlink(root, path.join(away, 'back'))
    await symlink('out/deep', path.join(root, 'chained'))
    const files = open({ allowLinks: [filePath(path.dirname(away))] })
    expect(await files.read(new Locator('out/deep/far.md'))).toBe('far')
    expect(await files.read(new Locator('chained/far.md'))).toBe('far')
    await files.write(new Locator('out/deep/new/b.md'), 'x')
    expect(await readFile(path.join(away, 'deep/new/b.md'), 'utf8')).toBe('x')
    for (const key of ['out/itself', 'out/itself/itself/secret.md', 'out/back', 'out/back/out/secret.md'])
      await expect(files.info(new Locator(key))).rejects.toMatchObject({ code: 'OUTSIDE_STORE' })
    await expect(files.write(new Locator('out/itself/new.md'), 'x')).rejects.toMatchObject({ code: 'OUTSIDE_STORE' })
  })

  it('takes a root that is itself a link', async () => {
    const { home, root, files } = await outside()
    const alias = filePath(path.join(home, 'alias'))
    await symlink(root, alias)
    await new Files(alias, { lockRoot: filePath(path.join(home, 'locks')) }).write(note, 'x')
    expect(await files.read(note)).toBe('x')
  })
})

describe('a store that went away', () => {
  const marker = new Locator('_meta/agentm-store.json')
  const refusal = { code: 'STORE_UNAVAILABLE' }

  it('is refused by every verb once its marker has been seen', async () => {
    const { root, home, files } = await setup()
    await files.write(marker, '{ "id": "s1" }')
    await files.write(note, 'x')
    await rm(root, { recursive: true })
    await expect(files.read(note)).rejects.toMatchObject(refusal)
    await expect(files.list(files.resolve())).rejects.toMatchObject(refusal)
    await expect(files.exists(note)).rejects.toMatchObject(refusal)
    await expect(files.info(note)).rejects.toMatchObject(refusal)
    await expect(files.write(note, 'y')).rejects.toMatchObject(refusal)
    await expect(files.remove(note)).rejects.toMatchObject(refusal)
    await expect(files.mkdir(new Locator('d'))).rejects.toMatchObject(refusal)
    expect(await readdir(home)).toEqual(['locks'])
  })

  it('is not taken for another one that stands in its place', async () => {
    const { open } = await setup()
    await open().write(marker, '{ "id": "s1" }')
    await expect(open({ storeId: 's2' }).write(note, 'x')).rejects.toMatchObject(refusal)
    await expect(open({ storeId: 's1' }).write(note, 'x')).resolves.toMatchObject({ key: note.key })
  })

  it('is refused when the configuration names it and only an empty directory is there', async () => {
    const { root, open } = await setup()
    await mkdir(root)
    await expect(open({ storeId: 's1' }).list(new Locator(''))).rejects.toMatchObject(refusal)
  })
})
