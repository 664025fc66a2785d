/** A home and a checkout of this test's own, and the command as a person runs it. */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

const command = fileURLToPath(new URL('../bin/agentm.mjs', import.meta.url))

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

export class CliWorld {
  readonly home: string
  readonly repo: string

  constructor(home: string) {
    this.home = home
    this.repo = path.join(home, 'repo')
    this.directory = this.repo
  }

  /** For one test, after which it is gone. */
  static async forThisTest(): Promise<CliWorld> {
    const world = await CliWorld.make()
    onTestFinished(() => world.remove())
    return world
  }

  static async make(): Promise<CliWorld> {
    const world = new CliWorld(await mkdtemp(path.join(tmpdir(), 'agentm-cli-')))
    await mkdir(world.repo)
    await promisify(execFile)('git', ['init', '-q', world.repo])
    await promisify(execFile)('git', ['-C', world.repo, 'remote', 'add', 'origin', 'https://github.com/me/acme.git'])
    return world
  }

  /** Where commands run; the checkout unless a test goes elsewhere. */
  directory: string

  /** Variables of every process from here on, beside its own home. */
  readonly variables: Record<string, string> = {}

  /** As on a machine where nobody installed `agentm`: everybody else finds one, which all tests share. */
  readonly pathWithoutAgentm = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((directory) => !existsSync(path.join(directory, 'agentm')))
    .join(path.delimiter)

  get #env(): NodeJS.ProcessEnv {
    return {
      PATH: process.env['PATH'],
      HOME: this.home,
      XDG_CACHE_HOME: path.join(this.home, '.cache'),
      // Hooks start no process that would outlive the test.
      AGENTM_CAPTURE: 'later',
      ...this.variables,
    }
  }

  /** Starts `agentm` and leaves it running. */
  start(args: readonly string[]): Started {
    const child = spawn(process.execPath, [command, ...args], { cwd: this.directory, env: this.#env })
    const started = new Started(child)
    this.#started.push(started)
    return started
  }

  readonly #started: Started[] = []

  /** Runs `agentm` in the checkout; with `null`, its input never comes to an end. */
  async agentm(args: readonly string[], input: string | null = ''): Promise<Ran> {
    const child = spawn(process.execPath, [command, ...args], { cwd: this.directory, env: this.#env })
    const out = collect(child.stdout)
    const err = collect(child.stderr)
    if (input !== null) child.stdin.end(input)
    const code = await new Promise<number>((resolve) => child.on('exit', (status) => resolve(status ?? -1)))
    child.stdin.destroy()
    return { code, out: await out, err: await err }
  }

  /**
   * Runs `agentm` at a terminal where somebody types when asked: `answer`, or the number on the screen where that is asked for
   * and the answer is `number`. Answers all that was on the screen.
   */
  async atTerminal(args: readonly string[], answer: string): Promise<string> {
    const child = this.#terminal(args)
    const screen: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => {
      screen.push(chunk)
      const asked = /type (yes|\d+): /i.exec(chunk.toString('utf8'))
      if (asked !== null) child.stdin.end(`${answer === 'number' ? asked[1] : answer}\n`)
    })
    await new Promise((resolve) => child.on('close', resolve))
    return Buffer.concat(screen).toString('utf8')
  }

  /** Runs `agentm` at a terminal whose input was there before anything was asked. */
  async pipedIntoTerminal(args: readonly string[], input: string): Promise<string> {
    const child = this.#terminal(args)
    const screen: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => screen.push(chunk))
    child.stdin.end(input)
    await new Promise((resolve) => child.on('close', resolve))
    return Buffer.concat(screen).toString('utf8')
  }

  #terminal(args: readonly string[]): ChildProcessWithoutNullStreams {
    const words = [process.execPath, command, ...args].map((word) => `'${word}'`).join(' ')
    return spawn('script', ['-qec', words, '/dev/null'], { cwd: this.directory, env: this.#env })
  }

  async json(args: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
    const { out } = await this.agentm([...args, '--json'])
    return JSON.parse(out) as Readonly<Record<string, unknown>>
  }

  async file(name: string, text: string): Promise<string> {
    const file = path.join(this.home, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text)
    return file
  }

  read(name: string): Promise<string> {
    return readFile(path.join(this.home, name), 'utf8')
  }

  async remove(): Promise<void> {
    for (const started of this.#started) await started.kill('SIGKILL')
    await rm(this.home, { recursive: true, force: true })
  }
}

/** A process of `agentm` that runs. */
export class Started {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #ended: Promise<number | NodeJS.Signals>
  /** What it said so far. */
  out = ''
  err = ''

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child
    child.stdout.on('data', (chunk: Buffer) => (this.out += chunk.toString('utf8')))
    child.stderr.on('data', (chunk: Buffer) => (this.err += chunk.toString('utf8')))
    this.#ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal ?? -1)))
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Once it has said that on its error stream. */
  async said(text: string): Promise<void> {
    while (!this.err.includes(text)) {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null)
        throw new Error(`it ended without saying ${JSON.stringify(text)}: ${this.err}${this.out}`)
      await sleep(10)
    }
  }

  /** Its exit code, or the signal that ended it. */
  ended(): Promise<number | NodeJS.Signals> {
    return this.#ended
  }

  async kill(signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
    this.#child.kill(signal)
    return this.#ended
  }
}

async function collect(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
