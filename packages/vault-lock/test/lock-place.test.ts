import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Capabilities, Locator } from '@agentm/storage-seam'
import {
  atomicWrite,
  DirectoryBackend,
  type FilePath,
  filePath,
  type FileSystem,
  lockDirectory,
  lockedUpdate,
  lockStanding,
  nodeFileSystem,
  nodeRuntime,
  type LockRuntime,
  vaultMutex,
} from '@agentm/vault-lock'
import { expect, it } from 'vitest'
import { plantLock, setup, type TestWorld } from './world.ts'

class Files extends DirectoryBackend {
  override readonly capabilities = new Capabilities({ conditionalWrite: true, concurrentWriters: true })
}

interface Record {
  lock: string
  token: string
  view: string
  by: string
}

interface Told {
  readonly name: string
  readonly written: number
  readonly lost: number
  readonly refusals: readonly string[]
}

/** Two environments, of which the first has written already. */
async function twoEnvironments() {
  const world = await setup()
  const { home, root, lockRoot, lock, at } = world
  const otherRoot = filePath(join(home, 'other', 'locks'))
  const otherLock = await lockDirectory(root, otherRoot)
  await lockedUpdate(root, at('note.md'), () => 'first', { lockRoot })
  return { ...world, otherRoot, otherLock, mark: markOf(lock), file: recordIn(root) }
}

function recordIn(root: string): FilePath {
  const [name = '', ...others] = readdirSync(join(root, '.agentm-locks')).filter((each) => each.endsWith('.json'))
  expect(others).toEqual([])
  return filePath(join(root, '.agentm-locks', name))
}

