import { InMemoryBackend } from '@agentm/conformance'
import { openMemory } from '@agentm/memory'
import { openMemoryReader } from '@agentm/memory/reader'
import {
  CorruptTextError,
  DeviceFaultError,
  type Info,
  type Locator,
  NotFoundError,
  OnlineOnlyError,
  storeMarkerKey,
  Tier,
} from '@agentm/storage-seam'
import { expect, test, vi } from 'vitest'
import { setup, storeId, SyncedBackend } from '../world.ts'

const noteText = (body: string, status = 'active') =>
  `---\nkind: fix\nstatus: ${status}\ncreated: 2026-01-02\n---\n\n${body}\n`

test('finds what a person wrote, changed, moved and removed by hand', async () => {
  const { write, backend, keys, memory } = await setup()
  await write('projects/acme/fix/a.md', noteText('Copper pipes leak.'))
  expect(await keys('copper')).toEqual(['projects/acme/fix/a.md'])
  await write('projects/acme/fix/a.md', noteText('Steel pipes leak.'))
  expect([await keys('copper'), await keys('steel')]).toEqual([[], ['projects/acme/fix/a.md']])
  await write('projects/acme/fix/b.md', noteText('Steel pipes leak.'))
  await backend.remove(backend.resolve('projects/acme/fix/a.md'))
  const answer = await memory.recall({ text: 'steel' })
  expect(answer.results.map(({ key }) => key)).toEqual(['projects/acme/fix/b.md'])
  expect(answer.freshness).toMatchObject({ store: 'current', changed: 2, unreadable: [] })
  await write('projects/acme/fix/b.md', noteText('Steel pipes leak.', 'deleted'))
  expect(await keys('steel')).toEqual([])
})

test('leaves out on purpose: inbox, archive, machinery, hidden and temporary files, conflict copies', async () => {
  const { write, keys } = await setup()
  const out = [
    'personal/_inbox/a.md',
    'personal/_archive/a.md',
    'projects/acme/_harness/PLAN.md',
    '_meta/a.md',
    '.obsidian/a.md',
    'projects/acme/fix/.~agentm-x.md',
    'projects/acme/fix/a.md.tmp',
    'projects/acme/decisions/_inbox-a.md',
    'projects/acme/fix/b (conflicted copy).md',
    'projects/acme/fix/notes.txt',
  ]
  for (const key of out) await write(key, noteText('Zirconium.'))
  await write('projects/acme/v1.2/c.md', noteText('Zirconium.'))
  expect(await keys('zirconium')).toEqual(['projects/acme/v1.2/c.md'])
})

test('keeps conflict copies in where the backend does not know them', async () => {
  const { write, keys } = await setup({ backend: new InMemoryBackend() })
  await write('projects/acme/fix/b (conflicted copy).md', noteText('Zirconium.'))
  expect(await keys('zirconium')).toHaveLength(1)
})

test('a reader sees changes without writing them down, and says how fresh it is', async () => {
  const { reader, write, indexed, memory, backend } = await setup()
  await memory.save({ kind: 'fix', slug: 'old', text: 'Copper pipes leak.' })
  const before = indexed()
  expect(before.join()).toContain('projects/acme/fix/old.md')
  await write('projects/acme/fix/new.md', noteText('Copper wires glow.'))
  await backend.remove(backend.resolve('projects/acme/fix/old.md'))
  const { results, freshness } = await reader.recall({ text: 'copper' })
  expect(results.map(({ key }) => key)).toEqual(['projects/acme/fix/new.md'])
  expect(freshness).toMatchObject({ store: 'current', changed: 2 })
  expect(indexed()).toEqual(before)
})

test('writes nothing when nothing changed, not even where no revision says so', async () => {
  class Bare extends SyncedBackend {
    override async info(at: Locator): Promise<Info> {
      const { revision: _, ...info } = await super.info(at)
      return info
    }
  }
  for (const backend of [new SyncedBackend(), new Bare()]) {
    const { options, memory, write } = await setup({ backend })
    for (let i = 0; i < 20; i++) await write(`projects/acme/fix/n${i}.md`, noteText(`Number ${i}.`))
    await write(
      'beliefs/phone/b.md',
      '---\nkind: fact\nbelief: v1:harness:semanticMemory:b\npartition: beta\nowner: ada\n---\n\nNumber.\n',
    )
    await memory.recall({ text: 'number' })
    let writes = 0
    const { index } = options
    const counting: typeof index = {
      ...index,
      write: async (...given) => {
        writes++
        return index.write(...given)
      },
    }
    const again = openMemory({ ...options, index: counting })
    expect((await again.recall({ text: 'number', k: 50 })).results).toHaveLength(20)
    expect(writes).toBe(0)
    await write('projects/acme/fix/n3.md', noteText('Edited three.'))
    await again.recall({ text: 'edited' })
    expect(writes).toBeGreaterThan(0)
    expect((await memory.recall({ text: 'edited' })).results).toHaveLength(1)
  }
})

