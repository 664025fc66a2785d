/** A coding agent from npm as a kind of step, in a home and a checkout of its own, with a scripted model on loopback. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { harnessConcepts, type NewStep, openHarness } from '@agentm/harness'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { onTestFinished } from 'vitest'
import { clientPlace } from '../../../tools/clients/client-place.mjs'
import { clients } from '../../../tools/clients/clients.mjs'
import { startScriptedAgent } from '../../../tools/clients/scripted-agent.mjs'
import type { ClientPolicy, CodingAgentName } from '@agentm/coding-agents'

export type Script = Parameters<typeof startScriptedAgent>[0]

/** What a reply of the scripted model uses, at the price below: 100 tokens read, 20 written. */
export const perReply = { tokens: 120, costMicros: 800 }
const price = { input: 4, output: 20 }
const script = fileURLToPath(new URL('processes/coding-agent-worker.mjs', import.meta.url))

export interface RealOptions {
  readonly policy?: ClientPolicy
  /** Variables instead of those of the client; one with an empty text is absent. */
  readonly env?: Readonly<Record<string, string>>
}

export async function realWorld(name: CodingAgentName, installed: string, { policy, env = {} }: RealOptions = {}) {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), `agentm-${name}-`)))
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
  const [repo, file] = [path.join(root, 'acme'), path.join(root, 'agentm.db')]
  let play = idle
  const server = await startScriptedAgent((asked) => play(asked))
  onTestFinished(() => server.close())
  await mkdir(repo)
  await writeFile(path.join(repo, 'sum.js'), 'module.exports = (a, b) => a - b\n')
  const git = (...args: readonly string[]) => promisify(execFile)('git', ['-C', repo, ...args])
  await git('init', '-q')
  await git('add', '.')
  await git('-c', 'user.name=me', '-c', 'user.email=me@example.com', 'commit', '-qm', 'first')
  const { command, environment, variables } = await clientPlace(name, { root, repo, url: server.url, installed, env })
  const described = {
    file,
    name,
    directory: repo,
    price,
    policy: policy ?? { files: 'write', shell: 'any', hosts: [] },
    command,
    environment,
    variables,
    stateDirectory: path.join(root, 'state'),
  }
  const store = await openSqliteStore({ path: file, concepts: harnessConcepts })
  onTestFinished(() => store.close())
  const harness = openHarness({ store, owner: 'ada', actor: 'test' })
  const observations = async (stepId: string) => {
    const query = {
      owner: 'ada',
      concepts: ['v1:harness:observation'],
      parent: stepId,
      order: 'oldest',
      limit: 1000,
    } as const
    return (await store.log.scan(query)).nodes.map(
      ({ payload }) => payload as { kind: string; content: string; data?: Record<string, unknown> },
    )
  }
  return {
    repo,
    harness,
    server,
    /** What the model was asked about the work itself, in order. */
    requests: () => server.requests.filter(({ isWork }) => isWork),
    play: (next: Script) => {
      play = next
    },
    worker: () => startProcess(described),
    plan: async (more: Partial<NewStep> & { readonly budget?: object } = {}) => {
      const { budget, ...step } = more
      const model = { 'claude-code': {}, codex: {}, gemini: { model: 'gemini-2.5-pro' }, opencode: {} }[name]
      const { planId, steps } = await harness.createPlan({
        goal: 'g',
        ...(budget !== undefined && { budget }),
        steps: [
          {
            key: 's',
            title: 's',
            kind: name,
            input: { prompt: 'The sum is wrong. Correct it.', ...model },
            retry: { maxFailures: 3, baseMs: 1, capMs: 1 },
            ...step,
          },
        ],
      })
      return { planId, stepId: steps['s'] ?? '' }
    },
    step: async (id: string) => (await harness.step(id)).payload,
    observations,
    /** The process group of the agent that runs now. */
    group: async (stepId: string): Promise<number> => {
      const sessions = (await observations(stepId)).filter(({ data }) => data?.['isSession'] === true)
      return Number(sessions.at(-1)?.data?.['group'] ?? 0)
    },
    read: (at: string) => readFile(path.join(repo, at), 'utf8'),
  }
}

const idle: Script = () => ({ text: 'Nothing to do.' })

async function startProcess(described: object): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script, JSON.stringify(described)], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    const gone =
      child.exitCode !== null || child.signalCode !== null || new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await gone
    clearTimeout(timer)
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve())
    child.once('exit', (code) => reject(new Error(`the worker ended with ${code}`)))
  })
  return child
}

/** The model runs a command, corrects sum.js and answers. */
export function correcting(name: CodingAgentName, repo: string): Script {
  const { shell, read, edit } = clients[name].tools
  const file = path.join(repo, 'sum.js')
  const [from, to] = ['module.exports = (a, b) => a - b', 'module.exports = (a, b) => a + b']
  const turns: readonly ReturnType<Script>[] = [
    { text: 'I look at it first.', calls: [shell('node --version')] },
    ...(read === undefined ? [] : [{ text: 'I read the file.', calls: [read(file)] }]),
    { text: 'I correct it.', calls: [edit(name === 'codex' ? 'sum.js' : file, from, to)] },
    { text: 'The sum is right now.' },
  ]
  return ({ results }) => turns[Math.min(results.length, turns.length - 1)] ?? {}
}
