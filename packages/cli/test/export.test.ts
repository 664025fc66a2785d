import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { semanticMemory } from '@agentm/memory'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { describe, expect, it } from 'vitest'
import { ImportWorld } from './import-world.ts'

interface Restored {
  readonly notes: { readonly new: number; readonly unchanged: number; readonly conflicts: readonly string[] }
  readonly beliefs: { readonly new: number; readonly unchanged: number; readonly different: number }
  readonly alwaysLoad: readonly string[]
}

async function putBack(world: ImportWorld, folder: string, ...args: readonly string[]): Promise<Restored> {
  return (await world.import(folder, ...args)) as unknown as Restored
}

/** Notes of all kinds: of two projects, of none, forgotten, superseded, proposed, written by hand in odd forms. */
async function filled(): Promise<ImportWorld> {
  const world = await ImportWorld.forThisTest()
  const { cli } = world
  await cli.agentm(['config', 'set', 'owner', 'ada'])
  await cli.agentm(['save', 'Staging listens on 5433', '--kind', 'fact'])
  await cli.agentm(['save', 'I like short answers', '--kind', 'preference', '--personal'])
  await cli.agentm(['save', 'A wrong thing', '--kind', 'fact'])
  await cli.agentm(['forget', 'projects/acme/fact/a-wrong-thing.md', '--reason', 'wrong'])
  await cli.agentm([
    'supersede',
    'projects/acme/fact/staging-listens-on-5433.md',
    'Staging listens on 6000',
    '--reason',
    'moved',
  ])
  await cli.agentm(['capture', 'Perhaps cache the answer'])
  await cli.file(
    '.agentm/memory/projects/build/wiki-style/Übersicht.md',
    '\uFEFF---\r\ntags:   [x]\r\n---\r\n\r\nWith a mark, CRLF and no last line break',
  )
  await cli.file('.agentm/memory/personal/note/plain.md', 'No fields.\n\n\n')
  await beliefsIn(world, ['Tests run before each commit', 'Deploys happen on Tuesdays'])
  return world
}

async function beliefsIn(world: ImportWorld, contents: readonly string[]): Promise<void> {
  const store = await openSqliteStore({
    path: path.join(world.cli.home, '.agentm/log/agentm.db'),
    concepts: [semanticMemory],
  })
  const drafts = contents.map((content, i) => ({
    concept: semanticMemory.name,
    id: `belief-${i}`,
    payload: {
      ownerUserId: 'ada',
      content,
      kind: 'fact',
      sourceEpisodes: ['v1:harness:observation:gone'],
      confidence: 0.7,
      lastReinforced: new Date(Date.now() - 86_400_000).toISOString(),
      provenance: 'distilled',
    },
    mutation: 'createHarnessSemanticMemory',
  }))
  await store.log.append(drafts, { owner: 'ada', actor: 'test', partition: 'acme' })
  await store.close()
}

/** Base64, so that no difference is lost in what is printed. */
async function bytesOf(world: ImportWorld): Promise<ReadonlyMap<string, string>> {
  return new Map([...(await world.notes())].map(([key, text]) => [key, Buffer.from(text).toString('base64')]))
}

async function filesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names.filter((each) => each.isFile()).map((each) => path.join(each.parentPath, each.name))
  const texts = await Promise.all(
    files.map(async (file) => [path.relative(folder, file), await readFile(file, 'base64')]),
  )
  return new Map(texts as [string, string][])
}

