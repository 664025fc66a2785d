/** The promises of the lock at full size, and against the real clock. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { atomicWrite, nodeFileSystem, nodeRuntime, realPath, vaultMutex } from '@agentm/vault-lock'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { killLoop } from './kill-loop.ts'
import { killRounds } from './kill-rounds.ts'
import { staleLockRounds } from './stale-lock-rounds.ts'
import { setup } from './world.ts'

it('has one winner in each of 1,000 rounds of six processes at a dead lock', async () => {
  expect(await staleLockRounds(1_000, 'vaultMutex')).toBe(0)
})

it('would have noticed: the obvious takeover lets two in', async () => {
  expect(await staleLockRounds(60, 'naive')).toBeGreaterThan(0)
})

it('survives 300 writers killed while they write', async () => {
  const damage = await killRounds(300)
  expect(damage).toMatchObject({ torn: 0, stray: 0 })
  expect(damage.left).toBeGreaterThan(30)
})

it('refuses the write of a holder that stood still for longer than a heartbeat may be old', async () => {
  const { root, lockRoot, start, at } = await setup()
  const first = start('holder', root, at('note.md'))
  await first.next()
  first.process.kill('SIGSTOP')
  // No clock is pushed here: this waits until the lock is really stale.
  await vaultMutex(root, (hold) => atomicWrite(at('note.md'), 'from the second holder', { hold }), {
    lockRoot,
    timeoutMs: 20_000,
  })
  first.process.kill('SIGCONT')
  first.process.send('write')
  expect(await first.next()).toBe('LOCK_LOST')
  expect(readFileSync(at('note.md'), 'utf8')).toBe('from the second holder')
})

it('loses no update of eight processes that count up one file', async () => {
  const { root, start, at } = await setup()
  const children = Array.from({ length: 8 }, () => start('increment', root, at('counter'), '250'))
  for (const child of children) expect(await child.exit()).toEqual({ code: 0, signal: null })
  expect(readFileSync(at('counter'), 'utf8')).toBe('2000')
})

it('loses nothing and stops nobody in 60 s of killed writers, beside the Python implementation', async (context) => {
  if (nodeRuntime.processes.self() === undefined) context.skip('no process here can say when another has ended')
  const loop = await killLoop(Number(process.env['KILL_LOOP_SECONDS'] ?? 60), { python })
  console.log(loop)
  expect(loop).toMatchObject({ lost: 0, refused: 0 })
  expect(loop.writes).toBeGreaterThan(300)
  expect(loop.kills).toBeGreaterThan(30)
  // Whoever waits for the heartbeat of a dead process waits ten seconds. How far below that it stays, the line above prints.
  expect(loop.stallMs).toBeLessThan(5_000)
})

const python = hasPython()

it.skipIf(!python)(`resolves paths as Python does${python ? '' : ' (skipped: no python3 here)'}`, async () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd')
  const step = fc.oneof({ weight: 5, arbitrary: name }, fc.constantFrom('..', '.'))
  // No doubled separators: together with a circle of links Python's answer depends on how many there are.
  const steps = fc.array(step, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'))
  const link = fc.record({ at: fc.array(name, { minLength: 1, maxLength: 3 }), to: steps, absolute: fc.boolean() })
  const layouts = fc.sample(
    fc.record({ links: fc.array(link, { maxLength: 6 }), paths: fc.array(steps, { minLength: 8, maxLength: 8 }) }),
    500,
  )
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'real-path-')))
  try {
    const paths = layouts.flatMap((layout, i) => layPaths(join(home, `${i}`), layout))
    const script = 'import os,sys,json; print(json.dumps([os.path.realpath(p) for p in json.load(sys.stdin)]))'
    const answer = execFileSync('python3', ['-c', script], { input: JSON.stringify(paths), maxBuffer: 2 ** 26 })
    const expected = JSON.parse(answer.toString()) as string[]
    for (const [i, path] of paths.entries())
      expect([path, await realPath(path, nodeFileSystem)]).toEqual([path, expected[i]])
  } finally {
    rmSync(home, { recursive: true })
  }
})

interface Layout {
  readonly links: readonly { readonly at: readonly string[]; readonly to: string; readonly absolute: boolean }[]
  readonly paths: readonly string[]
}

function layPaths(home: string, { links, paths }: Layout): string[] {
  mkdirSync(home)
  for (const { at, to, absolute } of links) {
    const where = join(home, ...at)
    try {
      // Only where no link leads away from here.
      if (existsSync(dirname(where)) && !realpathSync(dirname(where)).startsWith(home)) continue
      if (!existsSync(dirname(where))) mkdirSync(dirname(where))
      symlinkSync(absolute ? `${home}/${to}` : to, where)
    } catch {
      // Two links of one name, or one below another: the layout does with fewer.
    }
  }
  return paths.map((path) => `${home}/${path}`)
}

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