test('concludes nothing from a store without its marker, or with another one', async () => {
  const { memory, indexed, write, backend, options } = await setup()
  await memory.save({ kind: 'fix', text: 'Copper pipes leak.' })
  const before = indexed()
  const away = new SyncedBackend()
  const unmounted = openMemory({ ...options, backend: away })
  const answer = await unmounted.recall({ text: 'copper' })
  expect(answer).toMatchObject({
    results: [],
    freshness: { store: 'away', notice: expect.stringContaining('no marker') },
  })
  await expect(unmounted.reindex(Tier.LOCAL_INDEX)).rejects.toMatchObject({ code: 'STORE_NOT_MARKED' })
  await expect(unmounted.save({ kind: 'fix', text: 'Lost?' })).rejects.toMatchObject({ code: 'STORE_NOT_MARKED' })
  expect(await away.list(away.resolve())).toEqual([])
  await write(storeMarkerKey, JSON.stringify({ id: 'another' }))
  await expect(memory.reindex(Tier.LOCAL_INDEX)).rejects.toMatchObject({ code: 'STORE_NOT_MARKED', found: 'another' })
  expect((await memory.recall({ text: 'copper' })).freshness.store).toBe('away')
  expect(indexed()).toEqual(before)
  await backend.write(backend.resolve(storeMarkerKey), JSON.stringify({ id: storeId }))
  expect((await memory.recall({ text: 'copper' })).results).toHaveLength(1)
})

test('says what cannot be read, and keeps what is known of it', async () => {
  let isOnline = true
  class Sometimes extends SyncedBackend {
    override async read(at: Locator) {
      if (!isOnline && at.name === 'far.md') throw new OnlineOnlyError(at)
      return super.read(at)
    }
  }
  const { write, memory, reader } = await setup({ backend: new Sometimes() })
  await write('projects/acme/fix/far.md', noteText('Copper far away.'))
  await write('projects/acme/fix/near.md', noteText('Copper nearby.'))
  await memory.recall({ text: 'copper' })
  isOnline = false
  const { results, freshness } = await memory.recall({ text: 'copper' })
  expect(results.map(({ key }) => key)).toEqual(['projects/acme/fix/near.md'])
  expect(freshness.unreadable).toEqual(['projects/acme/fix/far.md'])
  isOnline = true
  expect((await reader.recall({ text: 'copper' })).freshness.changed).toBe(0)
})

test('names what cannot be read when the index is built, and builds it of the rest', async () => {
  class Torn extends SyncedBackend {
    override async read(at: Locator) {
      if (at.name === 'torn.md') throw new CorruptTextError(at)
      return super.read(at)
    }
  }
  const { write, memory } = await setup({ backend: new Torn() })
  await write('projects/acme/fix/torn.md', noteText('Copper torn.'))
  await write('projects/acme/fix/whole.md', noteText('Copper whole.'))
  const unreadable: string[] = []
  await memory.reindex(Tier.LOCAL_INDEX, { onUnreadable: (key) => unreadable.push(key) })
  expect(unreadable).toEqual(['projects/acme/fix/torn.md'])
  expect((await memory.recall({ text: 'copper' })).results).toHaveLength(1)
})

test('knows the beginning of a note that is a whole book, and no more of it', async () => {
  const { write, read, memory, reader } = await setup()
  const key = 'projects/acme/fix/book.md'
  const book = noteText(
    `Copper at the beginning.\n${'A line of many that say nothing.\n'.repeat(100_000)}Zanzibar at the end.`,
  )
  await write(key, book)
  for (const each of [reader, memory]) {
    const [found] = (await each.recall({ text: 'copper' })).results
    expect(found).toMatchObject({ key, passage: 'Copper at the beginning.' })
    expect(found?.text.length).toBeLessThanOrEqual(100_000)
    expect((await each.recall({ text: 'zanzibar' })).results).toEqual([])
  }
  expect(await read(key)).toBe(book)
})

