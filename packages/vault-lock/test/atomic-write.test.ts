import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import {
  atomicWrite,
  type FileSystem,
  nodeFileSystem,
  nodeRuntime,
  type LockRuntime,
  vaultMutex,
} from '@agentm/vault-lock'
import { expect, it } from 'vitest'
import { openDirectory } from '../src/open-directory.ts'
import { age, namesIn, setup } from './world.ts'
import { brokenDisk, wrappedFileSystem } from './wrapped-file-system.ts'

it('writes text and bytes as they are, and makes the directories above', async () => {
  const { at } = await setup()
  const text = '\ufeffone\r\ntwo\n\u{1f600}'
  await atomicWrite(at('a/b/c.md'), text)
  expect(readFileSync(at('a/b/c.md'))).toEqual(Buffer.from(text))
  await atomicWrite(at('a/b/c.md'), new Uint8Array([0, 255, 128]))
  expect([...readFileSync(at('a/b/c.md'))]).toEqual([0, 255, 128])
  expect(readdirSync(at('a/b'))).toEqual(['c.md'])
})

it('keeps the permissions of the file it replaces, and takes those it is given', async () => {
  const { at } = await setup()
  const target = at('note.md')
  await atomicWrite(target, 'new')
  expect(statSync(target).mode & 0o777).toBe(0o666 & ~process.umask())
  for (const mode of [0o600, 0o640, 0o777]) {
    chmodSync(target, mode)
    await atomicWrite(target, 'kept')
    expect(statSync(target).mode & 0o777).toBe(mode)
  }
  await atomicWrite(target, 'given', { mode: 0o600 })
  expect(statSync(target).mode & 0o777).toBe(0o600)
})

it('refuses a link, dangling or not, and touches neither it nor what it points at', async () => {
  const { at } = await setup()
  writeFileSync(at('file'), 'old')
  symlinkSync('file', at('link'))
  symlinkSync('nowhere', at('dangling'))
  for (const name of ['link', 'dangling'])
    for (const options of [{}, { mode: 0o600 }])
      await expect(atomicWrite(at(name), 'new', options)).rejects.toThrow(
        expect.objectContaining({ code: 'NOT_REPLACEABLE', what: 'a symbolic link', target: at(name) }),
      )
  expect(readFileSync(at('file'), 'utf8')).toBe('old')
  expect(namesIn(at('.')).toSorted()).toEqual(['dangling', 'file', 'link'])
})

it('refuses a directory, and text with half a character, and leaves nothing behind', async () => {
  const { at } = await setup()
  mkdirSync(at('directory'))
  await expect(atomicWrite(at('directory'), 'new')).rejects.toThrow(expect.objectContaining({ what: 'a directory' }))
  await expect(atomicWrite(at('note.md'), 'half \ud800')).rejects.toThrow(
    expect.objectContaining({ code: 'INVALID_TEXT' }),
  )
  expect(namesIn(at('.'))).toEqual(['directory'])
})

it('writes names as long as the file system allows', async () => {
  const { at } = await setup()
  const name = `${'n'.repeat(252)}.md`
  await atomicWrite(at(name), 'long')
  expect(namesIn(at('.'))).toEqual([name])
})

it('never lets a reader see half of a text, whoever else writes', async () => {
  const { at } = await setup()
  const target = at('note.md')
  const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(100_000))
  await atomicWrite(target, texts[0] ?? '')
  const writers = texts.map(async (text) => {
    for (let i = 0; i < 15; i++) await atomicWrite(target, text)
  })
  const done = new AbortController()
  const reader = (async () => {
    while (!done.signal.aborted)
      expect(texts).toContain(new TextDecoder().decode(await nodeFileSystem.readFile(target)))
  })()
  await Promise.all(writers)
  done.abort()
  await reader
  expect(namesIn(at('.'))).toEqual(['note.md'])
})

it('retries a rename that Windows refuses while somebody has the file open, and gives up in the end', async () => {
  const { at } = await setup()
  let refusals = 3
  const fs: FileSystem = {
    ...nodeFileSystem,
    platform: 'win32',
    rename: async (from, to) => {
      if (refusals-- > 0) throw Object.assign(new Error('open elsewhere'), { code: 'EPERM' })
      await nodeFileSystem.rename(from, to)
    },
  }
  await atomicWrite(at('note.md'), 'in the end', { fs })
  expect(readFileSync(at('note.md'), 'utf8')).toBe('in the end')
  refusals = Infinity
  let now = 0
  const runtime = {
    now: () => now,
    monotonic: () => (now += 100),
    sleep: async () => {},
    random: () => 0,
    newId: () => 'x',
    processes: nodeRuntime.processes,
    surroundings: nodeRuntime.surroundings,
  }
  await expect(atomicWrite(at('note.md'), 'never', { fs, runtime })).rejects.toThrow('open elsewhere')
  expect(namesIn(at('.'))).toEqual(['note.md'])
})

