/** Packages that hold plugins: written somewhere on the disk, and installed where this user's packages are. */
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import ts from 'typescript'
import { onTestFinished } from 'vitest'

const root = path.resolve(import.meta.dirname, '../../..')

/** The example of a README that speaks of `naming`, compiled. */
export async function shownPlugin(file: string, naming: string): Promise<string> {
  const readme = await readFile(path.join(root, file), 'utf8')
  const fences = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = '']) => code)
  const shown = fences.find((code) => code.includes(naming))
  if (shown === undefined) throw new Error(`${file} shows no ${naming}`)
  return ts.transpile(shown, { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext })
}

export interface PluginPackage {
  readonly source: string
  /** As package.json has it. */
  readonly agentm: Readonly<Record<string, unknown>>
}

/** What it imports is there as npm would have put it: our packages, and what they depend on. */
export async function installPlugin(
  home: string,
  name: string,
  { source, agentm }: PluginPackage,
  place = path.join(home, '.claude'),
): Promise<void> {
  const written = await mkdtemp(path.join(tmpdir(), 'agentm-plugin-'))
  onTestFinished(() => rm(written, { recursive: true, force: true }))
  await writeFile(path.join(written, 'index.js'), source)
  await writeFile(
    path.join(written, 'package.json'),
    JSON.stringify({ name, version: '1.0.0', type: 'module', agentm }),
  )
  const modules = path.join(place, 'node_modules')
  await mkdir(modules, { recursive: true })
  await cp(written, path.join(modules, name), { recursive: true })
  for (const each of ['@agentm', 'zod'])
    await symlink(path.join(root, 'node_modules', each), path.join(modules, each), 'junction')
}
