/** What the page reads and changes in memory: real notes in a real store, and the same requests that the page sends. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { Changed } from '../src/contract/frame.ts'
import type { ConflictList, ConflictPage, NoteList, NotePage, Recalled } from '../src/contract/memory.ts'
import { ViewWorld } from './view-world.ts'

const hostile = '<img src=x onerror="alert(1)"><script>alert(1)</script>\u202E [x](javascript:alert(1))'
const secret = `ghp_${'a1B2c3D4'.repeat(5).slice(0, 36)}`

async function remembering(options: { readonly write?: boolean } = {}) {
  const world = await ViewWorld.make(options)
  const memory = await (await world.workspace()).memory()
  const save = async (text: string, more: object = {}) =>
    (await memory.save({ kind: 'fact', text, by: 'agent', ...more })).key
  const note = async (key: string) => world.json<NotePage>(`/api/note?at=${encodeURIComponent(key)}`)
  const list = async (query = '') => world.json<NoteList>(`/api/notes${query}`)
  const change = async (sent: object) => {
    const { status, body } = await world.change(sent, 'memory')
    return { status, ...(JSON.parse(body) as Changed & { readonly code?: string }) }
  }
  return { world, memory, save, note, list, change }
}

it('says that nothing was kept yet, makes nothing by looking, and finds the notes that come later', async () => {
  const world = await ViewWorld.make()
  expect(await world.json<NoteList>('/api/notes')).toMatchObject({ hasMemory: false, notes: [], total: 0 })
  expect((await world.json<Recalled>('/api/recall?q=lamp')).results).toEqual([])
  expect((await world.json<ConflictList>('/api/conflicts')).pairs).toEqual([])
  expect((await world.get('/api/note?at=personal/fact/lamp.md')).status).toBe(404)
  expect(await readdir(world.home)).toEqual([])
  await (await (await world.workspace()).memory()).save({ kind: 'fact', text: 'The lamp is red.' })
  expect(await world.json<NoteList>('/api/notes')).toMatchObject({ hasMemory: true, total: 1 })
})

it('lists notes without their texts, with what there is to choose from', async () => {
  const { save, list, memory, note } = await remembering()
  await save('The lamp is red.', { title: 'Lamp', tags: ['home', 'light'], idempotencyKey: 'a' })
  const old = await save('The door is blue.', { title: 'Door', tags: ['home'], kind: 'decision' })
  await memory.forget(await save('Nobody needs this.'))
  const all = await list()
  expect(all).toMatchObject({ total: 2, from: 0, projects: [{ name: '_global', count: 2 }] })
  expect(all.kinds).toEqual([
    { name: 'decision', count: 1 },
    { name: 'fact', count: 1 },
  ])
  expect(all.tags).toEqual([
    { name: 'home', count: 2 },
    { name: 'light', count: 1 },
  ])
  expect(JSON.stringify(all)).not.toContain('The lamp is red')
  const titles = async (query: string) => (await list(query)).notes.map(({ title }) => title)
  expect(await titles('?kind=decision')).toEqual(['Door'])
  expect(await titles('?tag=home&tag=light')).toEqual(['Lamp'])
  expect(await titles('?newer=30d&project=_global&kind=fact')).toEqual(['Lamp'])
  expect(await titles('?older=2020-01-01')).toEqual([])
  expect((await list('?status=deleted')).total).toBe(1)
  expect(await note(old)).toMatchObject({ title: 'Door', text: 'The door is blue.', kind: 'decision' })
})

it('pages through a list', async () => {
  const { world, save, list } = await remembering()
  const folder = path.join(world.home, path.dirname(await homeOf(world.home, await save('The first note.'))))
  await Promise.all(
    Array.from({ length: 450 }, (_, i) =>
      writeFile(path.join(folder, `n${i}.md`), `---\nkind: fact\ncreated: 2026-01-01\n---\n\nNote ${i}.\n`),
    ),
  )
  const first = await list()
  expect([first.total, first.notes.length]).toEqual([451, 200])
  const last = await list('?from=400')
  expect([last.from, last.notes.length]).toEqual([400, 51])
  expect((await list('?from=9000')).notes).toEqual([])
})

it('answers a question with the passage and every part of the score', async () => {
  const { world, save } = await remembering()
  const key = await save(
    `${'It says nothing of use. '.repeat(40)}\n\nThe staging database restarts at 04:00 UTC.\n\n${'And more. '.repeat(60)}`,
    { title: 'Staging' },
  )
  await save('The lamp is red.')
  const { results, words, notes } = await world.json<Recalled>('/api/recall?q=when+does+the+staging+database+restart')
  expect(results[0]).toMatchObject({ key, title: 'Staging', of: 'note', writtenBy: 'agent' })
  expect(results[0]?.passage).toContain('The staging database restarts at 04:00 UTC.')
  expect(`${results[0]?.before}${results[0]?.after}`.length).toBeLessThan(700)
  expect(results[0]?.parts.inPassage).toEqual(expect.arrayContaining(['staging', 'database']))
  expect(results[0]?.parts.probability).toBeGreaterThan(0.5)
  expect(notes).toBe(2)
  expect(words).toEqual(expect.arrayContaining([{ word: 'staging', notes: 1 }]))
  expect((await world.json<Recalled>('/api/recall?q=+')).results).toEqual([])
})

it('saves, edits, replaces, forgets and restores a note in the name of a person', async () => {
  const { note, change, memory, list } = await remembering({ write: true })
  const saved = await change({ do: 'save', text: 'The lamp is read.', kind: 'fact', tags: ['home'], isPersonal: true })
  expect(saved).toMatchObject({ status: 200, message: 'Saved.' })
  const key = (saved.next ?? '').replace('/memory/note/', '')
  const first = await note(key)
  expect(first).toMatchObject({ text: 'The lamp is read.', writtenBy: 'person', tags: ['home'] })
  const edit = { do: 'edit', key, text: 'The lamp is red.', title: 'Lamp', tags: ['home', 'light'], ifHash: first.hash }
  expect((await change(edit)).status).toBe(200)
  const second = await note(key)
  expect(second).toMatchObject({ text: 'The lamp is red.', title: 'Lamp', tags: ['home', 'light'] })
  expect(second.versions).toHaveLength(1)
  const replace = { do: 'supersede', key, text: 'The lamp is blue.', title: '', reason: 'painted', ifHash: second.hash }
  expect((await change(replace)).status).toBe(200)
  const third = await note(key)
  expect(third.versions.map(({ text, status, reason }) => [text, status, reason])).toEqual([
    ['The lamp is blue.', 'active', undefined],
    ['The lamp is red.', 'superseded', 'painted'],
  ])
  expect((await list()).notes.map(({ title }) => title)).toEqual(['Lamp'])
  await change({ do: 'forget', key, reason: 'sold' })
  expect(await note(key)).toMatchObject({ status: 'deleted', fixed: 'It is forgotten.' })
  expect((await list()).total).toBe(0)
  expect((await memory.recall({ text: 'lamp' })).results).toEqual([])
  await change({ do: 'restore', key })
  expect(await note(key)).toMatchObject({ status: 'active', text: 'The lamp is blue.' })
})

it.each(['edit', 'supersede'])('loses nothing where somebody else changed the note meanwhile: %s', async (verb) => {
  const { save, note, change, memory } = await remembering({ write: true })
  const key = await save('The lamp is red.')
  const { hash } = await note(key)
  await memory.edit(key, { text: 'The lamp is green.', ifHash: hash })
  const mine = { do: verb, key, text: 'The lamp is blue.', title: '', tags: [], reason: 'painted', ifHash: hash }
  expect(await change(mine)).toMatchObject({ status: 409, code: 'CONCURRENT_MODIFICATION' })
  const { text, hash: theirs, versions } = await note(key)
  expect([text, versions.length]).toEqual(['The lamp is green.', 1])
  expect((await change({ ...mine, ifHash: theirs })).status).toBe(200)
  expect((await note(key)).text).toBe('The lamp is blue.')
})

it.each([
  [{ do: 'save', text: '', kind: 'fact', tags: [], isPersonal: true }, 400],
  [{ do: 'save', text: `token ${secret}`, kind: 'fact', tags: [], isPersonal: true }, 400],
  [{ do: 'save', text: 'x', kind: '../up', tags: [], isPersonal: true }, 400],
  [{ do: 'save', text: 'x', kind: 'fact', tags: 'a', isPersonal: true }, 400],
  [{ do: 'forget', key: '../../etc/passwd.md' }, 404],
  [{ do: 'forget', key: 'personal/_archive/x.md' }, 404],
  [{ do: 'edit', key: 'personal/fact/x.md', text: 'x', title: '', tags: [], ifHash: 'abc' }, 400],
  [{ do: 'erase', key: 'x' }, 400],
])('refuses %j', async (sent, status) => {
  const { world, save, list } = await remembering({ write: true })
  await save('The lamp is red.')
  const answer = await world.change(sent, 'memory')
  expect(answer.status).toBe(status)
  expect(answer.body).not.toContain(secret)
  expect((await list()).total).toBe(1)
})

it('shows no secret, and lets nobody save the replacement over it', async () => {
  const { world, save, note, list } = await remembering({ write: true })
  const key = await save('A lamp for everybody.')
  const file = path.join(world.home, await homeOf(world.home, key))
  await writeFile(file, (await readFile(file, 'utf8')).replace('A lamp', `${hostile} ${secret} A lamp`))
  const page = await note(key)
  expect(page.text).toContain('onerror')
  expect(page.fixed).toContain('what looks like a secret')
  const recalled = await world.get('/api/recall?q=lamp+for+everybody')
  for (const body of [JSON.stringify(page), recalled.body, JSON.stringify(await list())])
    expect(body).not.toContain(secret)
})

it('shows both sides of a conflict copy, and reads no other file by that way', async () => {
  const { world, save } = await remembering()
  const key = await save('The lamp is red.')
  const file = path.join(world.home, await homeOf(world.home, key))
  const copy = key.replace('.md', ' (conflicted copy 2026-11-02).md')
  await writeFile(file.replace('.md', ' (conflicted copy 2026-11-02).md'), 'The lamp is green.\n')
  expect((await world.json<ConflictList>('/api/conflicts')).pairs).toMatchObject([{ copy, of: key }])
  expect(await world.json<ConflictPage>(`/api/conflict?copy=${encodeURIComponent(copy)}`)).toMatchObject({
    copyText: 'The lamp is green.\n',
    originalText: expect.stringContaining('The lamp is red.'),
  })
  await mkdir(path.join(world.home, 'private'), { recursive: true })
  for (const other of [key, '../secrets.txt', '/etc/passwd', ''])
    expect((await world.get(`/api/conflict?copy=${encodeURIComponent(other)}`)).status).toBe(404)
})

/** Where the store keeps the file of a key, below the home. */
async function homeOf(home: string, key: string): Promise<string> {
  const all = await readdir(home, { recursive: true })
  return all.find((name) => name.replaceAll('\\', '/').endsWith(key)) ?? ''
}
