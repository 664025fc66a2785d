/** A process from nothing compares notes with the index only if a file has changed since the index was last found to contain all of them. */
import { appendFile, rename, rm } from 'node:fs/promises'
import { openMemoryReader } from '@agentm/memory/reader'
import type { ByteTables } from '@agentm/nodes/store-kit'
import { Tier } from '@agentm/storage-seam'
import { expect, test } from 'vitest'
import { pipeNotes } from './pipe-notes.ts'

async function indexedWorld() {
  const { world, texts, state, at, write } = await pipeNotes({ notes: 12, directories: 3 })
  const { index, memory } = await world.open({ state })
  await memory.recall({ text: 'copper' })
  let comparisons = 0
  const counted: ByteTables = {
    read: (space, look) =>
      index.read(space, (rows) =>
        look({
          revision: rows.revision,
          get: (table, row) => {
            if (table === 'lists') comparisons += 1
            return rows.get(table, row)
          },
          numbers: (...args) => rows.numbers(...args),
          range: (...args) => rows.range(...args),
        }),
      ),
    write: async (...args) => index.write(...args),
    close: async () => {},
  }
  /** As a process from nothing asks. */
  const ask = async (text: string) => {
    comparisons = 0
    const project = { slug: 'acme' }
    const reader = openMemoryReader({
      backend: world.backend,
      storeId: 'store-1',
      owner: 'ada',
      project,
      index: counted,
      state,
    })
    const { results, freshness } = await reader.recall({ text, k: 100 })
    return { keys: results.map(({ key }) => key ?? '').toSorted(), freshness, compares: comparisons > 0 }
  }
  const fillSegment = async () => {
    for (let i = 0; i < 140; i++) await write(`projects/acme/many/m${i}.md`, `Gravel heap number ${i}.`)
    await memory.recall({ text: 'gravel' })
  }
  await fillSegment()
  return { ask, write, at, texts, memory, index, close: world.close }
}

test('while nothing changes, no notes are compared, and the answer is complete', async () => {
  const { ask, close } = await indexedWorld()
  const { keys, freshness, compares } = await ask('copper')
  expect(compares).toBe(false)
  expect(keys).toHaveLength(12)
  expect(freshness).toMatchObject({ store: 'current', changed: 0, unreadable: [], conflictCopies: [] })
  await close()
})

test('an edit in place, a new note, a new directory, a moved and a removed note are found by the next question', async () => {
  const { ask, write, at, close } = await indexedWorld()
  await appendFile(at('projects/acme/d1/n1.md'), '\nZirconium does not.\n')
  expect(await ask('zirconium')).toMatchObject({ keys: ['projects/acme/d1/n1.md'], compares: true })
  await write('projects/acme/d1/new.md', 'Tantalum pipes.')
  expect((await ask('tantalum')).keys).toEqual(['projects/acme/d1/new.md'])
  await write('projects/acme/d9/deep/newer.md', 'Osmium wires.')
  expect((await ask('osmium')).keys).toEqual(['projects/acme/d9/deep/newer.md'])
  await rename(at('projects/acme/d2/n2.md'), at('projects/acme/d2/moved.md'))
  await rm(at('projects/acme/d0/n3.md'))
  const { keys } = await ask('copper')
  expect(keys).toContain('projects/acme/d2/moved.md')
  expect(keys.filter((key) => /n2\.md|n3\.md/.test(key))).toEqual([])
  await rm(at('projects/acme/d2'), { recursive: true })
  expect((await ask('copper')).keys.filter((key) => key.includes('/d2/'))).toEqual([])
  await close()
})

test('another index is compared, even if no file has changed', async () => {
  const { ask, memory, close } = await indexedWorld()
  await memory.reindex(Tier.LOCAL_INDEX)
  expect((await ask('copper')).keys).toHaveLength(12)
  // The first question after it has found the new index complete.
  expect(await ask('copper')).toMatchObject({ compares: false })
  await memory.save({ kind: 'fix', title: 'Brass', text: 'Brass pipes do not leak.' })
  expect(await ask('brass')).toMatchObject({ freshness: { store: 'current', changed: 0 }, compares: true })
  expect(await ask('brass')).toMatchObject({ freshness: { store: 'current', changed: 0 }, compares: false })
  await close()
})

test('damaged fingerprints count as absent, and a reader keeps none where no writer was before', async () => {
  const { ask, texts, close } = await indexedWorld()
  const name = [...texts.keys()].find((key) => key.startsWith('prints')) ?? ''
  for (const damaged of ['', '{', '[{}]', '[{"scope":1,"directories":[1]}]', 'null']) {
    texts.set(name, damaged)
    expect((await ask('copper')).keys).toHaveLength(12)
  }
  texts.clear()
  await ask('copper')
  expect([...texts.keys()]).toEqual([])
  await close()
})
