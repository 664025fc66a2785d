import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { atomicWrite, vaultMutex } from '@agentm/vault-lock'
import { expect, it } from 'vitest'
import { killRounds } from './kill-rounds.ts'
import { staleLockRounds } from './stale-lock-rounds.ts'
import { age, setup, namesIn } from './world.ts'

const programOf = (name: string) => join(import.meta.dirname, 'children', name)

it('loses no update of five processes that count up one file', async () => {
  const { root, start, at } = await setup()
  const children = Array.from({ length: 5 }, () => start('increment', root, at('counter'), '40'))
  for (const child of children) expect(await child.exit()).toEqual({ code: 0, signal: null })
  expect(readFileSync(at('counter'), 'utf8')).toBe('200')
  expect(namesIn(root)).toEqual(['counter'])
})

it('writes where the kernel has no statx, as old kernels and some containers', async (context) => {
  const { root, home, at } = await setup()
  const env = { ...process.env, HOME: home, XDG_CACHE_HOME: join(home, 'cache') }
  const wrapped = (...command: string[]) =>
    spawnSync('python3', [programOf('without-statx.py'), process.execPath, ...command], { env, encoding: 'utf8' })
  if (process.platform !== 'linux' || wrapped('--version').status !== 0)
    context.skip('no Linux with python3 that may filter system calls')
  expect(wrapped(programOf('increment.mjs'), root, at('counter'), '5')).toMatchObject({ status: 0, stderr: '' })
  expect(readFileSync(at('counter'), 'utf8')).toBe('5')
})

it('takes over from a killed holder once its heartbeat is old', async () => {
  const { root, lockRoot, lock, start, at } = await setup()
  const holder = start('holder', root, at('note.md'))
  expect(await holder.next()).toBe('in')
  await expect(vaultMutex(root, async () => {}, { lockRoot, timeoutMs: 50 })).rejects.toThrow(/free within/)
  holder.process.kill('SIGKILL')
  await holder.exit()
  age(lock, 4_000)
  await expect(vaultMutex(root, async () => {}, { lockRoot, timeoutMs: 50 })).rejects.toThrow(/[4-9]\.\d\d s ago/)
  age(lock, 10_001)
  await expect(vaultMutex(root, async () => 'in', { lockRoot, timeoutMs: 8_000 })).resolves.toBe('in')
})

it('refuses the write of a holder that was stopped while another took over', async () => {
  const { root, lockRoot, lock, start, at } = await setup()
  const first = start('holder', root, at('note.md'))
  await first.next()
  first.process.kill('SIGSTOP')
  age(lock, 10_001)
  await vaultMutex(
    root,
    async (hold) => {
      await atomicWrite(at('note.md'), 'from the second holder', { hold })
      first.process.kill('SIGCONT')
      first.process.send('write')
      expect(await first.next()).toBe('LOCK_LOST')
      await first.exit()
      // Its release has not removed what is ours.
      await hold.check()
    },
    { lockRoot },
  )
  expect(readFileSync(at('note.md'), 'utf8')).toBe('from the second holder')
  expect(namesIn(root)).toEqual(['note.md'])
})

it('lets a holder that was stopped go on when nobody took over', async () => {
  const { root, start, at } = await setup()
  const holder = start('holder', root, at('note.md'))
  await holder.next()
  holder.process.kill('SIGSTOP')
  holder.process.kill('SIGCONT')
  holder.process.send('write')
  expect(await holder.next()).toBe('written')
})

it('has one winner when six processes meet a dead lock', async () => {
  expect(await staleLockRounds(25, 'vaultMutex')).toBe(0)
})

it('survives writers killed while they write: nothing torn, nothing left after the next write', async () => {
  const damage = await killRounds(12)
  expect(damage).toMatchObject({ torn: 0, stray: 0 })
  expect(damage.left).toBeGreaterThan(0)
})

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'dies of %s as if we were not there, and leaves no lock',
  async (signal) => {
    const { root, lock, start, at } = await setup()
    const holder = start('holder', root, at('note.md'))
    await holder.next()
    expect(existsSync(lock)).toBe(true)
    holder.process.kill(signal)
    expect(await holder.exit()).toEqual({ code: null, signal })
    expect(existsSync(lock)).toBe(false)
  },
)

it.each([
  ['exit', 3],
  ['throw', 1],
  // Node's own code for a program that waits for something that will never come.
  ['forget', 13],
])('leaves no lock when told to %s inside', async (order, code) => {
  const { root, lock, start, at } = await setup()
  const holder = start('holder', root, at('note.md'))
  await holder.next()
  holder.process.send(order)
  expect(await holder.exit()).toEqual({ code, signal: null })
  expect(existsSync(lock)).toBe(false)
})

it('leaves the decision to a program that listens itself, and cleans up when it exits', async () => {
  const { root, lock, start, at } = await setup()
  const holder = start('holder', root, at('note.md'), 'exits on SIGTERM')
  await holder.next()
  holder.process.kill('SIGTERM')
  expect(await holder.exit()).toEqual({ code: 7, signal: null })
  expect(existsSync(lock)).toBe(false)
})

it('keeps the lock of a program that ignores the signal and goes on', async () => {
  const { root, lock, start, at } = await setup()
  const holder = start('holder', root, at('note.md'), 'ignores SIGTERM')
  await holder.next()
  for (let i = 0; i < 3; i++) {
    holder.process.kill('SIGTERM')
    expect(await holder.next()).toBe('heard')
  }
  expect(existsSync(lock)).toBe(true)
  holder.process.send('write')
  expect(await holder.next()).toBe('written')
  expect(await holder.exit()).toEqual({ code: 0, signal: null })
  expect(existsSync(lock)).toBe(false)
})

it('is not counted by a listener that dies only when it is alone', async () => {
  const { root, start, at } = await setup()
  const holder = start('holder', root, at('note.md'), 'counts listeners')
  await holder.next()
  holder.process.kill('SIGTERM')
  expect(await holder.exit()).toEqual({ code: null, signal: 'SIGTERM' })
})

it('serves a waiting process although this one never stops writing', async () => {
  const { root, lockRoot, start, at } = await setup()
  writeFileSync(at('counter'), '0')
  const child = start('increment', root, at('counter'), '3')
  const done = new AbortController()
  void child.exit().then(() => done.abort())
  const started = performance.now()
  while (!done.signal.aborted) await vaultMutex(root, (hold) => atomicWrite(at('mine'), 'x', { hold }), { lockRoot })
  expect(performance.now() - started).toBeLessThan(25_000)
  expect(readFileSync(at('counter'), 'utf8')).toBe('3')
  expect(existsSync(dirname(lockRoot))).toBe(true)
})
