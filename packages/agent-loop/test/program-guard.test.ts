import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { systemRuntime } from '../src/index.ts'
import { runProgram } from '../src/programs/run-program.ts'

const script = fileURLToPath(new URL('children/run-programs.mjs', import.meta.url))

it('ends the programs of a process that was killed, with what they started, and no others', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'agentm-guard-'))
  const doomed = spawn(process.execPath, [script, root], { stdio: ['ignore', 'pipe', 'inherit'] })
  const named = ['step', 'deaf', 'shell', 'shell_start'].flatMap((name) => [name, `${name}-child`])
  const names = [...named, 'left']
  const pids = () => names.map((name) => Number(readFileSync(path.join(root, name), 'utf8')))
  onTestFinished(async () => {
    doomed.kill('SIGKILL')
    if (names.every((name) => existsSync(path.join(root, name)))) pids().forEach(endProcess)
    await rm(root, { recursive: true })
  })
  await once(doomed.stdout, 'data')
  const [left, ...guarded] = pids().toReversed()
  expect(guarded.map(isRunning)).toEqual(guarded.map(() => true))
  doomed.kill('SIGKILL')
  while (guarded.some(isRunning)) await sleep(10)
  expect(isRunning(left ?? 0)).toBe(true)
})

it('starts one guard for all programs of a process, and another where somebody ended it', async () => {
  const started: { readonly command: string; readonly child: ChildProcess }[] = []
  const runtime = {
    ...systemRuntime,
    spawn: (...args: Parameters<typeof systemRuntime.spawn>) => {
      const child = systemRuntime.spawn(...args)
      started.push({ command: args[0], child })
      return child
    },
  }
  const program = { args: [], environment: {}, directory: undefined, stdin: undefined, maxOutputBytes: 10 }
  const run = (command: string) =>
    runProgram({ ...program, command }, { signal: new AbortController().signal, runtime })
  const guards = () => started.filter(({ command }) => command === '/bin/sh').map(({ child }) => child)
  onTestFinished(() => guards().forEach((guard) => guard.kill('SIGKILL')))
  await run('true')
  await run('true')
  expect((await run('no-such-program')).ended).toHaveProperty('error')
  expect(guards()).toHaveLength(1)
  guards()[0]?.kill('SIGKILL')
  await once(guards()[0] ?? process, 'exit')
  await run('true')
  expect(guards()).toHaveLength(2)
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // One that has ended and waits for its parent to look is not running.
  return !/^\d+ \(.*\) Z/.test(existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '')
}

function endProcess(pid: number): void {
  if (isRunning(pid)) process.kill(pid, 'SIGKILL')
}
