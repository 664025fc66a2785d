/** A repository in a directory of its own, and what the gates say about each of its files. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runGates, type GatesConfigInput } from '@agentm/gates'

export type Files = Readonly<Record<string, string | object>>

export async function inRepository<T>(files: Files, use: (root: string) => Promise<T>): Promise<T> {
  const root = await mkdtemp(path.join(tmpdir(), 'agentm-gates-'))
  try {
    await lay(root, {
      'package.json': { name: 'w', private: true, type: 'module', workspaces: ['packages/*'] },
      ...files,
    })
    return await use(root)
  } finally {
    await rm(root, { recursive: true })
  }
}

/** `rule: message` of every finding, by file. */
export async function findingsIn(files: Files, config: GatesConfigInput, only: readonly string[]) {
  return inRepository(files, async (root) => {
    const { findings } = await runGates({ root, config, only })
    const byFile: Record<string, string[]> = {}
    for (const { file, rule, message } of findings) (byFile[file] ??= []).push(`${rule}: ${message}`)
    return byFile
  })
}

export function manifest(name: string, more: object = {}): object {
  return {
    name: `@acme/${name}`,
    type: 'module',
    exports: { '.': { '@acme/source': './src/index.ts', default: './dist/index.js' } },
    nx: { tags: [`layer:${name}`] },
    ...more,
  }
}

async function lay(root: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true })
    await writeFile(path.join(root, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
}
