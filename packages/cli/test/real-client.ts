/** A coding agent from npm in a home and a checkout of its own, with `agentm` on its PATH and a scripted model on loopback. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { type ClientName, clients, installClients, runClient } from '../../../tools/clients/clients.mjs'
import { publishedPackages } from '../../../tools/clients/published-packages.mjs'
import { type Recorded, recordedCommand } from '../../../tools/clients/recorded-command.mjs'
import { startScriptedAgent } from '../../../tools/clients/scripted-agent.mjs'

type Server = Awaited<ReturnType<typeof startScriptedAgent>>
export type Script = Parameters<typeof startScriptedAgent>[0]
export type Turn = ReturnType<Script>

export interface Ran {
  readonly code: number | string
  readonly out: string
  readonly err: string
}

export class RealClient {
  readonly name: ClientName
  readonly home: string
  readonly repo: string
  readonly #server: Server
  readonly #directory: string
  readonly #command: Awaited<ReturnType<typeof recordedCommand>>
  #hasNpx = false
  #script: Script = () => ({ text: 'Nothing to do.' })

  private constructor(
    name: ClientName,
    {
      root,
      server,
      directory,
      command,
    }: Readonly<{ root: string; server: Server; directory: string }> & {
      readonly command: Awaited<ReturnType<typeof recordedCommand>>
    },
  ) {
    this.name = name
    this.home = path.join(root, 'home')
    this.repo = path.join(root, 'acme')
    this.#server = server
    this.#directory = directory
    this.#command = command
  }

  /** For one test, after which it is gone. The checkout has a test that fails: sum.js subtracts. */
  static async forThisTest(name: ClientName, directory: string): Promise<RealClient> {
    const root = await mkdtemp(path.join(tmpdir(), `agentm-${name}-`))
    onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
    let client: RealClient | undefined
    const server = await startScriptedAgent((asked) => client?.script(asked) ?? {})
    onTestFinished(() => server.close())
    client = new RealClient(name, { root, server, directory, command: await recordedCommand(root) })
    await client.#prepare()
    return client
  }

  /** From now on, `agentm` is not installed: npx brings it, from packages as they would be published. */
  async withoutInstallation(): Promise<void> {
    const published = await publishedPackages(path.join(path.dirname(this.home), 'packed'))
    onTestFinished(() => published.close())
    await published.useIn(this.home)
    this.#hasNpx = true
  }

  get #path(): string {
    const directories = this.#command.path.split(path.delimiter)
    return (this.#hasNpx ? directories.filter(hasNoAgentm) : directories).join(path.delimiter)
  }

  script(asked: Parameters<Script>[0]): Turn {
    return this.#script(asked)
  }

  /** What the model was asked about the work itself, in order. */
  get requests(): Server['requests'] {
    return this.#server.requests.filter(({ isWork }) => isWork)
  }

  /** Requests to paths that no protocol of a model has. */
  get unknown(): readonly string[] {
    return this.#server.unknown
  }

  calls(): Promise<readonly Recorded[]> {
    return this.#command.calls()
  }

  async agentm(...args: readonly string[]): Promise<Ran> {
    const env = { HOME: this.home, PATH: this.#path }
    const [command, ...words] = this.#hasNpx ? ['npx', '-y', '@agentm/cli', ...args] : ['agentm', ...args]
    try {
      const { stdout, stderr } = await promisify(execFile)(command, words, { cwd: this.repo, env })
      return { code: 0, out: stdout, err: stderr }
    } catch (error) {
      const { code = -1, stdout, stderr } = error as { code?: number; readonly stdout: string; readonly stderr: string }
      return { code, out: stdout, err: stderr }
    }
  }

  /** One session from beginning to end. */
  async session(
    prompt: string,
    script: Script,
    how: { readonly session?: string; readonly isForked?: boolean } = {},
  ): Promise<Ran> {
    this.#script = script
    return runClient(this.name, { ...this.#run, args: clients[this.name].args(prompt, how) })
  }

  /** A command of the client that starts no session. */
  async command(...args: readonly string[]): Promise<Ran> {
    return runClient(this.name, { ...this.#run, args })
  }

  get #run() {
    const { home, repo } = this
    return { directory: this.#directory, home, repo, url: this.#server.url, path: this.#path }
  }

  /** The parts of this repository that are an extension of Gemini CLI, as they are in a clone of it. */
  async extension(): Promise<string> {
    const repository = path.resolve(import.meta.dirname, '../../..')
    const place = path.join(path.dirname(this.home), 'agentm')
    for (const part of ['gemini-extension.json', 'hooks', 'skills'])
      await cp(path.join(repository, part), path.join(place, part), { recursive: true })
    // A local directory has to be trusted, unlike a repository on a server.
    const trusted = { [this.repo]: 'TRUST_FOLDER', [place]: 'TRUST_FOLDER' }
    await writeFile(path.join(this.home, '.gemini/trustedFolders.json'), JSON.stringify(trusted))
    return place
  }

  /** The model runs the test, corrects sum.js, and runs the test again. */
  correcting(said: string): Script {
    const { shell, read, edit } = clients[this.name].tools
    const file = path.join(this.repo, 'sum.js')
    const turns: readonly Turn[] = [
      { text: 'I run the test first.', calls: [shell('node sum.test.js')] },
      ...(read === undefined ? [] : [{ text: 'I read the file.', calls: [read(file)] }]),
      {
        text: 'sum subtracts. I correct it.',
        calls: [
          edit(
            this.name === 'codex' ? 'sum.js' : file,
            'module.exports = (a, b) => a - b',
            'module.exports = (a, b) => a + b',
          ),
        ],
      },
      { text: 'I run it again.', calls: [shell('node sum.test.js')] },
      { text: said },
    ]
    return ({ results }) => turns[Math.min(results.length, turns.length - 1)] ?? {}
  }

  read(name: string): Promise<string> {
    return readFile(path.join(this.repo, name), 'utf8')
  }

  async #prepare(): Promise<void> {
    const { home, repo } = this
    await mkdir(path.join(home, 'tmp'), { recursive: true })
    await mkdir(repo)
    await writeFile(path.join(repo, 'sum.js'), 'module.exports = (a, b) => a - b\n')
    await writeFile(
      path.join(repo, 'sum.test.js'),
      "const sum = require('./sum.js')\nif (sum(1, 2) !== 3) throw new Error(`expected 3, got ${sum(1, 2)}`)\nconsole.log('ok')\n",
    )
    const git = (...args: readonly string[]) => promisify(execFile)('git', ['-C', repo, ...args])
    await git('init', '-q')
    await git('remote', 'add', 'origin', 'https://github.com/me/acme.git')
    await git('add', '.')
    await git('-c', 'user.name=me', '-c', 'user.email=me@example.com', 'commit', '-qm', 'first')
    await clients[this.name].configure({ home, repo, url: this.#server.url })
  }
}

/** Where the clients are installed, or why they are not. */
export const installed = (): ReturnType<typeof installClients> => installClients()

/** Whether no `agentm` is installed in a directory of the PATH. */
function hasNoAgentm(directory: string): boolean {
  return !existsSync(path.join(directory, 'agentm'))
}
