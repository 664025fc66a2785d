/** What a prompt hook sees of changes made by hand, on a real file system, when it has no time to look at every note. */
import { appendFile, rename, rm, writeFile } from 'node:fs/promises'
import { openMemoryReader } from '@agentm/memory/reader'
import { expect, test } from 'vitest'
import { noteText, pipeNotes } from './pipe-notes.ts'

async function indexedWorld() {
  const { world, texts, state, at, write } = await pipeNotes({ notes: 40, directories: 4 })
  await write('projects/other/decisions/theirs.md', 'Copper belongs to the others.')
  const listed: string[] = []
  const backend = new Proxy(world.backend, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: { readonly key?: string }[]) => {
        if (name === 'listInfo') listed.push(args[0]?.key ?? '')
        return Reflect.apply(value, target, args) as unknown
      }
    },
  })
  const { index, memory } = await world.open({ state })
  await memory.recall({ text: 'copper' })
  const ask = async (text: string, { scanBudgetMs = 60_000, turn = 0 } = {}) => {
    const project = { slug: 'acme' }
    const options = { backend, storeId: 'store-1', owner: 'ada', project, index, state }
    const reader = openMemoryReader({ ...options, runtime: { random: () => turn } })
    const { results, freshness } = await reader.recall({ text, k: 100, glance: true, scanBudgetMs })
    return { keys: results.map(({ key }) => key ?? '').toSorted(), freshness }
  }
  return { ask, write, at, listed, texts, memory, close: world.close }
}

test('a glance finds what was added, moved and removed by hand, and answers from the index for the rest', async () => {
  const { ask, write, at, close } = await indexedWorld()
  await write('projects/acme/d1/new.md', 'Zirconium pipes do not leak.')
  await write('projects/acme/d9/deep/newer.md', 'Zirconium wires do not glow.')
  await rename(at('projects/acme/d2/n2.md'), at('projects/acme/d2/moved.md'))
  await rm(at('projects/acme/d3/n3.md'))
  expect((await ask('zirconium')).keys).toEqual(['projects/acme/d1/new.md', 'projects/acme/d9/deep/newer.md'])
  const { keys, freshness } = await ask('copper')
  expect([keys.length, freshness.store]).toEqual([39, 'behind'])
  expect(keys).toContain('projects/acme/d2/moved.md')
  expect(keys.filter((key) => /n2\.md|n3\.md|theirs/.test(key))).toEqual([])
  await close()
})

test('without time to look, a glance answers from the index, and no note is served that is gone or was changed', async () => {
  const { ask, at, listed, close } = await indexedWorld()
  await rm(at('projects/acme/d3/n3.md'))
  await writeFile(at('projects/acme/d0/n0.md'), noteText('Steel wires glow.'))
  listed.length = 0
  const { keys } = await ask('copper pipe leaks', { scanBudgetMs: 0 })
  expect(listed).toEqual([])
  expect(keys.filter((key) => /n3\.md|n0\.md/.test(key))).toEqual([])
  expect(keys).toHaveLength(38)
  await close()
})

test('a file edited in place is noticed when its directory has its turn', async () => {
  const { ask, at, close } = await indexedWorld()
  await appendFile(at('projects/acme/d2/n2.md'), '\nThe code word is zirconium.\n')
  expect((await ask('zirconium')).keys).toEqual(['projects/acme/d2/n2.md'])
  await close()
})

test('a directory of thousands of notes waits for a whole walk, and notes of other projects are not looked at', async () => {
  const { ask, write, listed, memory, close } = await indexedWorld()
  for (let i = 0; i < 1001; i++) await write(`projects/acme/many/m${i}.md`, `Brass ${i}.`)
  await memory.recall({ text: 'brass' })
  await write('projects/acme/many/late.md', 'Zirconium.')
  listed.length = 0
  expect((await ask('zirconium')).keys).toEqual([])
  expect(listed).toContain('projects/acme/d0')
  expect(listed.filter((key) => /many|other/.test(key))).toEqual([])
  await memory.recall({ text: 'brass' })
  expect((await ask('zirconium')).keys).toEqual(['projects/acme/many/late.md'])
  await close()
})

test('without marks, or with damaged ones, a glance is a whole walk', async () => {
  const { ask, write, texts, close } = await indexedWorld()
  for (const damage of ['not JSON', '{"a":1}', '[]', undefined]) {
    const [name = ''] = [...texts.keys()].filter((key) => key.startsWith('directories'))
    if (damage === undefined) texts.delete(name)
    else texts.set(name, damage)
    await write(`projects/acme/d1/new-${String(damage?.length)}.md`, `Zirconium ${damage}.`)
    const { freshness } = await ask('zirconium')
    expect(freshness.store).toBe('current')
  }
  expect((await ask('zirconium')).keys).toHaveLength(4)
  await close()
})