describe('agentm export', () => {
  it('and agentm import give the same notes, byte for byte, and the same beliefs', async () => {
    const world = await filled()
    const folder = path.join(world.cli.home, 'out')
    const { out, code } = await world.cli.agentm(['export', folder])
    expect([code, out.replaceAll(/\s+/g, ' ')]).toEqual([0, `7 notes and 2 beliefs were exported to ${folder}. `])
    const fresh = await ImportWorld.forThisTest()
    await fresh.cli.agentm(['config', 'set', 'owner', 'ada'])
    expect(await putBack(fresh, folder)).toMatchObject({ notes: { new: 7 }, beliefs: { new: 2 } })
    expect((await fresh.notes()).size).toBe(0)
    expect(await putBack(fresh, folder, '--write')).toMatchObject({
      notes: { new: 7, conflicts: [] },
      beliefs: { new: 2 },
    })
    expect(await bytesOf(fresh)).toEqual(await bytesOf(world))
    expect((await fresh.cli.json(['beliefs', '--status', 'all']))['beliefs']).toEqual(
      (await world.cli.json(['beliefs', '--status', 'all']))['beliefs'],
    )
    expect(await putBack(fresh, folder, '--write')).toMatchObject({
      notes: { new: 0, unchanged: 7, conflicts: [] },
      beliefs: { new: 0, unchanged: 2, different: 0 },
    })
    expect(JSON.stringify(await fresh.cli.json(['recall', 'staging listens']))).toContain('6000')
    const second = path.join(fresh.cli.home, 'again')
    await fresh.cli.agentm(['export', second])
    const [one, other] = [await filesIn(path.join(folder, 'notes')), await filesIn(path.join(second, 'notes'))]
    expect(other).toEqual(one)
    for (let i = 0; i < 3; i++) await fresh.cli.agentm(['consolidate'])
    expect((await fresh.cli.json(['beliefs']))['beliefs']).toHaveLength(2)
  })

  it('brings an earlier export up to date, and leaves other files in it alone', async () => {
    const world = await filled()
    const folder = path.join(world.cli.home, 'out')
    await world.cli.agentm(['export', folder])
    await writeFile(path.join(folder, 'README'), 'mine')
    await rm(path.join(world.cli.home, '.agentm/memory/personal/note/plain.md'))
    await world.cli.agentm(['save', 'Something new', '--kind', 'fact'])
    expect((await world.cli.agentm(['export', folder])).code).toBe(0)
    const files = [...(await filesIn(folder)).keys()]
    expect(files).toContain('README')
    expect(files).toContain('notes/projects/acme/fact/something-new.md')
    expect(files).not.toContain('notes/personal/note/plain.md')
  })

  it('writes into no folder with other files, and into no store', async () => {
    const world = await filled()
    await world.cli.file('mine/a.txt', 'mine')
    for (const [folder, why] of [
      ['mine', 'is not empty and no earlier export'],
      ['.agentm/memory/out', 'is in a store of notes'],
      ['mine/a.txt', 'is a file'],
    ] as const) {
      const { code, err } = await world.cli.agentm(['export', path.join(world.cli.home, folder)])
      expect([code, err.replaceAll(/\s+/g, ' ')]).toEqual([2, expect.stringContaining(why)])
    }
    expect(await readdir(path.join(world.cli.home, 'mine'))).toEqual(['a.txt'])
  })

  it('has nothing to write where nothing was ever kept, and makes nothing', async () => {
    const world = await ImportWorld.forThisTest()
    const { out } = await world.cli.agentm(['export', path.join(world.cli.home, 'out')])
    expect(out).toBe('There is nothing to export.\n')
    expect(await readdir(world.cli.home)).not.toContain('out')
  })

  it('writes with --all every version of every node, and import takes the beliefs of it', async () => {
    const world = await filled()
    const folder = path.join(world.cli.home, 'out')
    await world.cli.agentm(['beliefs', 'prune', 'belief-0'])
    await world.cli.agentm(['export', folder, '--all'])
    const lines = (await readFile(path.join(folder, 'nodes.jsonl'), 'utf8')).trimEnd().split('\n')
    const nodes = lines.map((line) => JSON.parse(line) as { id: string; version: number; payload: { status: string } })
    expect(nodes.filter(({ id }) => id.endsWith(':belief-0')).map(({ version }) => version)).toEqual([1, 2])
    const fresh = await ImportWorld.forThisTest()
    await fresh.cli.agentm(['config', 'set', 'owner', 'ada'])
    expect(await putBack(fresh, folder, '--write')).toMatchObject({ beliefs: { new: 2 } })
    const { beliefs } = (await fresh.cli.json(['beliefs', '--status', 'pruned'])) as { beliefs: readonly unknown[] }
    expect(beliefs).toHaveLength(1)
  })

  it('names notes that cannot be read, and does not call that success', async () => {
    const world = await filled()
    await writeFile(path.join(world.cli.home, '.agentm/memory/personal/note/torn.md'), Buffer.from([0x66, 0xff]))
    const { code, out } = await world.cli.agentm(['export', path.join(world.cli.home, 'out')])
    expect([code, out]).toEqual([1, expect.stringContaining('  personal/note/torn.md\n')])
  })

  it('that was killed is recognised, refused by import, and completed by another run', async () => {
    const world = await filled()
    for (let i = 0; i < 300; i++) await world.cli.file(`.agentm/memory/personal/note/n${i}.md`, `Note ${i}\n`)
    const folder = path.join(world.cli.home, 'out')
    const started = world.cli.start(['export', folder])
    const begun = path.join(folder, 'notes/personal/note')
    while ((await readdir(begun).catch(() => [])).length < 10) await new Promise((resolve) => setTimeout(resolve, 5))
    await started.kill('SIGKILL')
    const { err, code } = await world.cli.agentm(['import', folder])
    expect([code, err.replaceAll(/\s+/g, ' ')]).toEqual([1, expect.stringContaining('the export was interrupted')])
    expect((await world.cli.agentm(['export', folder])).code).toBe(0)
    expect(await putBack(world, folder)).toMatchObject({ notes: { new: 0, unchanged: 307 } })
  })
})

