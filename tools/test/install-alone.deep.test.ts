import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, it } from 'vitest'
import { checkAlone } from '../install/alone.mjs'
import { loopbackRegistry } from '../install/loopback-registry.mjs'
import { faultsIn, packAll, type Packed } from '../install/packed.mjs'
import { publishAll } from '../install/publish.mjs'
import { checkProgram } from '../install/types.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const tsc = path.join(root, 'node_modules/.bin/tsc')
const { devDependencies: pins } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
  readonly devDependencies: Readonly<Record<string, string>>
}

const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n`
const sound = {
  'package.json': { exports: { '.': './dist/index.js' }, bin: { planted: './dist/bin.js' } },
  'dist/index.js': 'export const answer = 42\n',
  'dist/bin.js': "#!/usr/bin/env node\nconsole.log('usage')\n",
  'README.md': `${fence('js', "import { answer } from '@planted/one'\nconsole.log(answer)")}\n${fence('text', '42')}`,
  LICENSE: 'text\n',
}

interface Manifest {
  readonly dist: { readonly tarball: string }
}

const scratches: string[] = []
afterEach(async () => {
  for (const scratch of scratches.splice(0)) await rm(scratch, { recursive: true, force: true })
})

/** A repository with one package, `@planted/one`, packed and tried alone. */
async function tryPlanted(files: Record<string, string | object>) {
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'agentm-planted-'))
  scratches.push(scratch)
  const home = path.join(scratch, 'repo', 'packages', 'one')
  await mkdir(path.join(home, 'dist'), { recursive: true })
  await writeFile(path.join(scratch, 'repo', 'package.json'), JSON.stringify({ workspaces: ['packages/*'] }))
  for (const [file, content] of Object.entries({ ...sound, ...files })) {
    const manifest = { name: '@planted/one', version: '1.0.0', type: 'module', ...(content as object) }
    await writeFile(path.join(home, file), typeof content === 'string' ? content : JSON.stringify(manifest))
  }
  const [packed] = await packAll(path.join(scratch, 'repo'), scratch)
  if (packed === undefined) throw new TypeError('npm packed nothing')
  const registry = await loopbackRegistry([packed])
  try {
    const folder = path.join(scratch, 'alone')
    const setting = { folder, scope: '@planted', registry: registry.url, pins, tsc, overrides: {} }
    const checks = [...(await checkAlone(packed, setting))]
    if ('dist/index.d.ts' in files) checks.push(await checkProgram(packed, { folder, tsc, pins }))
    return [...faultsIn(packed), ...checks.flatMap(({ what, fault }) => (fault === undefined ? [] : [what]))]
  } finally {
    registry.close()
  }
}

it('finds nothing wrong with a sound package', async () => {
  expect(await tryPlanted({})).toEqual([])
})

it('serves what is published to it by npm, once', async () => {
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'agentm-planted-'))
  scratches.push(scratch)
  await mkdir(path.join(scratch, 'one'))
  await writeFile(path.join(scratch, 'package.json'), JSON.stringify({ workspaces: ['one'] }))
  const manifest = { name: '@planted/one', version: '1.0.0', license: 'Apache-2.0' }
  await writeFile(path.join(scratch, 'one', 'package.json'), JSON.stringify(manifest))
  await promisify(execFile)('npm', ['pack', '--workspaces'], { cwd: scratch })
  const packed = { tarball: path.join(scratch, 'planted-one-1.0.0.tgz') } as Packed
  const registry = await loopbackRegistry([])
  try {
    await publishAll([packed], { registry: registry.url, scratch })
    const document = (await (await fetch(`${registry.url}@planted%2fone`)).json()) as {
      versions: Record<string, Manifest>
    }
    const archive = await fetch(document.versions['1.0.0']?.dist.tarball ?? '')
    expect(Buffer.from(await archive.arrayBuffer())).toEqual(await readFile(packed.tarball))
    await expect(publishAll([packed], { registry: registry.url, scratch })).rejects.toThrow(/403|already|previously/)
  } finally {
    registry.close()
  }
})

it('finds a package that grew too large', () => {
  const packed = {
    name: '@agentm/storage-seam',
    files: ['LICENSE', 'README.md', 'package.json'],
    size: 51_000,
  } as unknown as Packed
  expect(faultsIn(packed)).toEqual(['51 kB to download, and 50 are the most it may take'])
  expect(faultsIn({ ...packed, size: 49_000 })).toEqual([])
})

it('finds an undeclared dependency, an example that prints something else, and a command without help', async () => {
  const faults = await tryPlanted({
    'dist/index.js': "import 'vitest'\nexport const answer = 42\n",
    'dist/bin.js': '#!/usr/bin/env node\nprocess.exit(2)\n',
  })
  expect(faults).toEqual(['imports @planted/one', 'README line 1', 'planted --help'])
})

it('finds types that import what is not installed, where every library is checked', async () => {
  expect(await tryPlanted({ 'dist/index.d.ts': 'export declare const answer: 42\n' })).toEqual([])
  const types = "import pg from 'pg'\nexport declare const answer: 42\nexport declare function open(): pg.Client\n"
  expect(await tryPlanted({ 'dist/index.d.ts': types })).toEqual(['types of a program, every library checked'])
}, 60_000)

const typedExample = (call: string) => ({
  'dist/index.d.ts': 'export declare const answer: number\n',
  'README.md': `${fence('ts', `import { answer } from '@planted/one'\n${call}`)}\n${fence('text', '42')}`,
})

it('finds an example in TypeScript that a strict project refuses, and runs one that it takes', async () => {
  expect(await tryPlanted(typedExample('console.log(answer satisfies number)'))).toEqual([])
  expect(await tryPlanted(typedExample('console.log(answer satisfies string)'))).toEqual(['README line 1'])
}, 60_000)

it('finds a README whose output is not what its example prints', async () => {
  expect(await tryPlanted({ 'dist/index.js': 'export const answer = 41\n' })).toEqual(['README line 1'])
})

it('finds build info and tests among the contents, and a README without an example', async () => {
  const faults = await tryPlanted({ 'dist/.tsbuildinfo': '{}', 'dist/x.test.js': '', 'README.md': '# one\n' })
  expect(faults).toEqual([
    'dist/.tsbuildinfo does not belong into a published package',
    'dist/x.test.js does not belong into a published package',
    'README has an example',
  ])
})
