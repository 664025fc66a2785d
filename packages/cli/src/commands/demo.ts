/**
 * A demonstration in less than a minute, which runs this command in a temporary directory: a note and its recall, a plan whose
 * worker is killed, and the trace of what happened. It neither reads nor changes the user's own data.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Command } from '../command.ts'
import { endSignal } from '../end-signal.ts'
import type { Terminal } from '../terminal.ts'
import { commandWord } from '../typed.ts'

const program = fileURLToPath(new URL('../../bin/agentm.mjs', import.meta.url))
const longestWaitMs = 60_000

export const demo: Command = {
  summary: 'watch a demonstration: a note, a plan, a killed worker, the trace',
  details:
    'Runs for a few seconds in a temporary directory, which is removed at the end. It does not read or change your notes. With ' +
    'AGENTM_NODES_URL=postgres://… the plan is written to that database and stays there.',
  async run({ env, terminal, json }) {
    const show = (text: string) => (json ? terminal.err(text) : terminal.out(text))
    const began = performance.now()
    const ending = endSignal()
    const stage = new Stage(await mkdtemp(path.join(tmpdir(), 'agentm-demo-')), { env, terminal, show })
    ending.addEventListener('abort', () => stage.end())
    try {
      await stage.prepare()
      const told = await play(stage)
      const seconds = Number(((performance.now() - began) / 1000).toFixed(1))
      const text = `${told.isWhole ? 'Nothing was lost' : 'Something went wrong'}. ${seconds} s; ${whatIsLeft(told.planId, env)}`
      return { text, data: { ...told, seconds }, exit: told.isWhole ? 0 : 1 }
    } catch (error) {
      if (!ending.aborted) throw error
      return {
        text: 'The demonstration was stopped; its temporary files were removed.',
        data: { isWhole: false },
        exit: 1,
      }
    } finally {
      await stage.clear()
    }
  },
}

/** Whether plans are kept on a server. A configured database file is the user's own; the demonstration creates another one. */
function isOnServer({ AGENTM_NODES_URL: url = '' }: Staging['env']): boolean {
  return /^postgres(ql)?:/.test(url)
}

export function whatIsLeft(planId: string, env: Staging['env']): string {
  return isOnServer(env)
    ? `the plan stays on your server: ${commandWord()} trace ${planId}`
    : 'all temporary files were removed.'
}

// The steps run with the program that runs this, because `node` may not be on the PATH.
const runtime = JSON.stringify(process.execPath)
const steps = `goal: release 1.4
steps:
  - key: test
    kind: command
    input: { command: ${runtime}, args: [-e, 'console.log("all green")'] }
  - key: build
    kind: command
    dependsOn: test
    input: { command: ${runtime}, args: [-e, 'require("fs").appendFileSync("started", "x"); setTimeout(() => console.log("built"), 1500)'] }
  - key: publish
    kind: command
    dependsOn: build
    nature: effectful
    input: { command: ${runtime}, args: [-e, 'require("fs").appendFileSync("published", "x"); console.log("published")'] }
`

async function play(stage: Stage) {
  const planId = `demo-${Date.now().toString(36)}`
  stage.say('What an agent learns is saved as notes, and recall finds them again:')
  await stage.run('init', '--yes')
  await stage.run('save', 'The staging database listens on port 5433.')
  await stage.run('save', 'Releases are tagged by hand, after the tests pass.')
  const recalled = await stage.run('recall', 'which port does staging use?')
  stage.say(
    'What an agent does is recorded as a plan. This plan has three steps. The second one takes a while, and its worker is killed:',
  )
  await writeFile(stage.file('release.yaml'), steps)
  await stage.run('config', 'set', 'harness.kinds', 'command')
  await stage.run('plan', 'new', '--steps', 'release.yaml', '--id', planId)
  await stage.killDuring('started', 'run', planId)
  stage.say('The worker died in the middle of the second step. A new worker continues the plan:')
  await stage.run('run', planId)
  stage.say('The trace shows everything that happened:')
  const trace = await stage.run('trace', planId)
  const isWhole = recalled.includes('5433') && trace.includes(`Plan ${planId}: done`) && (await stage.published()) === 1
  return { isWhole, planId }
}

interface Staging {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly terminal: Terminal
  /** Prints the demonstration. */
  readonly show: (text: string) => void
}

class Stage {
  readonly #directory: string
  readonly #terminal: Terminal
  readonly #show: (text: string) => void
  readonly #env: NodeJS.ProcessEnv
  readonly #children = new Set<ChildProcess>()
  #isEnded = false

  constructor(directory: string, { env, terminal, show }: Staging) {
    this.#directory = directory
    this.#terminal = terminal
    this.#show = show
    const home = path.join(directory, 'home')
    // Keeps the server and its password, if any; nothing else that could lead to the user's notes.
    const kept = Object.entries(env).filter(([name]) =>
      /^(PATH|LANG|TZ|PG[A-Z]+|SystemRoot|PATHEXT|TEMP|TMP)$/i.test(name),
    )
    const server = isOnServer(env) ? { AGENTM_NODES_URL: env['AGENTM_NODES_URL'] } : {}
    this.#env = { ...Object.fromEntries(kept), ...server, HOME: home, USERPROFILE: home, NO_COLOR: '1' }
  }

  async prepare(): Promise<void> {
    await mkdir(path.join(this.#directory, 'home'))
    await mkdir(this.file('.harness'), { recursive: true })
    await writeFile(this.file('.harness/project.json'), '{ "vault_project": "demo" }\n')
  }

  file(name: string): string {
    return path.join(this.#directory, 'project', name)
  }

  say(text: string): void {
    this.#show(`\n${this.#terminal.bold(text)}\n\n`)
  }

  /** Shows a command as it would be typed, and its output. */
  async run(...args: readonly string[]): Promise<string> {
    const child = this.#start(args)
    const output: string[] = []
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (piece: string) => {
        output.push(piece)
        this.#show(this.#terminal.dim(piece))
      })
    const [code] = (await once(child, 'close')) as [number | null]
    if (code !== 0) throw new Error(`agentm ${args.join(' ')} ended with ${code ?? 'a signal'}`)
    return output.join('')
  }

  /** Starts a command, and kills it when the file exists, as a power cut would. */
  async killDuring(file: string, ...args: readonly string[]): Promise<void> {
    const child = this.#start(args)
    const said: string[] = []
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (piece: string) => said.push(piece))
    const until = Date.now() + longestWaitMs
    while (!(await isThere(this.file(file)))) {
      if (Date.now() > until || child.exitCode !== null)
        throw new Error(`agentm ${args.join(' ')} did not come to its second step. It said:\n${said.join('')}`)
      await sleep(20)
    }
    this.#show(`$ kill -9 ${child.pid}\n`)
    child.kill('SIGKILL')
    if (child.signalCode === null) await once(child, 'exit')
  }

  /** How often the step that must run only once has run. */
  async published(): Promise<number> {
    return (await readFile(this.file('published'), 'utf8')).length
  }

  /** Ends all commands, and starts no others. */
  end(): void {
    this.#isEnded = true
    for (const child of this.#children) child.kill('SIGKILL')
  }

  async clear(): Promise<void> {
    this.end()
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }

  #start(args: readonly string[]): ChildProcess {
    if (this.#isEnded) throw new Error('the demo was asked to end')
    this.#show(`$ ${commandWord()} ${args.map(quoted).join(' ')}\n`)
    const child = spawn(process.execPath, [program, ...args], {
      cwd: this.file('.'),
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#children.add(child)
    child.once('exit', () => this.#children.delete(child))
    return child
  }
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : JSON.stringify(word)
}
