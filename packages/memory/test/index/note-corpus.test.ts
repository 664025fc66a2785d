/** What an opened memory keeps from one question to the next, and by what it knows that it may. */
import { InMemoryBackend } from '@agentm/conformance'
import type { RecallEntry, RecallStore } from '@agentm/nodes'
import { openMemory } from '@agentm/memory'
import { openMemoryReader } from '@agentm/memory/reader'
import type { ListedInfo, Listing, Locator } from '@agentm/storage-seam'
import { expect, test } from 'vitest'
import { NoteCorpus } from '../../src/index/note-corpus.ts'
import { indexForm } from '../../src/index/pure/indexed-note.ts'
import { setup } from '../world.ts'

const noteText = (body: string) => `---\nkind: fix\nstatus: active\ncreated: 2026-01-02\n---\n\n${body}\n`

/** Fills one array for each directory, again and again: only its revision says that it holds something else. */
class OneArrayForAll extends InMemoryBackend {
  readonly #arrays = new Map<string, ListedInfo[]>()

  override async listInfo(at: Locator): Promise<Listing> {
    const { children, ...revision } = await super.listInfo(at)
    const array = this.#arrays.get(at.key) ?? []
    this.#arrays.set(at.key, array)
    array.splice(0, array.length, ...children)
    return { children: array, ...revision }
  }
}

test('a backend that fills one array for every listing is followed by the revisions it gives', async () => {
  const { memory, write } = await setup({ backend: new OneArrayForAll() })
  const found = async (text: string) => (await memory.recall({ text })).results.map(({ key }) => key)
  await write('projects/acme/fix/a.md', noteText('Copper pipes leak.'))
  expect(await found('copper')).toEqual(['projects/acme/fix/a.md'])
  await write('projects/acme/fix/b.md', noteText('Copper pipes rust.'))
  expect(new Set(await found('copper'))).toEqual(new Set(['projects/acme/fix/a.md', 'projects/acme/fix/b.md']))
  await write('projects/acme/fix/a.md', noteText('Steel pipes leak.'))
  expect(await found('copper')).toEqual(['projects/acme/fix/b.md'])
})

test('a store that fills one array for every answer is followed by the revisions it gives', async () => {
  const { options, write } = await setup()
  const array: RecallEntry[] = []
  const recall: RecallStore = {
    ...options.recall,
    entries: async (asked) => {
      const { entries, ...revision } = await options.recall.entries(asked)
      if (asked.concept === undefined) return { entries, ...revision }
      array.splice(0, array.length, ...entries)
      return { entries: array, ...revision }
    },
  }
  const writer = openMemory({ ...options, recall })
  const reader = openMemoryReader({ ...options, recall })
  const found = async (text: string) => (await reader.recall({ text })).results.map(({ key }) => key)
  for (const name of ['a', 'b', 'c']) {
    await write(`projects/acme/fix/${name}.md`, noteText(`Copper pipes leak in house ${name}.`))
    await writer.recall({ text: 'copper' })
    expect(await found(`copper house ${name}`)).toContain(`projects/acme/fix/${name}.md`)
    expect((await reader.recall({ text: 'copper' })).freshness.changed).toBe(0)
  }
})

test('where neither backend nor store gives revisions, everything is looked at each time', async () => {
  class WithoutRevisions extends InMemoryBackend {
    override async listInfo(at: Locator): Promise<Listing> {
      return { children: (await super.listInfo(at)).children }
    }
  }
  const { options, write } = await setup({ backend: new WithoutRevisions() })
  const { recall } = options
  const memory = openMemory({
    ...options,
    recall: { ...recall, entries: async (asked) => ({ entries: (await recall.entries(asked)).entries }) },
  })
  const found = async (text: string) => (await memory.recall({ text })).results.map(({ key }) => key)
  await write('projects/acme/fix/a.md', noteText('Copper pipes leak.'))
  expect(await found('copper')).toEqual(['projects/acme/fix/a.md'])
  await write('projects/acme/fix/a.md', noteText('Steel pipes leak.'))
  expect([await found('copper'), await found('steel')]).toEqual([[], ['projects/acme/fix/a.md']])
})

test('what was worked out of entries is kept for their revision, and a note for as long as it says the same', () => {
  const corpus = new NoteCorpus()
  const first = corpus.indexed({ entries: [entryOf('a', 'one'), entryOf('b', 'two')], revision: '1' })
  expect(corpus.indexed({ entries: [entryOf('a', 'one'), entryOf('b', 'two')], revision: '1' })).toBe(first)
  const second = corpus.indexed({ entries: [entryOf('a', 'one'), entryOf('b', 'other')], revision: '2' })
  expect(second.get('a.md')).toBe(first.get('a.md'))
  expect(second.get('b.md')).toMatchObject({ title: 'other' })
  const unknown = { entries: [entryOf('a', 'one')] }
  expect(corpus.indexed(unknown)).not.toBe(corpus.indexed(unknown))
})

test('a note that says anything else than before is another one', () => {
  const entry = entryOf('a', 'one')
  const names = Object.keys(entry.data).filter((name) => name !== 'form' && name !== 'key')
  expect(names.length).toBeGreaterThan(14)
  const others: Readonly<Record<string, unknown>> = { string: 'other', number: 7, boolean: false, object: ['a'] }
  const kept = names.filter((name) => {
    const other = name === 'writtenBy' ? 'agent' : others[typeof entry.data[name]]
    const corpus = new NoteCorpus()
    const before = corpus.indexed({ entries: [entry], revision: '1' }).get('a.md')
    const data = { ...entry.data, [name]: other }
    return corpus.indexed({ entries: [{ ...entry, data }], revision: '2' }).get('a.md') === before
  })
  expect(kept).toEqual([])
})

function entryOf(name: string, title: string): RecallEntry {
  const own = { own: true, belief: true, writtenBy: 'person', tags: ['a', 'b'], createdAt: 1, seenAt: 2, length: 3 }
  const texts = { revision: '1', kind: 'fix', status: 'active', slug: name, print: 'print', codes: 'AAAA' }
  const data = { form: indexForm, key: `${name}.md`, hash: title, title, ...own, ...texts }
  return { id: `${name}/0`, source: name, concept: 'note', partition: '_global', data }
}