test('opens no file for recall that is larger than any note, and names it', async () => {
  const { write, memory, reader } = await setup()
  const key = 'projects/acme/fix/dump.md'
  await write(key, noteText('Copper at first.'))
  await write('projects/acme/fix/near.md', noteText('Copper nearby.'))
  expect((await memory.recall({ text: 'copper' })).results).toHaveLength(2)
  await write(key, noteText('Copper as large as can be. '.repeat(320_000)))
  for (const each of [reader, memory]) {
    const { results, freshness } = await each.recall({ text: 'copper' })
    expect(results.map((result) => result.key)).toEqual(['projects/acme/fix/near.md'])
    expect(freshness.unreadable).toEqual([key])
  }
  const { findings } = await memory.lint()
  expect(findings.filter(({ check }) => check === 'unreadable')).toEqual([
    expect.objectContaining({ key, message: 'it is larger than 8 MB, so it is not recalled' }),
  ])
  await write(key, noteText('Copper again.'))
  expect((await memory.recall({ text: 'copper' })).results).toHaveLength(2)
})

test('answers from all that may be read, where a file or a directory may not', async () => {
  const closed = new Set<string>()
  class Guarded extends SyncedBackend {
    override async read(at: Locator) {
      this.#check(at)
      return super.read(at)
    }
    override async list(at: Locator) {
      this.#check(at)
      return super.list(at)
    }
    #check(at: Locator) {
      if ([...closed].some((key) => `${at.key}/`.startsWith(`${key}/`)))
        throw new DeviceFaultError(at, at.name === 'busy.md' ? 'EMFILE' : 'EACCES')
    }
  }
  const { write, memory, reader, keys } = await setup({ backend: new Guarded() })
  const [file, directory] = ['projects/acme/fix/shut.md', 'projects/acme/closed']
  await write(file, noteText('Copper shut away.'))
  await write(`${directory}/inside.md`, noteText('Copper inside.'))
  await write('projects/acme/fix/near.md', noteText('Copper nearby.'))
  expect(await keys('copper')).toHaveLength(3)
  closed.add(file).add(directory)
  await write('projects/acme/fix/late.md', noteText('Copper late.'))
  for (const each of [memory, reader]) {
    const { results, freshness } = await each.recall({ text: 'copper' })
    const found = results.flatMap(({ key }) => key ?? [])
    expect(found.toSorted()).toEqual(['projects/acme/fix/late.md', 'projects/acme/fix/near.md'])
    expect(freshness.unreadable).toEqual(expect.arrayContaining([file, directory]))
  }
  const { findings } = await memory.lint()
  expect(findings.filter(({ check }) => check === 'unreadable').map(({ key }) => key)).toEqual([directory, file])
  closed.clear()
  expect(await keys('copper')).toHaveLength(4)
  // What says something of this process says nothing of the note.
  await write('projects/acme/fix/busy.md', noteText('Copper busy.'))
  closed.add('projects/acme/fix/busy.md')
  await expect(memory.recall({ text: 'copper' })).rejects.toMatchObject({ code: 'DEVICE_FAULT', fault: 'EMFILE' })
})

test('answers within its time, says that it is behind, and gets there in the end', async () => {
  let ms = 0
  const runtime = { now: () => (ms += 1), random: () => (ms % 7) / 7, processorMs: () => ms }
  const { options, write } = await setup({ runtime, scanBudgetMs: 20 })
  for (let d = 0; d < 12; d++)
    for (let i = 0; i < 8; i++) await write(`projects/acme/d${d}/n${i}.md`, noteText(`Copper ${d} ${i}.`))
  const memory = openMemory(options)
  const seen = new Set<string>()
  const states = new Set<string>()
  for (let round = 0; round < 40 && seen.size < 96; round++) {
    const { results, freshness } = await memory.recall({ text: 'copper', k: 200 })
    states.add(freshness.store)
    for (const { id } of results) seen.add(id)
  }
  expect([states.has('behind'), seen.size]).toEqual([true, 96])
})

