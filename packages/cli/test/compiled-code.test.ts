import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Script } from 'node:vm'
import { afterAll, describe, expect, it } from 'vitest'
import { codeHome, CompiledCode, type SourceFile } from '../src/compiled-code.ts'
import { loadBundle } from '../src/load-bundle.ts'

const now = Date.parse('2026-11-19')
const day = 86_400_000
const homes: string[] = []
afterAll(async () => Promise.all(homes.map((home) => rm(home, { recursive: true }))))

async function setup() {
  const home = await mkdtemp(path.join(tmpdir(), 'agentm-code-'))
  homes.push(home)
  await mkdir(path.join(home, 'agentm'))
  return path.join(home, 'agentm', 'code')
}

/** One run of a command that consists of this source, and whether it had to be compiled. */
async function runOf(home: string, text: string, { at = now } = {}) {
  const source: SourceFile = { name: 'main.cjs', bytes: Buffer.from(text) }
  const code = new CompiledCode(home, 'recall', at)
  const cachedData = code.find(source)
  const script = new Script(text, cachedData === undefined ? {} : { cachedData })
  code.add(source, script)
  const value: unknown = script.runInThisContext()
  code.write()
  const file = await fileIn(home)
  if (file !== undefined) await utimes(file, at / 1000, at / 1000)
  return { value, isCompiled: cachedData === undefined || script.cachedDataRejected === true }
}

async function fileIn(home: string): Promise<string | undefined> {
  const found = await readdir(home, { recursive: true }).catch(() => [])
  return found.flatMap((name) => (name.endsWith('main.cjs') ? [path.join(home, name)] : []))[0]
}

describe('compiled code', () => {
  it('is given to the next run of the same source', async () => {
    const home = await setup()
    expect(await runOf(home, '(() => 41 + 1)()')).toEqual({ value: 42, isCompiled: true })
    expect(await runOf(home, '(() => 41 + 1)()')).toEqual({ value: 42, isCompiled: false })
  })

  it('is not given to another source, also if that has the same length', async () => {
    const home = await setup()
    await runOf(home, '(() => 41 + 1)()')
    expect(await runOf(home, '(() => 41 + 2)()')).toEqual({ value: 43, isCompiled: true })
    expect(await runOf(home, '(() => 41 + 2)()')).toEqual({ value: 43, isCompiled: false })
  })

  it('is not used once it was damaged, and is written again', async () => {
    const home = await setup()
    await runOf(home, '(() => 41 + 1)()')
    const file = (await fileIn(home)) ?? ''
    const bytes = await readFile(file)
    await writeFile(file, bytes.fill(0, bytes.length / 2))
    expect(await runOf(home, '(() => 41 + 1)()')).toEqual({ value: 42, isCompiled: true })
    expect(await runOf(home, '(() => 41 + 1)()')).toEqual({ value: 42, isCompiled: false })
  })

  it('is written again after a day, with what was compiled since', async () => {
    const home = await setup()
    const text = '(globalThis.wanted === true ? (() => { return [1, 2, 3].map((each) => each * 14)[2] })() : 0)'
    await runOf(home, text)
    const { size } = await stat((await fileIn(home)) ?? '')
    Reflect.set(globalThis, 'wanted', true)
    await runOf(home, text, { at: now + day / 2 })
    expect((await stat((await fileIn(home)) ?? '')).size).toBe(size)
    expect(await runOf(home, text, { at: now + 2 * day })).toEqual({ value: 42, isCompiled: false })
    expect((await stat((await fileIn(home)) ?? '')).size).toBeGreaterThan(size)
    Reflect.deleteProperty(globalThis, 'wanted')
  })

  it('is removed if no run wrote it for a week', async () => {
    const home = await setup()
    const old = path.join(home, 'recall-1')
    await mkdir(old, { recursive: true })
    await writeFile(path.join(old, 'main.cjs'), '')
    await utimes(path.join(old, 'main.cjs'), now / 1000, now / 1000 - 8 * 86_400)
    await runOf(home, '1')
    expect(await readdir(home)).toHaveLength(1)
    expect(await readdir(home)).not.toContain('recall-1')
  })

  it.skipIf(process.platform === 'win32')('is neither read nor written where others may write', async () => {
    const home = await setup()
    await runOf(home, '(() => 41 + 1)()')
    const folder = path.dirname((await fileIn(home)) ?? '')
    await chmod(folder, 0o777)
    const before = await stat((await fileIn(home)) ?? '')
    expect((await runOf(home, '(() => 41 + 1)()')).isCompiled).toBe(true)
    expect((await stat((await fileIn(home)) ?? '')).ino).toBe(before.ino)
  })

  it('does without, where nothing can be written', async () => {
    const home = await setup()
    await writeFile(home, 'a file where the folder should be')
    expect(await runOf(home, '(() => 41 + 1)()')).toEqual({ value: 42, isCompiled: true })
  })

  it('is not written by somebody who only looks, before agentm has written anything', async () => {
    const home = path.join(await setup(), 'nothing-here', 'code')
    await runOf(home, '(() => 41 + 1)()')
    expect(await fileIn(home)).toBeUndefined()
  })

  it('is kept in the cache folder of the user', () => {
    expect(codeHome({ XDG_CACHE_HOME: '/srv/cache' })).toBe(path.resolve('/srv/cache/agentm/code'))
    expect(codeHome({})).toMatch(/\.cache.agentm.code$/)
  })
})

describe('a bundle', () => {
  it('is loaded file by file, each once, with what lies beside it and what Node has', async () => {
    const home = await setup()
    await mkdir(home, { recursive: true })
    await writeFile(
      path.join(home, 'main.cjs'),
      'exports.all = [require("./part.cjs"), require("./part.cjs"), require("node:os")]',
    )
    await writeFile(
      path.join(home, 'part.cjs'),
      'exports.where = __filename; exports.later = () => importOther("../later.mjs")',
    )
    await writeFile(path.join(home, '..', 'later.mjs'), 'export const answer = 42')
    const { all } = loadBundle(home, 'main.cjs') as { all: readonly Record<string, () => Promise<unknown>>[] }
    expect(all[0]).toMatchObject({ where: path.join(home, 'part.cjs') })
    expect(await all[0]?.['later']?.()).toMatchObject({ answer: 42 })
    expect(all[1]).toBe(all[0])
    expect(all[2]).toHaveProperty('homedir')
  })

  it('says in which file it failed', async () => {
    const home = await setup()
    await mkdir(home, { recursive: true })
    await writeFile(path.join(home, 'main.cjs'), 'throw new Error("no such part")')
    const failed = (() => {
      try {
        return loadBundle(home, 'main.cjs')
      } catch (error) {
        return String((error as Error).stack)
      }
    })()
    expect(failed).toContain(path.join(home, 'main.cjs'))
  })
})
