import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  filePath,
  lockDirectory,
  type Hold,
  nodeFileSystem,
  nodeRuntime,
  type LockRuntime,
  vaultMutex,
} from '@agentm/vault-lock'
import { expect, it } from 'vitest'
import { plantLock, setup } from './world.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const listeners = () => ['SIGTERM', 'SIGINT', 'SIGHUP', 'exit'].map((event) => process.listenerCount(event))

it('lets one caller in at a time, in the order they came, on one acquisition', async () => {
  const { root, lockRoot, lock } = await setup()
  let made = 0
  const fs = {
    ...nodeFileSystem,
    mkdir: async (path: string, options?: { recursive?: boolean }) => {
      if (path === lock) made++
      return nodeFileSystem.mkdir(path, options)
    },
  }
  let inside = 0
  const order: number[] = []
  const work = (i: number) => async () => {
    expect(++inside).toBe(1)
    await Promise.resolve()
    order.push(i)
    inside--
    return i
  }
  const all = Array.from({ length: 300 }, (_, i) => i)
  const answers = await Promise.all(all.map((i) => vaultMutex(root, work(i), { lockRoot, fs })))
  expect(answers).toEqual(all)
  expect(order).toEqual(all)
  // The first try finds no directory to put the lock in.
  expect(made).toBe(2)
})

it('gives the lock back soon after the last caller, and keeps it while work runs', async () => {
  const { root, lockRoot, lock } = await setup()
  await vaultMutex(root, async () => expect(existsSync(lock)).toBe(true), { lockRoot })
  await expect.poll(() => readdirSync(dirname(lock)), { interval: 10 }).toEqual([])
})

it('passes on what the work answers and throws, and goes on after a failure', async () => {
  const { root, lockRoot } = await setup()
  const failing = vaultMutex(
    root,
    () => {
      throw new RangeError('before it began')
    },
    { lockRoot },
  )
  const next = vaultMutex(root, async () => 'fine', { lockRoot })
  await expect(failing).rejects.toThrow(RangeError)
  await expect(next).resolves.toBe('fine')
})

it('does not wait for itself when the hold is passed on, and times out when it is not', async () => {
  const { root, lockRoot, home } = await setup()
  const other = filePath(join(home, 'other'))
  await vaultMutex(
    root,
    async (hold) => {
      expect(await vaultMutex(root, async (same) => same === hold, { lockRoot, within: hold })).toBe(true)
      expect(await vaultMutex(other, async (own) => own.root, { lockRoot, within: hold })).toBe(other)
      const forgotten = vaultMutex(root, async () => {}, { lockRoot, timeoutMs: 30 })
      await expect(forgotten).rejects.toThrow(expect.objectContaining({ code: 'LOCK_TIMEOUT', timeoutMs: 30 }))
      await expect(forgotten).rejects.toThrow(/`within`/)
    },
    { lockRoot },
  )
})

it('refuses a hold whose work has ended', async () => {
  const { root, lockRoot } = await setup()
  const kept: Hold = await vaultMutex(root, async (hold) => hold, { lockRoot })
  await expect(kept.check()).rejects.toThrow(expect.objectContaining({ code: 'LOCK_LOST' }))
  await expect(vaultMutex(root, async () => {}, { lockRoot, within: kept })).rejects.toThrow(/has ended/)
})

it('waits no longer than asked, and says how old the heartbeat is', async () => {
  const { root, lockRoot, lock } = await setup()
  plantLock(lock, 3_000)
  const started = performance.now()
  const refused = vaultMutex(root, async () => {}, { lockRoot, timeoutMs: 120 })
  await expect(refused).rejects.toThrow(expect.objectContaining({ code: 'LOCK_TIMEOUT', lockDirectory: lock }))
  await expect(refused).rejects.toThrow(/heartbeat was [3-9]\.\d\d s ago, dead after 10 s/)
  expect(performance.now() - started).toBeLessThan(6_000)
  await expect(vaultMutex(root, async () => {}, { lockRoot, timeoutMs: 0 })).rejects.toThrow(/within 0 ms/)
  expect(existsSync(lock)).toBe(true)
})

it('takes a free lock also with no time to wait', async () => {
  const { root, lockRoot } = await setup()
  await expect(vaultMutex(root, async () => 'in', { lockRoot, timeoutMs: 0 })).resolves.toBe('in')
})

it('stops waiting when the signal aborts, behind this process and behind another', async () => {
  const { root, lockRoot, lock } = await setup()
  const reason = new Error('enough')
  await vaultMutex(
    root,
    async () => {
      const stop = new AbortController()
      const waiting = vaultMutex(root, async () => {}, { lockRoot, signal: stop.signal })
      setTimeout(() => stop.abort(reason), 10)
      await expect(waiting).rejects.toBe(reason)
      await expect(vaultMutex(root, async () => {}, { lockRoot, signal: stop.signal })).rejects.toBe(reason)
    },
    { lockRoot },
  )
  await pause(50)
  plantLock(lock, 0)
  const stop = new AbortController()
  const waiting = vaultMutex(root, async () => {}, { lockRoot, signal: stop.signal })
  setTimeout(() => stop.abort(reason), 10)
  await expect(waiting).rejects.toBe(reason)
})

it('takes over the lock of a dead holder, and leaves nothing of the election', async () => {
  const { root, lockRoot, lock } = await setup()
  plantLock(lock, 11_000)
  await expect(vaultMutex(root, async () => 'in', { lockRoot, timeoutMs: 8_000 })).resolves.toBe('in')
  await pause(50)
  expect(readdirSync(dirname(lock)).filter((name) => name === 'lock' || name.startsWith('dead-'))).toEqual([])
})

