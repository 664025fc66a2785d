import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type MutexOptions, nodeFileSystem, nodeRuntime, vaultMutex } from '@agentm/vault-lock'
import { expect, it, onTestFinished, type TestContext } from 'vitest'
import { announcedMs, heartbeat, type ProcessName } from '../src/pure/process-name.ts'
import { setup } from './world.ts'

/** The name of this process; where there is none (other than on Linux), the reason to skip. */
function nameOf(context: TestContext): ProcessName {
  const self = nodeRuntime.processes.self()
  if (self === undefined) context.skip('no process here can say when another has ended')
  return self
}

function plantNamed(lock: string, name: ProcessName): void {
  mkdirSync(lock, { recursive: true })
  sign(lock, name)
}

function sign(place: string, name: ProcessName): void {
  const { accessed, modified } = heartbeat(Date.now(), name)
  utimesSync(place, accessed, modified)
}

const aSecond: MutexOptions = { timeoutMs: 1_000 }

it('takes over from a killed holder at once', async (context) => {
  nameOf(context)
  const { root, lockRoot, lock, start, at } = await setup()
  const holder = start('holder', root, at('note.md'))
  expect(await holder.next()).toBe('in')
  holder.process.kill('SIGKILL')
  await holder.exit()
  expect(existsSync(lock)).toBe(true)
  const killed = performance.now()
  await expect(vaultMutex(root, async () => 'in', { lockRoot })).resolves.toBe('in')
  expect(performance.now() - killed).toBeLessThan(5_000)
})

it('takes over from a process whose number another one has by now', async (context) => {
  const self = nameOf(context)
  const { root, lockRoot, lock } = await setup()
  for (const pid of [self.pid, process.ppid]) {
    plantNamed(lock, { ...self, pid, start: (self.start + 500) % 1000 })
    // The parent of a test may be as old as any number says, by a chance of one in a thousand.
    await expect(vaultMutex(root, async () => 'in', { ...aSecond, lockRoot })).resolves.toBe('in')
  }
})

it('takes over from a process that has ended although nobody has asked for its exit code', async (context) => {
  const self = nameOf(context)
  const { root, lockRoot, lock } = await setup()
  // The shell becomes a program that never asks what became of its children.
  const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'])
  onTestFinished(() => void parent.kill('SIGKILL'))
  const pid = await new Promise<number>((resolve) => parent.stdout.once('data', (data) => resolve(Number(data))))
  plantNamed(lock, { ...self, pid, start: startOf(pid) })
  await expect(vaultMutex(root, async () => 'in', { lockRoot, timeoutMs: 8_000 })).resolves.toBe('in')
  expect(parent.exitCode).toBeNull()
  expect(() => process.kill(pid, 0)).not.toThrow()
})

function startOf(pid: number): number {
  for (let start = 0; start < 1000; start++) {
    const { processes } = nodeRuntime
    if (!processes.hasEnded({ ...(processes.self() as ProcessName), pid, start })) return start
  }
  throw new Error(`${pid} is not there`)
}

it.each([
  ['lives', (self: ProcessName) => self],
  ['is of another machine or container', (self: ProcessName) => ({ ...self, pid: 2 ** 22 - 1, table: self.table ^ 1 })],
])('waits for a holder that %s', async (_what, named) => {
  const { root, lockRoot, lock } = await setup()
  const self = nodeRuntime.processes.self() ?? { pid: 1, table: 1, start: 1 }
  plantNamed(lock, named(self))
  const refused = vaultMutex(root, async () => {}, { lockRoot, timeoutMs: 100 })
  await expect(refused).rejects.toThrow(expect.objectContaining({ code: 'LOCK_TIMEOUT' }))
  expect(existsSync(lock)).toBe(true)
})

it('waits for a dead holder whose name is lost, as for one that gives none', async (context) => {
  const self = nameOf(context)
  const { root, lockRoot, lock } = await setup()
  plantNamed(lock, { ...self, pid: 2 ** 22 - 1 })
  const now = Date.now() / 1000
  utimesSync(lock, now, now)
  const refused = vaultMutex(root, async () => {}, { lockRoot, timeoutMs: 100 })
  await expect(refused).rejects.toThrow(expect.objectContaining({ code: 'LOCK_TIMEOUT' }))
})

/** Who made it was stopped before it could say who it is; these are about to make something, or were. */
function plantUnnamed(lock: string, makers: readonly { readonly name: ProcessName; readonly isUp: boolean }[]): void {
  for (const [i, { name, isUp }] of makers.entries()) {
    const place = join(dirname(lock), `making-${i}`)
    mkdirSync(place, { recursive: true })
    const { accessed, modified } = heartbeat(announcedMs(Date.now(), isUp), name)
    utimesSync(place, accessed, modified)
  }
  mkdirSync(lock)
  chmodSync(lock, 0o1755)
}

