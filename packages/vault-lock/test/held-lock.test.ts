import { type BigIntStats, existsSync, mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  atomicWrite,
  type FileSystem,
  nodeFileSystem,
  nodeRuntime,
  type LockRuntime,
  vaultMutex,
} from '@agentm/vault-lock'
import { expect, it } from 'vitest'
import { age, setup, namesIn } from './world.ts'
import { brokenDisk, wrappedFileSystem } from './wrapped-file-system.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A clock that can be pushed forward, as it is for a process that did not run for a while. */
function skewedRuntime(): LockRuntime & { skewMs: number } {
  return {
    ...nodeRuntime,
    skewMs: 0,
    now() {
      return Date.now() + this.skewMs
    },
    monotonic() {
      return performance.now() + this.skewMs
    },
  }
}

const moving = (stats: BigIntStats) => Object.assign(stats, { birthtimeNs: stats.ctimeNs, birthtime: stats.ctime })

/** What Node answers where the kernel keeps no birth time: another time, which moves. */
const withoutBirthTimes = (platform: NodeJS.Platform): FileSystem => ({
  ...nodeFileSystem,
  platform,
  lstat: async (path) => moving(await nodeFileSystem.lstat(path)),
  async open(...args) {
    if (platform === 'win32' && args[1] !== 'wx') throw Object.assign(new Error('no directories'), { code: 'EISDIR' })
    const file = await nodeFileSystem.open(...args)
    return { ...file, stat: async () => moving(await file.stat()) }
  },
})

it.each(['linux', 'win32'] as const)(
  'keeps its lock where the disk of a %s machine knows no birth time',
  async (of) => {
    const { root, lockRoot, lock, at } = await setup()
    const fs = withoutBirthTimes(of)
    const runtime: LockRuntime = {
      ...nodeRuntime,
      sleep: (ms, signal, options) => nodeRuntime.sleep(ms / 100, signal, options),
    }
    await vaultMutex(
      root,
      async (hold) => {
        for (let beat = 0; beat < 5; beat++) {
          await pause(30)
          await hold.check()
        }
        await atomicWrite(at('note.md'), 'new', { hold })
      },
      { lockRoot, fs, runtime },
    )
    expect(namesIn(root)).toEqual(['note.md'])
    await expect.poll(() => existsSync(lock)).toBe(false)
  },
)

it('knows by its heartbeat a successor whose directory got the very number of ours', async () => {
  const { root, lockRoot, lock } = await setup()
  await vaultMutex(
    root,
    async (hold) => {
      await hold.check()
      age(lock, -12_000)
      await expect(hold.check()).rejects.toThrow(expect.objectContaining({ code: 'LOCK_LOST' }))
    },
    { lockRoot, fs: withoutBirthTimes('win32') },
  )
  await pause(50)
  expect(existsSync(lock)).toBe(true)
})

it('touches its lock while the work runs, and nothing that has taken its place', async () => {
  const { root, lockRoot, lock } = await setup()
  const runtime: LockRuntime = {
    ...nodeRuntime,
    sleep: (ms, signal, options) => nodeRuntime.sleep(ms / 100, signal, options),
  }
  await vaultMutex(
    root,
    async (hold) => {
      for (let beat = 0; beat < 3; beat++) {
        age(lock, 8_000)
        await pause(100)
        expect(Date.now() - statSync(lock).mtimeMs).toBeLessThan(4_000)
      }
      rmdirSync(lock)
      mkdirSync(lock)
      age(lock, 8_000)
      await pause(100)
      expect(Date.now() - statSync(lock).mtimeMs).toBeGreaterThan(7_000)
      await expect(hold.check()).rejects.toThrow(expect.objectContaining({ code: 'LOCK_LOST', lockDirectory: lock }))
    },
    { lockRoot, runtime },
  )
  await pause(50)
  expect(existsSync(lock)).toBe(true)
})

it('wins its own lock back after a standstill, if nobody has taken it', async () => {
  const { root, lockRoot, lock } = await setup()
  const runtime = skewedRuntime()
  await vaultMutex(
    root,
    async (hold) => {
      runtime.skewMs = 60_000
      await Promise.all([hold.check(), hold.check()])
      expect(statSync(lock).mtimeMs).toBeGreaterThan(Date.now() + 50_000)
      expect(readdirSync(dirname(lock)).filter((name) => !/^(making|place)-/.test(name))).toEqual(['lock'])
    },
    { lockRoot, runtime },
  )
})