test('gives the same answers after the index was dropped and built again', async () => {
  const { memory, options, write } = await setup()
  const words = ['copper', 'steel', 'glass', 'stone', 'paper']
  for (let i = 0; i < 30; i++)
    await write(
      `projects/acme/fix/n${i}.md`,
      noteText(words.map((word, w) => `- ${word} ${(i * (w + 3)) % 7} ${i}`).join('\n')),
    )
  const ask = async () =>
    Promise.all(
      Array.from(
        { length: 20 },
        async (_, q) => (await memory.recall({ text: `${words[q % 5]} ${q % 7} ${q}` })).results,
      ),
    )
  await memory.recall({ text: 'copper' })
  const before = await ask()
  await options.index.write(JSON.stringify(['notes', 'ada', storeId]), (rows) => rows.clear())
  const progress: number[] = []
  await memory.reindex(Tier.LOCAL_INDEX, { onProgress: (done) => progress.push(done) })
  expect(await ask()).toEqual(before)
  expect(progress.at(-1)).toBe(30)
})

test('refuses to rebuild the source, and what it has nothing to rebuild from', async () => {
  const { memory } = await setup()
  await expect(memory.reindex(Tier.SOURCE)).rejects.toMatchObject({ code: 'SOURCE_TIER' })
  await expect(memory.reindex(Tier.SHARED_ABSTRACTS)).rejects.toMatchObject({ code: 'TIER_UNAVAILABLE' })
})

test('names what changed since a time by content where the tree is replicated', async () => {
  const { memory, write, tick } = await setup()
  await write('projects/acme/fix/a.md', noteText('a'))
  await write('projects/acme/fix/b.md', noteText('b'))
  const changed = async (at: number) => (await memory.changedSince(at)).map(String)
  expect(await changed(0)).toHaveLength(2)
  await memory.recall({ text: 'a' })
  const then = Date.UTC(2026, 2, 1, 12) / 1000 + 1
  tick(10_000)
  await write('projects/acme/fix/a.md', noteText('a'))
  await write('projects/acme/fix/b.md', noteText('b2'))
  expect(await changed(then)).toEqual(['projects/acme/fix/a.md', 'projects/acme/fix/b.md'])
  await memory.recall({ text: 'b' })
  expect(await changed(then)).toEqual(['projects/acme/fix/b.md'])
})

test('stores of one recall store do not see each other', async () => {
  const { options, memory } = await setup()
  await memory.save({ kind: 'fix', text: 'Copper pipes leak.' })
  const backend = new SyncedBackend()
  await backend.write(backend.resolve(storeMarkerKey), JSON.stringify({ id: 'store-2' }))
  const other = openMemory({ ...options, backend, storeId: 'store-2' })
  expect((await other.recall({ text: 'copper' })).results).toEqual([])
  await other.reindex(Tier.LOCAL_INDEX)
  expect((await memory.recall({ text: 'copper' })).results).toHaveLength(1)
})

test('a file that vanishes between list and look is no error', async () => {
  class Racing extends SyncedBackend {
    override async info(at: Locator) {
      if (at.name === 'ghost.md') throw new NotFoundError(at)
      return super.info(at)
    }
  }
  const { write, keys } = await setup({ backend: new Racing() })
  await write('projects/acme/fix/ghost.md', noteText('Copper.'))
  expect(await keys('copper')).toEqual([])
})

test('reads nothing of other projects, whoever asks and however the repository calls itself', async () => {
  const { options, write, memory, reader } = await setup()
  await write('projects/acme/fix/a.md', noteText('Copper of acme.'))
  await write('projects/beta/fix/b.md', noteText('Copper of beta.'))
  await write('personal/fix/p.md', noteText('Copper of mine.'))
  const found = async (of: typeof reader, more = {}) =>
    (await of.recall({ text: 'copper', ...more })).results.map(({ project }) => project).toSorted()
  expect(await found(memory)).toEqual(['_global', 'acme'])
  expect((await memory.recall({ text: 'copper' })).freshness.notice).toBeUndefined()
  expect(await found(reader, { project: 'acme' })).toEqual(['acme'])
  await expect(memory.recall({ text: 'copper', project: 'beta' })).rejects.toMatchObject({ code: 'PROJECT_REFUSED' })
  const refusal = new Error('acme belongs to another checkout')
  const impostor = { ...options, project: { slug: 'acme', refusal } }
  for (const open of [openMemory, openMemoryReader]) {
    expect(await found(open(impostor))).toEqual(['_global'])
    const { freshness } = await open(impostor).recall({ text: 'copper' })
    expect(freshness.notice).toContain('acme belongs to another checkout')
    await expect(open(impostor).recall({ text: 'copper', project: 'acme' })).rejects.toMatchObject({
      code: 'PROJECT_REFUSED',
      cause: refusal,
    })
    await expect(open(impostor).history('projects/acme/fix/a.md')).rejects.toMatchObject({ code: 'NOTE_ABSENT' })
  }
  await expect(openMemory(impostor).save({ kind: 'fix', text: 'x' })).rejects.toMatchObject({ code: 'PROJECT_REFUSED' })
  const { project: _, ...none } = options
  expect(await found(openMemory(none))).toEqual(['_global'])
  expect(await found(openMemory({ ...options, owner: 'bob' }))).toEqual(['_global', 'acme'])
})

