import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findPgbouncer } from '../pgbouncer.mjs'
import { findPostgres } from '../postgres-server.mjs'

const server = findPostgres()
const bouncer = findPgbouncer()
const absent: Readonly<Record<string, unknown>> = {
  'a PostgreSQL server': server,
  'a PgBouncer': typeof server === 'string' ? server : bouncer,
}

interface Running {
  readonly pid: number
  readonly parent: number
}

/** Everything that runs on this machine; what is dead and not yet buried does not. */
function running(): Running[] {
  const lines = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n')
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state = '']) => !state.startsWith('Z'))
    .map(([pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }))
}

function below(pid: number, all: readonly Running[]): number[] {
  return all.filter(({ parent }) => parent === pid).flatMap((child) => [child.pid, ...below(child.pid, all)])
}

it.for([
  'a worker of the benchmarks',
  'a writer of the benchmarks',
  'a program in the foreground',
  'a PostgreSQL server',
  'a PgBouncer',
])('leaves nothing behind when it is killed: %s', { timeout: 120_000 }, async (what, { skip }) => {
  const why = absent[what]
  if (typeof why === 'string') skip(why)
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'killed-parent-'))
  // Servers run as another user.
  chmodSync(scratch, 0o755)
  const parent = spawn(process.execPath, [path.join(import.meta.dirname, 'killed-parent.mjs'), what, scratch], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: scratch },
  })
  onTestFinished(async () => {
    parent.kill('SIGKILL')
    await rm(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  })
  const [said] = await Promise.race([once(parent.stdout, 'data'), once(parent, 'exit')])
  expect(String(said)).toBe('started\n')
  const children = below(parent.pid ?? 0, running())
  expect(children.length).toBeGreaterThan(0)
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  const left = () => {
    const all = new Set(running().map(({ pid }) => pid))
    return children.filter((pid) => all.has(pid))
  }
  await expect.poll(left, { timeout: 60_000 }).toEqual([])
  const remnants = () => readdirSync(scratch).filter((name) => name.startsWith('agentm-pg'))
  await expect.poll(remnants, { timeout: 60_000 }).toEqual([])
})
