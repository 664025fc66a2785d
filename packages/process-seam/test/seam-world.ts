/** A home, a checkout and, where wanted, a vault, all of this test's own; the shim and the functions run as their users would. */
import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const exec = promisify(execFile)
const shim = fileURLToPath(new URL('../bin/agentm-process-seam.mjs', import.meta.url))

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

export class SeamWorld {
  readonly home: string
  readonly repo: string
  /** What else is in the environment of a process that is started here. */
  more: Readonly<Record<string, string>> = {}

  constructor(home: string) {
    this.home = home
    this.repo = path.join(home, 'repo')
  }

  static async make({
    origin = 'git@github.com:me/acme.git',
  }: { readonly origin?: string | undefined } = {}): Promise<SeamWorld> {
    const world = new SeamWorld(await mkdtemp(path.join(tmpdir(), 'process-seam-')))
    await mkdir(world.repo)
    // Without an origin it is a directory and no repository: then there is no project.
    if (origin !== '') await exec('git', ['init', '-q', world.repo])
    if (origin !== '') await exec('git', ['-C', world.repo, 'remote', 'add', 'origin', origin])
    return world
  }

  get env(): NodeJS.ProcessEnv {
    return { PATH: process.env['PATH'], HOME: this.home, XDG_CACHE_HOME: path.join(this.home, '.cache'), ...this.more }
  }

  async config(values: Readonly<Record<string, unknown>>): Promise<void> {
    await this.file('.claude/.agentm-config.json', `${JSON.stringify(values, undefined, 2)}\n`)
  }

  /** A vault, chosen in the config, with a plan of this project in it. */
  async withVault(): Promise<string> {
    const vault = path.join(this.home, 'vault')
    await this.file('vault/projects/acme/_harness/PLAN.md', '# Plan\n')
    await this.config({ 'storage.backend': 'vault', 'plugins.obsidian-vault.vault_path': vault })
    return vault
  }

  async file(name: string, text: string): Promise<string> {
    const file = path.join(this.home, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text)
    return file
  }

  /** A note as `save` writes it, in a store that has its marker. */
  async note(name: string, { kind, text }: { readonly kind: string; readonly text: string }): Promise<void> {
    const slug = path.basename(name, '.md')
    const head = `kind: ${kind}\nstatus: active\ncreated: 2026-01-02\nupdated: 2026-01-02\ntags: []\ngroup: x\nslug: ${slug}\nalways_load: false`
    await this.file(name, `---\n${head}\n---\n\n${text}\n`)
    await this.file(path.join(name.split('/')[0] ?? '', '_meta/agentm-store.json'), '{ "id": "store-1" }\n')
  }

  /** Runs the shim in the checkout. */
  async shim(
    args: readonly string[],
    { input = '', node = [] }: { readonly input?: string; readonly node?: readonly string[] } = {},
  ): Promise<Ran> {
    const child = spawn(process.execPath, [...node, shim, ...args], { cwd: this.repo, env: this.env })
    const [out, err] = [child.stdout, child.stderr].map((stream) => collect(stream))
    child.stdin.end(input)
    const code = await new Promise<number>((resolve) => child.on('close', (status) => resolve(status ?? -1)))
    return { code, out: (await out) ?? '', err: (await err) ?? '' }
  }

  async remove(): Promise<void> {
    await rm(this.home, { recursive: true, force: true })
  }
}

async function collect(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