it('outvotes the winner of an election who died', async () => {
  const { root, lockRoot, lock } = await setup()
  plantLock(lock, 60_000)
  const stats = await nodeFileSystem.lstat(lock)
  const claim = join(dirname(lock), `dead-${stats.dev}-${stats.ino}-${stats.mtimeNs}.0`)
  mkdirSync(claim)
  await expect(vaultMutex(root, async () => {}, { lockRoot, timeoutMs: 100 })).rejects.toThrow(/LOCK|free within/)
  utimesSync(claim, Date.now() / 1000 - 20, Date.now() / 1000 - 20)
  await expect(vaultMutex(root, async () => 'in', { lockRoot, timeoutMs: 8_000 })).resolves.toBe('in')
})

it('outvotes a dead winner also when the clock was set back since', async () => {
  const { root, lockRoot, lock } = await setup()
  plantLock(lock, 60_000)
  const stats = await nodeFileSystem.lstat(lock)
  const claim = join(dirname(lock), `dead-${stats.dev}-${stats.ino}-${stats.mtimeNs}.0`)
  mkdirSync(claim)
  utimesSync(claim, Date.now() / 1000 + 3600, Date.now() / 1000 + 3600)
  await expect(vaultMutex(root, async () => 'in', { lockRoot, timeoutMs: 8_000 })).resolves.toBe('in')
})

it.each([
  ['a file', (lock: string) => writeFileSync(lock, '')],
  ['a symbolic link to a directory', (lock: string) => symlinkSync(dirname(lock), lock)],
  ['a dangling link', (lock: string) => symlinkSync('/nowhere', lock)],
  [
    'a stale directory with something in it',
    (lock: string) => {
      mkdirSync(join(lock, 'inside'), { recursive: true })
      utimesSync(lock, 1, 1)
    },
  ],
])('says at once that the lock is %s, and leaves it', async (_what, plant) => {
  const { root, lockRoot, lock } = await setup()
  mkdirSync(dirname(lock), { recursive: true })
  plant(lock)
  const started = performance.now()
  const refused = vaultMutex(root, async () => {}, { lockRoot })
  await expect(refused).rejects.toThrow(expect.objectContaining({ code: 'LOCK_BLOCKED', lockDirectory: lock }))
  await expect(refused).rejects.toThrow(/empty directory/)
  expect(performance.now() - started).toBeLessThan(9_000)
  expect(readdirSync(dirname(lock))).toContain('lock')
})

it('says what to do when the lock root is no directory', async () => {
  const { root, home } = await setup()
  writeFileSync(join(home, 'file'), '')
  const refused = vaultMutex(root, async () => {}, { lockRoot: filePath(join(home, 'file', 'locks')) })
  await expect(refused).rejects.toThrow(expect.objectContaining({ code: 'LOCK_BLOCKED' }))
  // Another XDG_CACHE_HOME would part this process from those of the Python implementation.
  await expect(refused).rejects.not.toThrow(/XDG_CACHE_HOME/)
  await expect(refused).rejects.toThrow(/Make .*locks a directory you may write to/)
})

it('survives the removal of the directory the lock lies in', async () => {
  const { root, lockRoot, lock } = await setup()
  await vaultMutex(root, async () => {}, { lockRoot })
  await pause(50)
  rmSync(dirname(lock), { recursive: true })
  await expect(vaultMutex(root, async () => 'in', { lockRoot })).resolves.toBe('in')
})

it('takes over a lock from the future only when nobody touches it', { timeout: 20_000 }, async () => {
  const { root, lockRoot, lock } = await setup()
  plantLock(lock, -3_600_000)
  // Twenty times as fast as the wall clock.
  const runtime: LockRuntime = {
    ...nodeRuntime,
    monotonic: () => 20 * performance.now(),
    sleep: (ms, signal, options) => nodeRuntime.sleep(ms / 20, signal, options),
  }
  await expect(vaultMutex(root, async () => 'in', { lockRoot, timeoutMs: 2_000, runtime })).rejects.toThrow(
    /3599\.\d\d s in the future/,
  )
  expect(existsSync(lock)).toBe(true)
  await expect(vaultMutex(root, async () => 'in', { lockRoot, timeoutMs: 100_000, runtime })).resolves.toBe('in')
})

it('gives one lock to all spellings of a root, also before the root exists', async () => {
  const { root, lockRoot, home } = await setup()
  symlinkSync(root, join(home, 'link'))
  const missing = filePath(join(home, 'link', 'not', 'yet'))
  const before = await lockDirectory(missing, lockRoot)
  const spellings = [`${root}/not/yet`, `${home}//link/./not/yet/`, `${home}/link/x/../not/yet`]
  for (const spelling of spellings) expect(await lockDirectory(filePath(spelling), lockRoot)).toBe(before)
  mkdirSync(missing, { recursive: true })
  expect(await lockDirectory(missing, lockRoot)).toBe(before)
  expect(readdirSync(home)).not.toContain('cache')
})

it('stops listening for signals some time after the last lock, taken or not', async () => {
  const { root, lockRoot, lock } = await setup()
  // Those of the tests before this one go first.
  let before: number[] = []
  for (let now = listeners(); now.join() !== before.join(); now = listeners()) {
    before = now
    await pause(1_300)
  }
  await vaultMutex(root, async () => expect(listeners()).toEqual(before.map((count) => count + 1)), { lockRoot })
  await expect.poll(() => listeners()).toEqual(before)
  plantLock(lock, 0)
  await expect(vaultMutex(root, async () => {}, { lockRoot, timeoutMs: 20 })).rejects.toThrow(/free within/)
  await expect.poll(() => listeners()).toEqual(before)
})