it('gives its lock up after a standstill when somebody is about to take it', async () => {
  const { root, lockRoot, lock } = await setup()
  const runtime = skewedRuntime()
  const served: string[] = []
  const first = vaultMutex(
    root,
    async (hold) => {
      runtime.skewMs = 60_000
      const { dev, ino, mtimeNs } = statSync(lock, { bigint: true })
      mkdirSync(join(dirname(lock), `dead-${dev}-${ino}-${mtimeNs}.0`))
      // The claim is as young as everything else to a process whose clock has moved on.
      age(join(dirname(lock), `dead-${dev}-${ino}-${mtimeNs}.0`), -60_000)
      await hold.check()
    },
    { lockRoot, runtime },
  )
  const second = vaultMutex(root, async () => void served.push('second'), { lockRoot, runtime, timeoutMs: 300 })
  await expect(first).rejects.toThrow(expect.objectContaining({ code: 'LOCK_LOST' }))
  // Still there: who claimed it removes it.
  await expect(second).rejects.toThrow(expect.objectContaining({ code: 'LOCK_TIMEOUT' }))
  expect(served).toEqual([])
  expect(existsSync(lock)).toBe(true)
})

it('serves those who waited behind a lost lock with a new one', async () => {
  const { root, lockRoot, lock } = await setup()
  const lost = vaultMutex(
    root,
    async (hold) => {
      rmdirSync(lock)
      await hold.check()
    },
    { lockRoot },
  )
  const others = [1, 2, 3].map((i) =>
    vaultMutex(
      root,
      async (hold) => {
        await hold.check()
        return i
      },
      { lockRoot },
    ),
  )
  await expect(lost).rejects.toThrow(expect.objectContaining({ code: 'LOCK_LOST' }))
  await expect(Promise.all(others)).resolves.toEqual([1, 2, 3])
})

it('writes nothing through a hold that is lost', async () => {
  const { root, lockRoot, lock, at } = await setup()
  await atomicWrite(at('note.md'), 'old')
  const write = vaultMutex(
    root,
    async (hold) => {
      rmdirSync(lock)
      await atomicWrite(at('note.md'), 'new', { hold })
    },
    { lockRoot },
  )
  await expect(write).rejects.toThrow(expect.objectContaining({ code: 'LOCK_LOST' }))
  expect(namesIn(root)).toEqual(['note.md'])
})

it('leaves no lock and no open file, whichever call of the lock fails', async () => {
  const { root, lockRoot, lock } = await setup()
  await vaultMutex(root, async () => {}, { lockRoot })
  await pause(50)
  const open = readdirSync('/proc/self/fd').length
  let reached = true
  let failed = 0
  for (let failing = 1; reached; failing++) {
    let calls = 0
    const fs = wrappedFileSystem(() => {
      if (++calls === failing) throw brokenDisk()
    })
    const taken = vaultMutex(root, (hold) => hold.check(), { lockRoot, fs })
    await taken.catch((error: unknown) => {
      failed++
      if ((error as { code?: unknown }).code !== 'EIO') throw error
    })
    await vaultMutex(root, async () => {}, { lockRoot, timeoutMs: 9_000 })
    // The lock lingers for a moment, and longer on a busy machine.
    await expect.poll(() => existsSync(lock), { interval: 10 }).toBe(false)
    reached = calls >= failing
  }
  expect(failed).toBeGreaterThan(3)
  // What other tests of this process left to close may close meanwhile: never more than before.
  await expect.poll(() => readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(open)
})

it('does not take a directory for its own that it was too slow to open', async () => {
  const { root, lockRoot, lock } = await setup()
  const runtime = skewedRuntime()
  let slow = true
  const fs = {
    ...nodeFileSystem,
    async open(...args: Parameters<typeof nodeFileSystem.open>) {
      if (slow && args[0] === lock) {
        // Stopped for so long that another process took the lock over and holds it now.
        slow = false
        runtime.skewMs = 11_000
        rmdirSync(lock)
        mkdirSync(lock)
        age(lock, -11_000)
      }
      return nodeFileSystem.open(...args)
    },
  }
  await expect(vaultMutex(root, async () => 'in', { lockRoot, fs, runtime, timeoutMs: 200 })).rejects.toThrow(
    expect.objectContaining({ code: 'LOCK_TIMEOUT' }),
  )
  expect(existsSync(lock)).toBe(true)
})
