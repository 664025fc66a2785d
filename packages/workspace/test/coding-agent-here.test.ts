import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { filePath } from '@agentm/vault-lock'
import { openWorkspace } from '@agentm/workspace'
import { expect, it, onTestFinished } from 'vitest'

/** An agent that writes down how it was started, and answers at once. */
const agent = `
import { appendFileSync } from 'node:fs'
const [file, ...args] = process.argv.slice(2)
appendFileSync(file, JSON.stringify({ args, key: process.env.MY_KEY, other: process.env.OTHER }) + '\\n')
console.log('{"type":"system","subtype":"init","session_id":"s-1"}')
console.log('{"type":"result","subtype":"success","result":"Done.","total_cost_usd":0}')
`

async function started(config: Readonly<Record<string, unknown>>) {
  const home = filePath(await realpath(await mkdtemp(path.join(tmpdir(), 'agentm-agents-'))))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  await mkdir(path.join(home, '.claude'))
  const [program, calls] = [path.join(home, 'agent.mjs'), path.join(home, 'calls')]
  await writeFile(program, agent)
  await chmod(program, 0o755)
  const settings = {
    owner: 'ada',
    'harness.kinds': ['claude-code'],
    'codingAgents.claude-code': { command: process.execPath, args: [program, calls], variables: ['MY_KEY'] },
    ...config,
  }
  await writeFile(path.join(home, '.claude/.agentm-config.json'), JSON.stringify(settings))
  const env = { XDG_CACHE_HOME: path.join(home, '.cache'), PATH: process.env['PATH'], MY_KEY: 'k', OTHER: 'o' }
  const workspace = await openWorkspace(home, { world: { env, home, installations: [] } })
  onTestFinished(() => workspace.close())
  const plans = await workspace.plans()
  const { harness } = plans
  const worker = await plans.startWorker({ onError: (error) => expect.unreachable(String(error)) })
  onTestFinished(() => worker.stop())
  const { planId } = await harness.createPlan({
    goal: 'g',
    steps: [{ key: 'a', title: 'A', kind: 'claude-code', input: { prompt: 'Do it.' } }],
  })
  expect((await harness.ended(planId)).payload.status).toBe('done')
  return JSON.parse(await readFile(calls, 'utf8')) as { args: readonly string[]; key?: string; other?: string }
}

/** What Claude Code is allowed, after the flags that every run has. */
function allowedIn(args: readonly string[]): string {
  return args.slice(args.indexOf('--tools') + 1).join(' ')
}

it('runs the configured program of a coding agent with the variables it may see', async () => {
  expect(await started({})).toMatchObject({ key: 'k', args: expect.arrayContaining(['--restricted']) })
  expect((await started({})).other).toBeUndefined()
})

it.each<[config: Readonly<Record<string, unknown>>, allowed: string]>([
  [{}, 'Read,Glob,Grep --allowedTools Read Glob Grep'],
  [{ 'tools.files': 'off' }, ''],
  [
    { 'tools.files': 'write', 'tools.shell.allow': ['npm test'] },
    'Read,Glob,Grep,Edit,Write,NotebookEdit,Bash --allowedTools Read Glob Grep Edit Write NotebookEdit Bash(npm test:*)',
  ],
  [{ 'tools.shell.interpret': true }, 'Read,Glob,Grep,Bash --allowedTools Read Glob Grep Bash'],
  // A person would have to be asked for each call.
  [
    { 'tools.files': 'write', 'tools.shell.allow': ['npm'], 'tools.approve': ['shell', 'files_write'] },
    'Read,Glob,Grep --allowedTools Read Glob Grep',
  ],
])('gives a coding agent what %j gives to agents, and no more', async (config, allowed) => {
  expect(allowedIn((await started(config)).args)).toBe(allowed)
})