/** What lies beside a lock to say that it is the one that is meant. */
function markOf(lock: string): string {
  const [name = ''] = readdirSync(dirname(lock)).filter((each) => each.startsWith('place-'))
  return join(dirname(lock), name)
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record

function unused(file: string, seconds: number): void {
  const then = Date.now() / 1000 - seconds
  utimesSync(file, then, then)
}

it('loses no update of processes with different cache directories', async () => {
  const { root, at, home, startIn } = await setup()
  const crew = ['a', 'b', 'a', 'b'].map((place, i) =>
    startIn({ env: { XDG_CACHE_HOME: join(home, place) } }, 'diarist', root, at('ledger.json'), `writer-${i}`, '40'),
  )
  const told = (await Promise.all(crew.map((child) => child.next()))) as Told[]
  expect(told).toEqual(told.map(({ name }) => ({ name, written: 40, lost: 0, refusals: [] })))
  const entries = JSON.parse(readFileSync(at('ledger.json'), 'utf8')) as object
  expect(entries).toEqual({ 'writer-0': 40, 'writer-1': 40, 'writer-2': 40, 'writer-3': 40 })
})

it('holds the lock of its environment and the one that is written down', async () => {
  const { root, lock, otherRoot, otherLock } = await twoEnvironments()
  await vaultMutex(
    root,
    async () => {
      expect([lock, otherLock].map((each) => existsSync(each))).toEqual([true, true])
    },
    { lockRoot: otherRoot },
  )
  expect([lock, otherLock].map((each) => existsSync(each))).toEqual([false, false])
  expect(await lockStanding(root, { lockRoot: otherRoot })).toMatchObject({
    kind: 'both',
    own: otherLock,
    recorded: lock,
  })
})

it.each(['own', 'recorded'] as const)(
  'waits for whoever has its %s lock, as the Python implementation may',
  async (which) => {
    const { root, lock, otherRoot, otherLock } = await twoEnvironments()
    const taken = which === 'own' ? otherLock : lock
    plantLock(taken, 0)
    const waiting = vaultMutex(root, async () => 'in', { lockRoot: otherRoot, timeoutMs: 100 })
    await expect(waiting).rejects.toMatchObject({ code: 'LOCK_TIMEOUT', lockDirectory: taken })
    rmdirSync(taken)
    await expect(vaultMutex(root, async () => 'in', { lockRoot: otherRoot })).resolves.toBe('in')
  },
)

it('starts over where another environment is the first to write down its lock', async () => {
  const { root, lockRoot, at, home } = await setup()
  const otherRoot = filePath(join(home, 'other', 'locks'))
  let races = 1
  const fs: FileSystem = {
    ...nodeFileSystem,
    // What is to be written is on the disk, and nobody has written down anything.
    link: async (from, to) => {
      if (races-- > 0) await lockedUpdate(root, at('ledger'), (text = '') => `${text}theirs;`, { lockRoot: otherRoot })
      return nodeFileSystem.link(from, to)
    },
  }
  expect(await new Files(root, { lockRoot, fs }).update(new Locator('ledger'), (text = '') => `${text}ours;`)).toBe(
    'theirs;ours;',
  )
  expect(read(recordIn(root)).lock).toBe(await lockDirectory(root, otherRoot))
})

it('keeps what is written down out of listings and out of git, and writes nothing down where nothing is changed', async () => {
  const { root, lockRoot, file } = await twoEnvironments()
  expect((await new Files(root, { lockRoot }).list(new Locator(''))).map(({ key }) => key)).toEqual(['note.md'])
  const hidden = new Files(root, { lockRoot }).write(new Locator('.agentm-locks/x.md'), 'x')
  await expect(hidden).rejects.toMatchObject({ code: 'INVALID_LOCATOR' })
  expect(readFileSync(join(dirname(file), '.gitignore'), 'utf8')).toBe('*\n')
  const { root: empty, lockRoot: other } = await setup()
  await vaultMutex(empty, async () => {}, { lockRoot: other })
  expect(readdirSync(empty)).toEqual([])
})

it('takes no lock that lies at the written path and is another one: in a container the path leads elsewhere', async () => {
  const { root, lock, otherRoot, mark, file, at } = await twoEnvironments()
  rmdirSync(mark)
  mkdirSync(join(dirname(lock), 'place-another'))
  const refused = lockedUpdate(root, at('note.md'), () => 'second', { lockRoot: otherRoot })
  await expect(refused).rejects.toMatchObject({ code: 'LOCK_ELSEWHERE', recorded: lock })
  await expect(refused).rejects.toThrow(`mount ${dirname(lock)} at the same path`)
  expect(readFileSync(at('note.md'), 'utf8')).toBe('first')
  expect(await lockStanding(root, { lockRoot: otherRoot })).toMatchObject({
    kind: 'away',
    recorded: lock,
    file,
    isGivenUp: false,
  })
})

it('waits where the other place will be given up before its time is over', async () => {
  const { root, mark, otherRoot, otherLock, file } = await twoEnvironments()
  rmdirSync(mark)
  unused(file, 58)
  const began = performance.now()
  await vaultMutex(root, async () => {}, { lockRoot: otherRoot, timeoutMs: 9_000 })
  expect(performance.now() - began).toBeGreaterThan(2_000)
  expect(read(file).lock).toBe(otherLock)
})

it('gives up a place that nobody has used for a minute and that cannot be reached', async () => {
  const { root, lockRoot, lock, mark, otherRoot, otherLock, file, at } = await twoEnvironments()
  rmdirSync(mark)
  unused(file, 61)
  await lockedUpdate(root, at('note.md'), () => 'second', { lockRoot: otherRoot })
  expect(read(file).lock).toBe(otherLock)
  // Whoever used it before takes both from then on.
  await vaultMutex(root, async () => expect([lock, otherLock].every((each) => existsSync(each))).toBe(true), {
    lockRoot,
  })
})

it('refuses the write of a holder whose place was given up meanwhile', async () => {
  const { root, lockRoot, otherRoot, mark, file, at } = await twoEnvironments()
  await expect(
    vaultMutex(
      root,
      async (hold) => {
        rmdirSync(mark)
        unused(file, 61)
        await lockedUpdate(root, at('note.md'), () => 'second', { lockRoot: otherRoot })
        await atomicWrite(at('note.md'), 'late', { hold })
      },
      { lockRoot },
    ),
  ).rejects.toMatchObject({ code: 'LOCK_LOST', isMoved: true })
  expect(readFileSync(at('note.md'), 'utf8')).toBe('second')
})

it('says every few seconds that its place is used, and not with every write', async () => {
  const { root, lockRoot, file, at } = await twoEnvironments()
  const usedAt = () => nodeFileSystem.lstat(file).then(({ mtimeMs }) => Number(mtimeMs))
  unused(file, 10)
  const before = await usedAt()
  await lockedUpdate(root, at('note.md'), () => 'second', { lockRoot })
  expect(await usedAt()).toBe(before)
  unused(file, 20)
  await lockedUpdate(root, at('note.md'), () => 'third', { lockRoot })
  expect(Date.now() - (await usedAt())).toBeLessThan(9_000)
})

it('goes on at once where somebody has cleared the cache', async () => {
  const { root, home, lockRoot, lock, at, file } = await twoEnvironments()
  const { token } = read(file)
  rmSync(join(home, 'cache'), { recursive: true })
  expect(await lockedUpdate(root, at('note.md'), () => 'second', { lockRoot, timeoutMs: 100 })).toBe('second')
  expect(existsSync(join(dirname(lock), `place-${token}`))).toBe(true)
})

it('does not take a cleared place for its own where the same path may lead elsewhere', async () => {
  const { root, home, lockRoot, at } = await twoEnvironments()
  rmSync(join(home, 'cache'), { recursive: true })
  const runtime: LockRuntime = { ...nodeRuntime, surroundings: () => ({ view: 'a container', name: 'somebody' }) }
  const writing = lockedUpdate(root, at('note.md'), () => 'second', { lockRoot, runtime, timeoutMs: 100 })
  await expect(writing).rejects.toMatchObject({ code: 'LOCK_ELSEWHERE' })
})

it.each([
  ['half a text', '{ "lock": "/'],
  ['a path that is no lock', JSON.stringify({ lock: '/etc', token: 'x', view: '', by: '' })],
  ['a token that climbs', JSON.stringify({ lock: `/${'0'.repeat(64)}/lock`, token: '../..', view: '', by: '' })],
])('refuses %s until it is old, and then replaces it', async (_what, text) => {
  const { root, lockRoot, lock, file, at } = await twoEnvironments()
  writeFileSync(file, text)
  unused(file, 5)
  const refused = lockedUpdate(root, at('note.md'), () => 'second', { lockRoot })
  await expect(refused).rejects.toMatchObject({
    code: 'LOCK_ELSEWHERE',
    message: expect.stringContaining(file) as string,
  })
  unused(file, 61)
  await lockedUpdate(root, at('note.md'), () => 'second', { lockRoot })
  expect(read(file).lock).toBe(lock)
})

it('writes nothing down through a link', async () => {
  const { root, home, lockRoot, at } = await setup()
  mkdirSync(join(home, 'elsewhere'))
  symlinkSync(join(home, 'elsewhere'), at('.agentm-locks'))
  const writing = lockedUpdate(root, at('note.md'), () => 'x', { lockRoot })
  await expect(writing).rejects.toMatchObject({ code: 'LOCK_BLOCKED' })
  expect(readdirSync(join(home, 'elsewhere'))).toEqual([])
  expect(existsSync(at('note.md'))).toBe(false)
})

it('meets everybody on a disk where no file has two names', async () => {
  const { root, lockRoot, at, home } = await setup()
  const refused = Object.assign(new Error('no links here'), { code: 'EPERM' })
  const fs = { ...nodeFileSystem, link: async () => Promise.reject(refused) }
  await lockedUpdate(root, at('note.md'), () => 'x', { lockRoot, fs })
  const otherRoot = filePath(join(home, 'other', 'locks'))
  expect(await lockStanding(root, { lockRoot: otherRoot })).toMatchObject({ kind: 'both' })
  expect(readdirSync(at('.agentm-locks')).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

it('sweeps what a writer left that was killed while it wrote down its lock', async () => {
  const { root, lockRoot, at, lock }: TestWorld = await setup()
  const fs: FileSystem = {
    ...nodeFileSystem,
    link: async () => Promise.reject(new Error('killed')),
    unlink: async () => {},
  }
  await expect(lockedUpdate(root, at('note.md'), () => 'x', { lockRoot, fs })).rejects.toThrow('killed')
  expect(readdirSync(at('.agentm-locks')).some((name) => name.endsWith('.tmp'))).toBe(true)
  mkdirSync(join(dirname(lock), 'deaths'))
  await lockedUpdate(root, at('note.md'), () => 'x', { lockRoot })
  await lockedUpdate(root, at('note.md'), () => 'y', { lockRoot })
  expect(readdirSync(at('.agentm-locks')).filter((name) => name.endsWith('.tmp'))).toEqual([])
})