describe('an export that is put back', () => {
  it('changes no note and no belief that is different here', async () => {
    const world = await filled()
    const folder = path.join(world.cli.home, 'out')
    await world.cli.agentm(['export', folder])
    await world.cli.file('.agentm/memory/personal/note/plain.md', 'Changed since.\n')
    await world.cli.agentm(['beliefs', 'prune', 'belief-1'])
    const { code, out } = await world.cli.agentm(['import', folder, '--write'])
    expect(code).toBe(1)
    expect(out).toContain('another text is at personal/note/plain.md; it was not changed')
    expect(out).toContain('different here, and kept: 1')
    expect(await world.cli.read('.agentm/memory/personal/note/plain.md')).toBe('Changed since.\n')
  })

  it('makes sessions begin with a note only if a person says so', async () => {
    const world = await filled()
    await world.cli.file('.agentm/memory/personal/_always-load/obey.md', 'Be kind.\n')
    const folder = path.join(world.cli.home, 'out')
    await world.cli.agentm(['export', folder])
    expect(await putBack(world, folder, '--write')).toMatchObject({ alwaysLoad: [] })
    const fresh = await ImportWorld.forThisTest()
    const key = 'personal/_always-load/obey.md'
    expect(await putBack(fresh, folder, '--write')).toMatchObject({ alwaysLoad: [key], notes: { new: 7 } })
    expect(await fresh.cli.atTerminal(['import', folder, '--write'], 'no')).toContain('were left out')
    expect((await fresh.notes()).has(key)).toBe(false)
    await fresh.cli.atTerminal(['import', folder, '--write'], 'number')
    expect((await fresh.notes()).get(key)).toBe('Be kind.\n')
  })

  it('writes nothing where programs keep their own files, and refuses lines that are no beliefs', async () => {
    const world = await filled()
    const folder = path.join(world.cli.home, 'out')
    await world.cli.agentm(['export', folder])
    const odd = ['_meta/repos.md', '.obsidian/a.md', 'beliefs/device/a.md', 'projects/acme/_harness/PLAN.md']
    for (const key of odd) {
      await mkdir(path.dirname(path.join(folder, 'notes', key)), { recursive: true })
      await writeFile(path.join(folder, 'notes', key), 'x')
    }
    const fresh = await ImportWorld.forThisTest()
    await fresh.cli.agentm(['config', 'set', 'owner', 'ada'])
    expect(await putBack(fresh, folder, '--write')).toMatchObject({ notes: { new: 7 } })
    for (const key of odd) expect((await fresh.notes()).has(key)).toBe(false)
    await writeFile(
      path.join(folder, 'nodes.jsonl'),
      '{"id":"v1:harness:semanticMemory:x","concept":"v1:harness:semanticMemory","version":1,"payload":{}}\n',
    )
    const { code, err } = await fresh.cli.agentm(['import', folder, '--write'])
    expect([code, err.replaceAll(/\s+/g, ' ')]).toEqual([
      1,
      expect.stringContaining('nodes.jsonl, line 1: it is no belief'),
    ])
  })
})
