/** A world with sources to import, and what became of them. */
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { CliWorld } from './cli-world.ts'

const sources = path.join(import.meta.dirname, 'imports')

export interface Report {
  readonly format: string
  readonly written: boolean
  readonly new: number
  readonly changed: number
  readonly unchanged: number
  readonly known: number
  readonly skipped: ReadonlyArray<{
    readonly why: string
    readonly count: number
    readonly examples: readonly string[]
  }>
  readonly redacted: { readonly notes: number; readonly kinds: readonly string[] }
}

export class ImportWorld {
  readonly cli: CliWorld

  constructor(cli: CliWorld) {
    this.cli = cli
  }

  static async forThisTest(): Promise<ImportWorld> {
    return new ImportWorld(await CliWorld.forThisTest())
  }

  /** A copy of one of the sources of these tests. */
  async source(name: string): Promise<string> {
    const to = path.join(this.cli.home, 'sources', name)
    if (name === 'claude-mem.db')
      await this.cli.file(`sources/${name}`, '').then(async (file) => writeFile(file, await claudeMem()))
    else await cp(path.join(sources, name), to, { recursive: true })
    return to
  }

  async import(...args: readonly string[]): Promise<Report> {
    const { out, err } = await this.cli.agentm(['import', ...args, '--json'])
    const report = JSON.parse(out) as Report & { readonly error?: { readonly message: string } }
    if (report.error !== undefined) throw new Error(`${report.error.message} ${err}`)
    return report
  }

  /** Every note by its place, without the directories of agentm's own files. */
  async notes(): Promise<ReadonlyMap<string, string>> {
    const root = path.join(this.cli.home, '.agentm/memory')
    const names = await readdir(root, { recursive: true }).catch(() => [])
    const keys = names
      .map((name) => name.split(path.sep).join('/'))
      .filter((key) => key.endsWith('.md') && !key.startsWith('beliefs/'))
    const texts = await Promise.all(
      keys.toSorted().map(async (key) => [key, await readFile(path.join(root, key), 'utf8')]),
    )
    return new Map(texts as [string, string][])
  }
}

async function claudeMem(): Promise<Buffer> {
  return gunzipSync(await readFile(path.join(sources, 'claude-mem.db.gz')))
}
