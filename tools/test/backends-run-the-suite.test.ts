import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'

const packages = new URL('../../packages/', import.meta.url)

interface Sources {
  readonly name: string
  /** `src/index.ts`. */
  readonly index: string
  readonly sources: readonly string[]
  readonly tests: readonly string[]
}

describe('every backend of this repository', () => {
  it('runs the conformance suite in its own tests', async () => {
    const names = await readdir(packages)
    expect((await Promise.all(names.map(sourcesOf))).flatMap(unprovenIn)).toEqual([])
  })
})

describe('a backend', () => {
  const index = "export { MyBackend } from './my-backend.ts'\nexport { plugin } from './plugin.ts'\n"
  const sources = ['new Capabilities({ concurrentWriters: true })']
  const suite = "import { describeBackend } from '@agentm/conformance/vitest'\n"

  it.each([
    ['has no tests', []],
    ['tests itself in another way', ["it('reads', () => {})"]],
    ['only imports the suite', [suite]],
    ['only speaks of it in a comment', [`${suite}// describeBackend('mine', make, { processes })`]],
  ])('is found when it %s', (_, tests) => {
    expect(unprovenIn({ name: 'mine', index, sources, tests })).toEqual(['mine exports plugin and runs no contract'])
  })

  it('is found when it declares concurrentWriters and gives the suite no second process', () => {
    const tests = [`${suite}describeBackend('mine', make)`]
    expect(unprovenIn({ name: 'mine', index, sources, tests })).toEqual([
      'mine declares concurrentWriters and gives the suite no processes',
    ])
  })

  it.each([
    ['processes', "describeBackend('mine', make, { processes: { module: '@agentm/mine' } })"],
    [
      'a plugin to open',
      "const { make, options } = pluginSubject(plugin, { module })\ndescribeBackend('mine', make, options)",
    ],
  ])('is fine when it runs the suite with %s', (_, call) => {
    expect(unprovenIn({ name: 'mine', index, sources, tests: [`${suite}${call}`] })).toEqual([])
  })

  it('is only what exports plugin', () => {
    expect(
      unprovenIn({ name: 'mine', index: "export { type Plugin } from './plugin.ts'", sources, tests: [] }),
    ).toEqual([])
    expect(
      unprovenIn({ name: 'mine', index: 'export const plugin: BackendPlugin = {}', sources: [], tests: [] }),
    ).toHaveLength(1)
  })
})

function unprovenIn({ name, index, sources, tests }: Sources): readonly string[] {
  if (!exportsPlugin(withoutComments(index))) return []
  const running = tests.map(withoutComments).filter((test) => /^\s*describeBackend\(/m.test(test))
  if (running.length === 0) return [`${name} exports plugin and runs no contract`]
  const concurrent = sources.some((source) => /concurrentWriters:\s*true/.test(withoutComments(source)))
  const proven = running.some((test) => /\bprocesses\b|\bpluginSubject\(/.test(test))
  return concurrent && !proven ? [`${name} declares concurrentWriters and gives the suite no processes`] : []
}

function exportsPlugin(index: string): boolean {
  const listed = [...index.matchAll(/\bexport\s*\{([^}]*)\}/g)].flatMap(([, names = '']) => names.split(','))
  return /\bexport\s+const\s+plugin\b/.test(index) || listed.some((name) => /(^|\s)plugin\s*$/.test(name))
}

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/(^|\s)\/\/.*$/gm, '')
}

async function sourcesOf(name: string): Promise<Sources> {
  const [sources, tests] = await Promise.all([textsIn(`${name}/src/`, '.ts'), textsIn(`${name}/test/`, '.test.ts')])
  return { name, index: sources.get('index.ts') ?? '', sources: [...sources.values()], tests: [...tests.values()] }
}

async function textsIn(folder: string, end: string): Promise<Map<string, string>> {
  const root = new URL(folder, packages)
  const names = await readdir(root, { recursive: true }).catch(() => [])
  const wanted = names.filter((file) => file.endsWith(end))
  return new Map(
    await Promise.all(wanted.map(async (file) => [file, await readFile(new URL(file, root), 'utf8')] as const)),
  )
}