test('lints a store by what is in it', async () => {
  const { memory, write } = await setup()
  await memory.save({ kind: 'fix', slug: 'fine', text: 'See [[other]] and `[[code]]`.' })
  await write(
    'projects/acme/fix/other.md',
    '---\nstatus: active | draft\nkind: Fix\nslug: else\ncreated: 2026-02-30\nmood: x\nsupersedes: gone.md\n---\n[[nowhere|x]]\n',
  )
  await write('projects/acme/fix/broken.md', '---\nkind: a: b\nstatus: active\n---\nx')
  await write('projects/acme/fix/fine (conflicted copy).md', 'x')
  await write('projects/acme/_index.md', 'no fields')
  const { entries, skipped, findings } = await memory.lint()
  expect([entries, skipped]).toEqual([3, 1])
  const checks = (name: string) => findings.filter(({ key }) => key.endsWith(name)).map(({ check }) => check)
  expect(checks('/fine.md')).toEqual([])
  expect(checks('other.md').toSorted()).toEqual([
    'date-format',
    'field-order',
    'kebab-case',
    'placeholder-value',
    'schema-drift',
    'slug-filename',
    'supersede-integrity',
    'wikilink-resolution',
  ])
  expect(checks('broken.md')).toEqual(['frontmatter', 'required-field', 'required-field'])
  expect(checks('copy).md')).toEqual(['conflict-copy'])
})

test('lists the notes of this place page by page, as they are now, and opens none for it', async () => {
  class Counting extends SyncedBackend {
    readonly opened: string[] = []
    override async read(at: Locator) {
      if (at.name.endsWith('.md')) this.opened.push(at.key)
      return super.read(at)
    }
  }
  const backend = new Counting()
  const { memory, reader, write } = await setup({ backend })
  for (let i = 0; i < 9; i++) await write(`projects/acme/fix/n${i}.md`, noteText(`# Note ${i}`))
  await write('projects/acme/fix/gone.md', noteText('# Gone', 'deleted'))
  await write('projects/acme/_inbox/later.md', noteText('# Later'))
  await write('projects/beta/fix/theirs.md', noteText('# Theirs'))
  await write('personal/fix/mine.md', noteText('# Mine'))
  const first = await memory.notes({ most: 4 })
  expect(first.map(({ key, title }) => [key, title])).toEqual([
    ['personal/fix/mine.md', 'Mine'],
    ...[0, 1, 2].map((i) => [`projects/acme/fix/n${i}.md`, `Note ${i}`]),
  ])
  const opened = backend.opened.length
  const rest = await memory.notes({ after: first.at(-1)?.key ?? '' })
  expect(rest.map(({ title }) => title)).toEqual([3, 4, 5, 6, 7, 8].map((i) => `Note ${i}`))
  expect(backend.opened).toHaveLength(opened)
  await write('projects/acme/fix/n8.md', noteText('# Another name'))
  expect((await reader.notes({ after: 'projects/acme/fix/n7.md' })).map(({ title }) => title)).toEqual(['Another name'])
})

test('answers the first question among many new notes within its time, and indexes the rest afterwards', async () => {
  const { memory, reader, write, options } = await setup()
  for (let i = 0; i < 1200; i++) await write(`projects/acme/fix/n${i}.md`, noteText(`Copper pipe number ${i} leaks.`))
  let isAsked = false
  const runtime = { ...options.runtime, processorMs: () => (isAsked ? 1e9 : 0) }
  const slow = openMemory({ ...options, runtime })
  const first = slow.recall({ text: 'copper', onProgress: () => (isAsked = true) })
  const { results, freshness } = await first
  expect(results.length).toBe(10)
  expect(freshness.store).toBe('behind')
  await vi.waitFor(
    async () => expect((await reader.recall({ text: 'copper' })).freshness.store).toBe('current'),
    20_000,
  )
  expect((await memory.recall({ text: 'copper pipe number 1199' })).results[0]?.key).toBe('projects/acme/fix/n1199.md')
})