it('takes over at once from a process that was killed between making the lock and naming it', async (context) => {
  const self = nameOf(context)
  const { root, lockRoot, lock } = await setup()
  const gone = { ...self, pid: 2 ** 22 - 1 }
  // Another process is here, and is not making anything.
  plantUnnamed(lock, [
    { name: gone, isUp: true },
    { name: self, isUp: false },
  ])
  await expect(vaultMutex(root, async () => 'in', { ...aSecond, lockRoot })).resolves.toBe('in')
})

it('takes over at once from a process that was killed while another one cleared away after the dead', async (context) => {
  const self = nameOf(context)
  const { root, lockRoot, lock } = await setup()
  const gone = { ...self, pid: 2 ** 22 - 1 }
  plantNamed(lock, gone)
  let hasDied = false
  const fs = {
    ...nodeFileSystem,
    async rmdir(place: string) {
      await nodeFileSystem.rmdir(place)
      // The dead holder's lock is gone; the next one makes its own, and is killed before it can name it.
      if (place !== lock || hasDied) return
      hasDied = true
      plantUnnamed(lock, [{ name: gone, isUp: true }])
    },
  }
  await expect(vaultMutex(root, async () => 'in', { ...aSecond, lockRoot, fs })).resolves.toBe('in')
  expect(hasDied).toBe(true)
})

it.each([
  ['some process is just making one', (self: ProcessName, gone: ProcessName) => [gone, self]],
  [
    'some process of another container is just making one',
    (self: ProcessName, gone: ProcessName) => [gone, { ...gone, table: self.table ^ 1 }],
  ],
  ['nobody here has made one', () => []],
])('waits for an unnamed lock while %s', async (_what, makers) => {
  const { root, lockRoot, lock } = await setup()
  const self = nodeRuntime.processes.self() ?? { pid: 1, table: 1, start: 1 }
  mkdirSync(dirname(lock), { recursive: true })
  plantUnnamed(
    lock,
    makers(self, { ...self, pid: 2 ** 22 - 1 }).map((name) => ({ name, isUp: true })),
  )
  const refused = vaultMutex(root, async () => {}, { lockRoot, timeoutMs: 100 })
  await expect(refused).rejects.toThrow(expect.objectContaining({ code: 'LOCK_TIMEOUT' }))
})

it('waits for an unnamed lock of a program that gives no names, whoever else has died', async (context) => {
  const self = nameOf(context)
  const { root, lockRoot, lock } = await setup()
  plantUnnamed(lock, [{ name: { ...self, pid: 2 ** 22 - 1 }, isUp: true }])
  chmodSync(lock, 0o755)
  const refused = vaultMutex(root, async () => {}, { lockRoot, timeoutMs: 100 })
  await expect(refused).rejects.toThrow(expect.objectContaining({ code: 'LOCK_TIMEOUT' }))
})

it('takes its announcement away soon after the last lock', async () => {
  const { root, lockRoot, lock } = await setup()
  await vaultMutex(root, async () => {}, { lockRoot })
  await expect.poll(() => readdirSync(dirname(lock)), { interval: 10 }).toEqual([])
})

it('outvotes at once the winner of an election that was killed', async (context) => {
  const self = nameOf(context)
  const { root, lockRoot, lock } = await setup()
  const gone = { ...self, pid: 2 ** 22 - 1 }
  plantNamed(lock, gone)
  const { dev, ino, mtimeNs } = statSync(lock, { bigint: true })
  const claim = join(dirname(lock), `dead-${dev}-${ino}-${mtimeNs}.0`)
  mkdirSync(claim)
  sign(claim, gone)
  await expect(vaultMutex(root, async () => 'in', { ...aSecond, lockRoot })).resolves.toBe('in')
})

it('gives no name where others may write the disk too, or where it keeps no such times', async () => {
  const { root, lockRoot, lock } = await setup()
  const far = { ...nodeFileSystem, isOurs: async () => false }
  const coarse = {
    ...nodeFileSystem,
    async open(...args: Parameters<typeof nodeFileSystem.open>) {
      const file = await nodeFileSystem.open(...args)
      return { ...file, utimes: (a: number, m: number) => file.utimes(Math.floor(a), Math.floor(m)) }
    },
  }
  for (const fs of [far, coarse])
    await vaultMutex(
      root,
      async (hold) => {
        await hold.check()
        expect(statSync(lock).atime.getFullYear()).toBeGreaterThan(2020)
      },
      { lockRoot, fs },
    )
})

it.each(['vaultMutex', 'lockedUpdate', 'write', 'update'])(
  'has given the lock back when %s resolves: a child that writes next does not wait',
  async (how) => {
    const { root, start } = await setup()
    expect(await start('next-writer', root, how).next()).toBeLessThan(5_000)
  },
)
