import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compiledAt, isBundleCurrent } from '../src/is-bundle-current.ts'

const exec = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))

describe('whether the bundle is current', () => {
  const folders: string[] = []
  afterAll(async () => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

  /** Two packages side by side and a bundle of them: built here, or installed. */
  async function setup({ isInstalled = false } = {}) {
    const packages = await mkdtemp(path.join(tmpdir(), 'agentm-bundle-'))
    folders.push(packages)
    for (const name of ['cli', 'memory']) {
      await mkdir(path.join(packages, name, 'dist'), { recursive: true })
      await writeFile(path.join(packages, name, 'package.json'), '{"version":"1.2.0"}')
      if (!isInstalled) await writeFile(path.join(packages, name, 'dist', '.tsbuildinfo'), '{}')
    }
    const bundle = path.join(packages, 'cli', 'dist', 'bundle')
    await mkdir(bundle)
    await writeFile(path.join(bundle, 'manifest.json'), JSON.stringify({ versions: { cli: '1.2.0', memory: '1.2.0' } }))
    const compiled = { cli: compiledAt(path.join(packages, 'cli')), memory: compiledAt(path.join(packages, 'memory')) }
    if (!isInstalled) await writeFile(path.join(bundle, 'compiled.json'), JSON.stringify(compiled))
    return { packages, bundle }
  }

  it('is, made from what was compiled last', async () => {
    const { packages } = await setup()
    expect(isBundleCurrent(packages)).toBe(true)
  })

  it('is not once anything of a package was compiled again', async () => {
    const { packages } = await setup()
    await writeFile(path.join(packages, 'memory', 'dist', '.tsbuildinfo'), '{"again":1}')
    expect(isBundleCurrent(packages)).toBe(false)
  })

  it('is, in an installation whose versions are those it was made from', async () => {
    const { packages } = await setup({ isInstalled: true })
    expect(isBundleCurrent(packages)).toBe(true)
  })

  it('is not where one package was brought up to date alone', async () => {
    const { packages } = await setup({ isInstalled: true })
    await writeFile(path.join(packages, 'memory', 'package.json'), '{"version":"1.2.1"}')
    expect(isBundleCurrent(packages)).toBe(false)
  })

  it('is not where a package is not beside the others', async () => {
    const { packages } = await setup({ isInstalled: true })
    await rm(path.join(packages, 'memory'), { recursive: true })
    expect(isBundleCurrent(packages)).toBe(false)
  })

  it('is not where a package has copies of its own', async () => {
    const { packages } = await setup({ isInstalled: true })
    await mkdir(path.join(packages, 'memory', 'node_modules', '@agentm'), { recursive: true })
    expect(isBundleCurrent(packages)).toBe(false)
  })

  it('is not where nothing was built, or what says so is broken', async () => {
    const { packages, bundle } = await setup()
    await writeFile(path.join(bundle, 'manifest.json'), '{"versions"')
    expect(isBundleCurrent(packages)).toBe(false)
    await rm(bundle, { recursive: true })
    expect(isBundleCurrent(packages)).toBe(false)
  })
})

describe('the command from its bundle', () => {
  let home = ''
  const file = path.join(root, 'packages', 'cli', 'dist', 'main.js')
  const loader = path.join(root, 'packages', 'cli', 'dist', 'load-bundle.js')
  const bundled = path.join(root, 'packages', 'cli', 'dist', 'bundle', 'main.cjs')

  beforeAll(async () => {
    await exec(process.execPath, [path.join(root, 'tools', 'bundle-cli.mjs')])
    home = await mkdtemp(path.join(tmpdir(), 'agentm-bundled-'))
    await mkdir(path.join(home, '.harness'))
    await writeFile(path.join(home, '.harness', 'PLAN.md'), '# Plan\n')
    await run(bundled, ['init', '--yes'])
    await run(file, ['save', '--kind', 'fact', '--title', 'The harbour', 'The harbour closes at nine in winter.'])
  })
  afterAll(() => rm(home, { recursive: true }))

  async function run(main: string, args: readonly string[], input = '') {
    const load =
      main === bundled
        ? `loadBundle(${JSON.stringify(path.dirname(bundled))}, 'main.cjs')`
        : `await import(${JSON.stringify(pathToFileURL(main).href)})`
    const script = `import { loadBundle } from ${JSON.stringify(pathToFileURL(loader).href)}
      const { main } = ${load}
      process.exitCode = await main(process.argv.slice(1))`
    const env = { PATH: process.env['PATH'], HOME: home, XDG_CACHE_HOME: path.join(home, '.cache') }
    const running = exec(process.execPath, ['--input-type=module', '-e', script, '--', ...args], { cwd: home, env })
    running.child.stdin?.end(input)
    return running.then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
    )
  }

  it('is what the command is loaded from after a build', () => {
    expect(isBundleCurrent(path.join(root, 'packages'))).toBe(true)
  })

  const prompt = JSON.stringify({ prompt: 'when does the harbour close in winter?' })
  it.each([
    { args: ['recall', 'when does the harbour close?'], says: 'closes at nine' },
    { args: ['recall', '--of', 'dream', 'harbour'], says: '' },
    { args: ['recall'], says: '' },
    { args: ['hook', 'prompt-submit', '--within', '60000'], says: 'closes at nine' },
    { args: ['hook', 'session-start', '--within', '60000'], says: 'Project state for this repo' },
    { args: ['seam', 'recall-here', '--query', 'harbour'], says: 'closes at nine' },
    { args: ['seam', 'state-path', 'plan'], says: 'PLAN.md' },
    { args: ['seam', 'state-path', 'neither'], says: '' },
    { args: ['save', '--nothing-of-that-name'], says: '' },
    { args: ['config', 'list'], says: '' },
    { args: ['--version'], says: '.' },
  ])('says the same: $args', async ({ args, says }) => {
    const [quick, plain] = [await run(bundled, args, prompt), await run(file, args, prompt)]
    expect({ ...quick, stdout: timeless(quick.stdout) }).toEqual({ ...plain, stdout: timeless(plain.stdout) })
    expect(quick.stdout).toContain(says)
  })

  it('leaves nothing of ours outside that would load the rest of its package', async () => {
    const folder = path.dirname(bundled)
    const manifest: { chunks: string[] } = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8'))
    const chunks = manifest.chunks.filter((name) => /^(?:main|place|reading|recall|hook)\b/.test(name))
    const texts = await Promise.all(chunks.map((name) => readFile(path.join(folder, name), 'utf8')))
    const beside = texts.flatMap((text) =>
      Array.from(text.matchAll(/\brequire\("(\.\.\/[^"]+)"\)/g), ([, name = '']) => name),
    )
    expect(beside).toContainEqual(expect.stringContaining('/load-sqlite.js'))
    for (const name of new Set(beside))
      expect(await readFile(path.join(folder, name), 'utf8')).not.toMatch(/^(?:import|export) .* from '(?:\.|@agentm)/m)
  })

  it('finds what somebody has written by hand since, and brings the index up to it', async () => {
    const note = path.join(home, '.agentm', 'memory', 'personal', 'fact', 'the-quay.md')
    await writeFile(note, '---\nkind: fact\nstatus: active\n---\nThe quay is paved with basalt.\n')
    const { code, stdout } = await run(bundled, ['recall', 'what is the quay paved with?', '--json'])
    expect({ code, ...(JSON.parse(stdout) as { freshness: object }).freshness }).toMatchObject({ code: 0, changed: 1 })
    expect(stdout).toContain('basalt')
    const again = await run(bundled, ['recall', 'what is the quay paved with?', '--json'])
    expect(JSON.parse(again.stdout)).toMatchObject({ freshness: { changed: 0 } })
  })
})

/** What does not depend on when it was asked. */
function timeless(text: string): string {
  return text.replaceAll(/recency \d\.\d+|score \d\.\d+/g, '')
}
