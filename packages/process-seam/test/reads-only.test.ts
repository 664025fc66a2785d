import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { SeamWorld } from './seam-world.ts'

const worlds: SeamWorld[] = []
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.remove()))
})

async function setup() {
  const world = await SeamWorld.make()
  worlds.push(world)
  return world
}

/** Every name below a directory with its size and times: what a write, a directory made or a migration would change. */
async function picture(directory: string): Promise<string[]> {
  const names = await readdir(directory, { recursive: true })
  const lines = names.map(async (name) => {
    const { size, mtimeMs, isDirectory } = await stat(path.join(directory, name)).then((stats) => ({
      size: stats.size,
      mtimeMs: stats.mtimeMs,
      isDirectory: stats.isDirectory(),
    }))
    return isDirectory ? `${name}/` : `${name} ${size} ${mtimeMs}`
  })
  return (await Promise.all(lines)).toSorted()
}

const questions: ReadonlyArray<readonly string[]> = [
  ['recall-here'],
  ['recall-here', '--query', 'locks', '--limit', '500'],
  ['state-path', 'plan'],
  ['state-path', 'progress', '--plan', 'foo'],
  ['offer-save-here', '--kind', 'decision', '--slug', 'foo'],
]
const report = ['--import', fileURLToPath(new URL('report-writes.mjs', import.meta.url))]

const homes: Readonly<Record<string, (world: SeamWorld) => Promise<unknown>>> = {
  'an empty home': async () => {},
  'a vault in use': (world) => world.withVault(),
  'a vault with notes and no index': async (world) => {
    await world.withVault()
    await world.note('vault/projects/acme/decision/locks.md', { kind: 'decision', text: 'Lock, then write.' })
  },
  'a vault that is gone': (world) =>
    world.config({ 'storage.backend': 'vault', 'plugins.obsidian-vault.vault_path': path.join(world.home, 'nowhere') }),
  'a config of an older installation': async (world) => {
    await world.file('vault/note.md', 'x')
    await world.config({ vault_path: path.join(world.home, 'vault') })
  },
  'a corrupt config': (world) => world.file('.claude/.agentm-config.json', '{'),
}

describe('asking changes nothing', () => {
  it.each(Object.keys(homes))('in %s', async (home) => {
    const world = await setup()
    await homes[home]?.(world)
    const before = await picture(world.home)
    for (const question of questions) {
      const { err } = await world.shim(question, { node: report, input: 'text' })
      expect(err).toContain('WRITES []')
    }
    expect(await picture(world.home)).toEqual(before)
  })

  it('is noticed when it is not so', async () => {
    const world = await setup()
    const planted = await world.file(
      'planted.mjs',
      `import { writeFile } from 'node:fs/promises'\nawait writeFile('x', '')\n`,
    )
    const { err } = await world.shim(['state-path', 'plan'], { node: [...report, '--import', planted] })
    expect(err).toContain('WRITES ["promises.writeFile x"]')
  })
})
