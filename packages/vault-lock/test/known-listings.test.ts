import { link, mkdir, mkdtemp, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Capabilities, type ListedInfo } from '@agentm/storage-seam'
import { DirectoryBackend, filePath, nodeFileSystem } from '@agentm/vault-lock'
import { afterEach, expect, test } from 'vitest'
import { KnownListings } from '../src/known-listings.ts'

class Files extends DirectoryBackend {
  override readonly capabilities = new Capabilities({ conditionalWrite: true, removal: true, concurrentWriters: true })
}

const made: string[] = []
afterEach(async () => {
  await Promise.all(made.splice(0).map((directory) => rm(directory, { recursive: true, force: true })))
})

async function setup() {
  const home = await mkdtemp(path.join(tmpdir(), 'known-listings-'))
  made.push(home)
  const root = path.join(home, 'store')
  const at = (name: string) => path.join(root, 'notes', name)
  await mkdir(at('below'), { recursive: true })
  await writeFile(at('a.md'), 'one')
  await writeFile(at('b.md'), 'two')
  const options = { lockRoot: filePath(path.join(home, 'locks')) }
  const files = new Files(filePath(root), options)
  // What looks at every name, always.
  const plain = new Files(filePath(root), { ...options, fs: { ...nodeFileSystem } })
  const look = async () => files.listInfo(files.resolve('notes'))
  const list = async (backend: Files = files) => (await backend.listInfo(backend.resolve('notes'))).children
  for (let i = 0; i < 3; i++) await list()
  return { home, root, at, files, look, list, plain: async () => list(plain) }
}

test.runIf(process.platform === 'linux')('a listing of what nobody touched is handed out again', async () => {
  const { list, look, plain } = await setup()
  const first = await look()
  expect(first.children).toEqual(await plain())
  expect(first.revision).toBeTypeOf('string')
  expect((await look()).revision).toBe(first.revision)
  expect(await list()).toBe(first.children)
})

test.runIf(process.platform === 'linux')(
  'a listing gets a revision of its own when it is made anew, and when a file in it was edited in place',
  async () => {
    const { at, look } = await setup()
    const revisions = [(await look()).revision]
    for (const change of [
      async () => writeFile(at('a.md'), 'another text'),
      async () => writeFile(at('c.md'), 'new'),
      async () => rm(at('c.md')),
    ]) {
      await change()
      await look()
      await look()
      revisions.push((await look()).revision)
    }
    expect(revisions).not.toContain(undefined)
    expect(new Set(revisions).size).toBe(revisions.length)
  },
)

test.runIf(process.platform === 'linux')(
  'of a file that is written in place, only that file is looked at again',
  async () => {
    const { at, list, plain } = await setup()
    const before = await list()
    await writeFile(at('a.md'), 'another text')
    const after = await list()
    expect(forms(after)).toEqual(forms(await plain()))
    const same = after.filter((info) => before.includes(info)).map(({ locator }) => locator.name)
    expect(same).toContain('b.md')
    expect(same).not.toContain('a.md')
    expect(await list()).toEqual(after)
  },
)

test.each<[string, (at: (name: string) => string) => Promise<unknown>]>([
  ['written anew', async (at) => writeFile(at('a.md'), 'new')],
  [
    'written with the same size and its old times',
    async (at) => sameTimes(at('a.md'), async () => writeFile(at('a.md'), 'eno')),
  ],
  ['written by another process', async (at) => execFileSync('sh', ['-c', `printf x >> "${at('a.md')}"`])],
  ['touched', async (at) => utimes(at('a.md'), 5, 5)],
  ['replaced', async (at) => (await writeFile(at('.tmp'), 'new'), rename(at('.tmp'), at('a.md')))],
  ['removed', async (at) => rm(at('a.md'))],
  ['added', async (at) => writeFile(at('c.md'), 'new')],
  [
    'moved with its directory',
    async (at) => (await rename(at(''), `${at('')}-moved`.replace('/-', '-')), mkdir(at(''))),
  ],
  ['made in a directory below', async (at) => writeFile(at('below/c.md'), 'new')],
  ['made a link', async (at) => (await rm(at('b.md')), symlink('a.md', at('b.md')))],
])('what was %s shows at the next look', async (_, change) => {
  const { at, list, plain } = await setup()
  for (let round = 0; round < 3; round++) {
    await list()
    if (round === 1) await change(at)
    expect(forms(await list())).toEqual(forms(await plain()))
  }
})

test('a change that comes while names are read is not missed, however often', async () => {
  const { at, list, plain } = await setup()
  for (let round = 0; round < 60; round++) {
    const looking = Promise.all([list(), list()])
    await Promise.all([writeFile(at('a.md'), `text ${round}`), writeFile(at('b.md'), 'x'.repeat(round)), list()])
    await looking
    expect(forms(await list())).toEqual(forms(await plain()))
  }
  expect(await readFile(at('a.md'), 'utf8')).toBe('text 59')
})

test('where a file has a second name, of which nobody tells, every name is looked at', async () => {
  const { home, at, list } = await setup()
  await link(at('a.md'), path.join(home, 'other.md'))
  await utimes(at('a.md'), 5, 5)
  for (let i = 0; i < 3; i++) await list()
  const before = await list()
  await writeFile(path.join(home, 'other.md'), 'by its second name')
  expect(forms(await list())).not.toEqual(forms(before))
})

test('nothing is believed for long, and nothing that somebody who began later has seen', async () => {
  const { root } = await setup()
  let now = 0
  const listings = new KnownListings(() => now)
  const directory = filePath(path.join(root, 'notes'))
  const listing: ListedInfo[] = []
  expect(await listings.begin(directory)).toBeUndefined()
  const [early, late] = [await listings.begin(directory), await listings.begin(directory)]
  if (early === undefined || late === undefined) return
  listings.keep(early, listing)
  expect(await listings.find(directory)).toBeUndefined()
  listings.keep(late, listing)
  expect((await listings.find(directory))?.listing).toBe(listing)
  now = 10_001
  expect(await listings.find(directory)).toBeUndefined()
})

async function sameTimes(file: string, change: () => Promise<unknown>): Promise<void> {
  const { atime, mtime } = await stat(file)
  await change()
  await utimes(file, atime, mtime)
}

function forms(listing: readonly ListedInfo[]): readonly unknown[] {
  return listing.map((info) => ({ ...info, locator: info.locator.key }))
}
