import { existsSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { systemRuntime } from '../../src/index.ts'
import { mayRun } from '../../src/tools/pure/shell-policy.ts'
import { shellTool, type ShellToolOptions } from '../../src/tools/index.ts'
import { callTool, emptyFolder } from './tool-world.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

async function world(policy: ShellToolOptions['policy'], more: Partial<ShellToolOptions> = {}) {
  const folder = await emptyFolder()
  open.push(folder)
  const tools = [shellTool({ root: folder.root, policy, runtime: systemRuntime, ...more })]
  const run = async (args: object, signal?: AbortSignal) => callTool(tools, 'shell', args, signal)
  return { root: folder.root, run, tool: tools[0] }
}

const node = process.execPath
const script = (code: string) => ({ program: node, args: ['-e', code] })

describe('the shell of an agent', () => {
  it('runs what is allowed in the working folder, and says how it ended', async () => {
    const { run, root } = await world({ allow: [node] })
    expect(await run(script('console.log(process.cwd()); console.error("hm")'))).toEqual({
      text: `${node} ended with 0\n\noutput:\n${root}\n\n\nerrors:\nhm\n`,
      failed: false,
    })
    expect(await run(script('process.exit(3)'))).toEqual({ text: `${node} ended with 3`, failed: true })
  })

  it('refuses every other program, and knows that nothing happened', async () => {
    const { run } = await world({ allow: ['git status', 'no-such-program'] })
    await expect(run({ program: 'git', args: ['push'] })).rejects.toMatchObject({ type: 'permission' })
    await expect(run({ program: 'no-such-program' })).rejects.toMatchObject({ mayHaveHappened: false })
  })

  it('gives words to no shell, unless lines are allowed', async () => {
    const { run, root } = await world({ allow: ['echo'] })
    expect((await run({ program: 'echo', args: ['$HOME; touch x', '`id`'] })).text).toContain('$HOME; touch x `id`')
    const lines = await world({ allow: [], interpret: true })
    expect((await lines.run({ line: 'echo a && pwd' })).text).toContain(`a\n${lines.root}`)
    expect(root).not.toBe(lines.root)
  })

  it('runs nowhere else: neither through .. nor through a link', async () => {
    const { run, root } = await world({ allow: ['pwd'] })
    await mkdir(path.join(root, 'sub'))
    await symlink('/', path.join(root, 'out'))
    expect((await run({ program: 'pwd', directory: 'sub' })).text).toContain(path.join(root, 'sub'))
    for (const directory of ['..', 'out', 'out/tmp', '/', 'sub/../..'])
      await expect(run({ program: 'pwd', directory })).rejects.toMatchObject({ type: 'permission' })
  })

  it('shows programs no key and no password, whoever allows it', async () => {
    const environment = {
      PATH: `./bin:${process.env['PATH']}`,
      HOME: '/home/ada',
      SECRET: 's1',
      AGENTM_MODEL_KEY: 's2',
      PGPASSWORD: 's3',
      OPENAI_KEY: 's4',
      BUILD: 'b',
    }
    const variables = ['BUILD', 'AGENTM_MODEL_KEY', 'PGPASSWORD', 'OPENAI_KEY']
    const { run } = await world({ allow: ['env'], variables }, { environment, secrets: ['OPENAI_KEY'] })
    const { text } = await run({ program: 'env' })
    expect(text).toContain('BUILD=b')
    expect(text).toContain('AGENTM_IDEMPOTENCY_KEY=key-1')
    expect(text).not.toMatch(/=s\d/)
    expect(text).not.toContain('./bin')
  })

  it('finds no program in the folder it works in', async () => {
    const { run, root } = await world({ allow: ['ls'] }, { environment: { PATH: `.::${process.env['PATH']}` } })
    await writeFile(path.join(root, 'ls'), '#!/bin/sh\necho planted\n', { mode: 0o755 })
    expect((await run({ program: 'ls' })).text).toContain('output:\nls')
  })

  it('keeps the end of much output', async () => {
    const { run } = await world({ allow: [node], maxOutputBytes: 100 })
    const { text } = await run(script('for (let i = 0; i < 1e5; i++) console.log(`line ${i}`)'))
    expect(text).toContain('the end of it')
    expect(text).toContain('line 99999')
    expect(text.length).toBeLessThan(300)
  })

  it('ends what takes too long, with all it started, and knows what became of it', async () => {
    const started = async (): Promise<void> => {
      while (!existsSync(path.join(root, 'started'))) await sleep(5)
    }
    const runtime: ShellToolOptions['runtime'] = {
      ...systemRuntime,
      sleep: async (ms, signal) => (ms === 50 ? started() : systemRuntime.sleep(ms, signal)),
    }
    const { run, root } = await world({ allow: ['sh'], timeoutMs: 50 }, { runtime })
    const { text, failed } = await run({ program: 'sh', args: ['-c', 'sleep 600 & echo $!; touch started; wait'] })
    expect([text, failed]).toEqual([expect.stringContaining('was ended after 50 ms'), true])
    const pid = Number(/output:\n(\d+)/.exec(text)?.[1])
    while (isRunning(pid)) await sleep(5)
  })

  it('ends at once when it is called off', async () => {
    const { run } = await world({ allow: ['sleep'] })
    const stop = new AbortController()
    const running = run({ program: 'sleep', args: ['600'] }, stop.signal)
    stop.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
  })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it.each([
  [['node'], ['node', 'x.js'], true],
  [['node'], ['./node', 'x.js'], false],
  [['git status', 'git log'], ['git', 'log', '--oneline'], true],
  [['git status'], ['git', '-c', 'x', 'status'], false],
  [['*'], ['anything'], true],
  [[''], [''], true],
  [[], ['node'], false],
] as const)('with %j allowed, %j may run: %s', (allow, words, expected) => {
  expect(mayRun(allow, [words[0], ...words.slice(1)])).toBe(expected && words[0] !== '')
})