it('leaves the old file and nothing else, whichever call fails first', async () => {
  const { at, root, lockRoot } = await setup()
  const target = at('deep/note.md')
  await atomicWrite(target, 'old')
  const failures: unknown[] = []
  let reached = true
  for (let failing = 1; reached; failing++) {
    let calls = 0
    const fs = wrappedFileSystem(() => {
      if (++calls === failing) throw brokenDisk()
    })
    const write = vaultMutex(root, (hold) => atomicWrite(target, 'new', { hold, fs }), { lockRoot })
    const failure = await write.then(
      () => undefined,
      (error: unknown) => error,
    )
    failures.push(failure)
    reached = calls >= failing
    expect(readdirSync(at('deep'))).toEqual(['note.md'])
    expect(failure === undefined ? ['new'] : ['old', 'new']).toContain(readFileSync(target, 'utf8'))
    await atomicWrite(target, 'old')
  }
  // Only the janitor's own faults are forgiven, and the last round has none.
  expect(failures.filter((failure) => failure === undefined).length).toBeLessThan(4)
  expect(failures.length).toBeGreaterThan(9)
})

it('sweeps what dead writers left: their own under the lock at once, all other after an hour', async () => {
  const { at, root, lockRoot } = await setup()
  let own = ''
  await vaultMutex(
    root,
    async (hold) => {
      const fs = {
        ...nodeFileSystem,
        rename: async (from: string) => {
          own = from
          throw new Error('stop')
        },
        unlink: async () => {},
      }
      await atomicWrite(at('first'), 'x', { hold, fs }).catch(() => {})
    },
    { lockRoot },
  )
  const old = `note.md.4711.${'ab'.repeat(16)}.tmp`
  const fresh = `note.md.4712.${'cd'.repeat(16)}.tmp`
  const theirs = `.~agentm-0123456789-id.tmp`
  const abandoned = `.~agentm-unlocked00-id.tmp`
  for (const name of [old, fresh, theirs, abandoned, 'draft.tmp']) writeFileSync(at(name), 'x')
  for (const name of [old, abandoned, 'draft.tmp']) age(at(name), 3_700_000)
  mkdirSync(at('sub'))
  expect(existsSync(own)).toBe(true)
  // Whoever has the lock of another directory knows nothing of the writers of this one.
  await vaultMutex(at('sub'), (hold) => atomicWrite(at('note.md'), 'x', { hold }), { lockRoot })
  expect(existsSync(own)).toBe(true)
  expect(namesIn(at('.'))).toContain(fresh)
  expect(namesIn(at('.'))).not.toContain(old)
  await vaultMutex(root, (hold) => atomicWrite(at('sub/other'), 'x', { hold }), { lockRoot })
  expect(namesIn(at('.')).toSorted()).toEqual(
    [theirs, own.slice(root.length + 1), 'draft.tmp', 'note.md', fresh, 'sub'].toSorted(),
  )
})

it('puts the way to a directory on the disk that somebody made and did not live to sync', async () => {
  const { at, root, lockRoot } = await setup()
  mkdirSync(at('made/by/another'), { recursive: true })
  const synced: string[] = []
  const fs: FileSystem = {
    ...nodeFileSystem,
    async open(path, flags, mode) {
      const file = await nodeFileSystem.open(path, flags, mode)
      return { ...file, sync: () => file.sync().then(() => void (flags === 'r' && synced.push(path))) }
    },
    ...(nodeFileSystem.openDirectory !== undefined && {
      async openDirectory(path) {
        const directory = await openDirectory(path, nodeFileSystem)
        return { ...directory, sync: () => directory.sync().then(() => void synced.push(path)) }
      },
    }),
  }
  const write = () =>
    vaultMutex(root, (hold) => atomicWrite(at('made/by/another/note.md'), 'text', { hold, fs }), { lockRoot })
  await write()
  expect(synced).toEqual([at('made/by/another'), at('made/by'), at('made'), root, dirname(root)])
  await write()
  expect(synced.slice(5)).toEqual([at('made/by/another')])
})

it('asks for its lock once more when it stood still over the answer', async () => {
  const { at, root, lockRoot, lock } = await setup()
  await atomicWrite(at('note.md'), 'theirs')
  let skewMs = 0
  const runtime: LockRuntime = { ...nodeRuntime, monotonic: () => performance.now() + skewMs }
  const write = vaultMutex(
    root,
    (hold) =>
      atomicWrite(at('note.md'), 'mine', {
        hold,
        runtime,
        confirm: async () => {
          // The lock was there when it was asked for; then this process stands still, and another takes over.
          await new Promise((resolve) => setTimeout(resolve, 50))
          skewMs = 60_000
          rmdirSync(lock)
        },
      }),
    { lockRoot, runtime },
  )
  await expect(write).rejects.toThrow(expect.objectContaining({ code: 'LOCK_LOST' }))
  expect(readFileSync(at('note.md'), 'utf8')).toBe('theirs')
  expect(namesIn(at('.'))).toEqual(['note.md'])
})
