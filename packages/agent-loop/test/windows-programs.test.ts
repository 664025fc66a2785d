import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemRuntime } from '../src/index.ts'
import { childEnvironment } from '../src/programs/pure/child-environment.ts'
import { runProgram } from '../src/programs/run-program.ts'
import { absolutePlaces } from '../src/tools/pure/shell-policy.ts'
import { shellTool } from '../src/tools/shell-tool.ts'

const doomedScript = fileURLToPath(new URL('children/run-on-windows.mjs', import.meta.url))

it('looks for programs in whole places only, on either system', () => {
  expect(absolutePlaces('/bin:here:C:/tools:/usr/bin', ':')).toBe('/bin:/tools:/usr/bin')
  expect(absolutePlaces('C:\\Windows;here;.;\\\\server\\tools;d:/tools', ';')).toBe(
    'C:\\Windows;\\\\server\\tools;d:/tools',
  )
})

describe.runIf(process.platform === 'win32')('on Windows', () => {
  it('runs a script by the name its maker gave it, and hands over every word as it is', async () => {
    const { root, run } = await setup()
    await plantShim(root, 'tool.cmd')
    const words = ['plain', 'two words', 'C:\\a b\\c', 'k=v', '(z)', 'ü']
    const { ended, stdout } = await run('tool', words)
    expect(ended).toEqual({ code: 0 })
    expect(JSON.parse(stdout.text)).toEqual(words)
  })

  it('runs no program that lies in the working folder by its name alone', async () => {
    const { root, run } = await setup()
    const work = path.join(root, 'work')
    await mkdir(work)
    await plantShim(work, 'planted.cmd')
    expect((await run('planted', [], work)).ended).toMatchObject({ error: { code: 'ENOENT' } })
    expect((await run('.\\planted', ['x'], work)).stdout.text).toBe('["x"]\n')
  })

  it('gives a line to the shell of the system', async () => {
    const { root } = await setup()
    const tool = shellTool({ root, policy: { allow: [], interpret: true }, runtime: systemRuntime })
    const answer = await tool.run(
      { line: 'echo one& echo "two"', directory: '.' },
      { signal: new AbortController().signal, key: 'k', attempt: 0 },
    )
    expect(answer).toMatchObject({ text: 'cmd.exe ended with 0\n\noutput:\none\r\n"two"\r\n' })
  })

  it('ends a program that is called off, and what it has started', async () => {
    const { root, run } = await setup()
    const off = new AbortController()
    const running = run(process.execPath, ['-e', startsAnother, root], root, off.signal)
    const pids = await toldIn(root, ['parent', 'child'])
    off.abort()
    await running
    await expect.poll(() => pids.map(isRunning)).toEqual([false, false])
  })

  it('ends the programs of a process that was killed', async () => {
    const { root } = await setup()
    const doomed = spawn(process.execPath, [doomedScript, root], { stdio: 'ignore' })
    const pids = await toldIn(root, ['parent', 'child'])
    doomed.kill('SIGKILL')
    await once(doomed, 'exit')
    await expect.poll(() => pids.map(isRunning)).toEqual([false, false])
  })
})

const startsAnother = `
const { spawn } = require('child_process')
const { writeFileSync } = require('fs')
const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'ignore' })
writeFileSync(process.argv[1] + '/child', String(child.pid))
writeFileSync(process.argv[1] + '/parent', String(process.pid))
setInterval(() => 0, 1000)
`

async function setup() {
  const root = await mkdtemp(path.join(tmpdir(), 'agentm-windows-'))
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))
  const environment = { ...childEnvironment(process.env), PATH: `${root};${process.env['PATH'] ?? ''}` }
  const run = async (
    command: string,
    args: readonly string[],
    directory?: string,
    signal: AbortSignal = new AbortController().signal,
  ) =>
    runProgram(
      { command, args, environment, directory, stdin: undefined, maxOutputBytes: 10_000 },
      { signal, runtime: systemRuntime },
    )
  return { root, run }
}

/** As npm makes one for the command of a package. */
async function plantShim(directory: string, name: string): Promise<void> {
  await writeFile(path.join(directory, 'words.cjs'), 'console.log(JSON.stringify(process.argv.slice(2)))')
  await writeFile(path.join(directory, name), `@"${process.execPath}" "%~dp0words.cjs" %*\r\n`)
}

async function toldIn(root: string, names: readonly string[]): Promise<readonly number[]> {
  const files = names.map((name) => path.join(root, name))
  while (!files.every((file) => existsSync(file) && readFileSync(file).length > 0)) await sleep(20)
  return files.map((file) => Number(readFileSync(file, 'utf8')))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
