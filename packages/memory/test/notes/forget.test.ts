import { Tier } from '@agentm/storage-seam'
import { openMemory, semanticMemory, observation } from '@agentm/memory'
import { expect, test } from 'vitest'
import { setup } from '../world.ts'

const fact = { kind: 'fix', title: 'Lamp', text: 'The lamp in the hall is broken.' }

test('forgets a note: the file stays, its status says so, and nothing finds it', async () => {
  const { memory, read, keys } = await setup()
  const { id, key } = await memory.save(fact)
  expect(await memory.forget(id, { reason: 'repaired' })).toEqual({
    id,
    key,
    alreadyForgotten: false,
    purged: false,
    leftBehind: [],
  })
  expect(await read(key)).toContain('status: deleted\n')
  expect(await read(key)).toContain(
    'deleted_at: 2026-03-01T12:00:00Z\ndelete_reason: repaired\n---\n\nThe lamp in the hall',
  )
  expect(await keys('lamp hall')).toEqual([])
  expect(await memory.forget(key)).toMatchObject({ alreadyForgotten: true })
})

test('never brings a forgotten note back: not by reindex, a restart, or copies from another device', async () => {
  const { memory, options, read, write, keys } = await setup()
  const { key } = await memory.save(fact)
  const original = await read(key)
  await memory.forget(key)
  await write(key.replace('.md', ' (conflicted copy 2026-03-02).md'), original)
  await write(key.replace('.md', ' von Annas Laptop.md'), original)
  await memory.reindex(Tier.LOCAL_INDEX)
  expect(await keys('lamp hall')).toEqual([])
  const restarted = openMemory(options)
  expect(
    (await restarted.recall({ text: 'lamp', status: ['active', 'deleted'] })).results.map(({ text }) => text),
  ).toEqual([''])
  await expect(restarted.save({ ...fact, slug: 'lamp' })).rejects.toMatchObject({ code: 'SLUG_TAKEN' })
  expect((await restarted.save(fact)).key).not.toBe(key)
})

test('purges the text from the note, its archive, the index and the cached vectors, and names what it may not touch', async () => {
  const dropped: string[] = []
  const embedder = {
    name: 'test',
    dimensions: 2,
    embed: async (texts: readonly string[]) => texts.map(({ length }) => [1, length]),
    forget: async (hashes: readonly string[]) => void dropped.push(...hashes),
  }
  const { memory, backend, indexed, read, write, keys } = await setup({ embedder })
  const { key } = await memory.save({ ...fact, tags: ['zirconium'], text: `${fact.text}\n\nA.\n\nB.\n\nC.\n\nD.` })
  await memory.supersede(key, { text: 'The lamp in the hall was replaced.', reason: 'news' })
  const copy = key.replace('.md', ' (conflicted copy).md')
  await write(copy, await read(key))
  expect(indexed().join()).toContain('zirconium')
  const hashes = indexed().flatMap((row) => /^stretches \d+ ([^]*)$/.exec(row)?.[1] ?? [])
  const known = hashes.flatMap((each) => Buffer.from(each, 'latin1').toString('hex').match(/.{64}/g) ?? [])
  const result = await memory.forget(key, { purge: true, reason: 'private', by: 'person' })
  expect(result).toMatchObject({ purged: true, leftBehind: [copy] })
  expect(await read(key)).toBe(
    '---\nkind: fix\nstatus: deleted\ncreated: 2026-03-01\nslug: lamp\ndeleted_at: 2026-03-01T12:00:00Z\ndelete_reason: private\npurged: true\n---\n',
  )
  expect(await backend.list(backend.resolve('personal/_archive/projects/acme/fix'))).toEqual([])
  expect(indexed().join()).not.toContain('zirconium')
  expect(indexed().filter((row) => row.startsWith('vectors'))).toEqual([])
  expect(known.length).toBeGreaterThan(0)
  expect(new Set(dropped).size).toBeGreaterThan(known.length)
  for (const hash of known) expect(dropped).toContain(hash)
  expect(await keys('lamp', { status: ['deleted'] })).toEqual([key])
  expect(await memory.forget(key, { purge: true, by: 'person' })).toMatchObject({ alreadyForgotten: true })
})

test('supersedes: the new text stands in place, the old one in the archive, fields nobody knows survive', async () => {
  const { memory, read, write, keys, tick } = await setup()
  const { key } = await memory.save(fact)
  await write(key, (await read(key)).replace('---\n\n', 'heat_pin: true\nx-mine: keep\n---\n\n'))
  tick(86_400_000)
  const done = await memory.supersede(key, { text: 'The lamp was replaced.\n', reason: 'a new lamp' })
  expect(done).toMatchObject({ key, archive: 'personal/_archive/projects/acme/fix/lamp.20260302.md' })
  expect(await read(key)).toBe(
    '---\nkind: fix\nstatus: active\ncreated: 2026-03-02\nupdated: 2026-03-02\ntags: []\ngroup: projects/acme\nslug: lamp\n' +
      `always_load: false\ntitle: Lamp\nheat_pin: true\nx-mine: keep\nsupersedes: ${done.archive}\n---\n\nThe lamp was replaced.\n`,
  )
  expect(await read(done.archive)).toContain('superseded_reason: a new lamp')
  expect((await memory.recall({ text: 'lamp' })).results.map(({ text }) => text)).toEqual(['The lamp was replaced.'])
  const again = await memory.supersede(key, { text: 'No lamp at all.', reason: 'moved', slug: 'light' })
  expect(again).toMatchObject({
    key: 'projects/acme/fix/light.md',
    archive: 'personal/_archive/projects/acme/fix/lamp.20260302-2.md',
  })
  expect(await keys('lamp')).toEqual([again.key])
  const history = await memory.history(again.key)
  expect(history.map(({ status, text }) => [status, text])).toEqual([
    ['active', 'No lamp at all.'],
    ['superseded', 'The lamp was replaced.'],
    ['superseded', fact.text],
  ])
})

test('lets one of two successors win and keeps the text of the other out', async () => {
  const { memory, keys } = await setup()
  const { key } = await memory.save(fact)
  const both = await Promise.allSettled(
    ['One.', 'Two.'].map(async (text) => memory.supersede(key, { text, reason: 'race' })),
  )
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await keys('lamp')).toEqual([key])
})

test('supersedes only what is active', async () => {
  const { memory } = await setup()
  const { key } = await memory.save(fact)
  await memory.forget(key)
  await expect(memory.supersede(key, { text: 'x', reason: 'y' })).rejects.toMatchObject({ code: 'NOTE_NOT_ACTIVE' })
  await expect(memory.supersede('projects/acme/none.md', { text: 'x', reason: 'y' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
})

test.each([
  'projects/other/fix/a.md',
  '../x.md',
  '_meta/agentm-store.json',
  'personal/_archive/a.md',
  'v1:memory:note:0',
  '/',
])('finds no note to forget at %s', async (wanted) => {
  const { memory, write } = await setup()
  await write('projects/other/fix/a.md', '---\nkind: fix\nstatus: active\ncreated: 2026-01-02\n---\nanother project’s')
  await expect(memory.forget(wanted)).rejects.toMatchObject({ code: 'NOTE_ABSENT' })
})

test('prunes a belief, and erases an episode only when it is to be purged', async () => {
  const { memory, store } = await setup()
  const by = { owner: 'ada', actor: 'test', partition: 'acme' }
  const content = 'Lamps break in March.'
  const belief = {
    ownerUserId: 'ada',
    kind: 'fact',
    content,
    sourceEpisodes: [],
    lastReinforced: '2026-03-01T00:00:00Z',
  }
  const episode = { ownerUserId: 'ada', kind: 'note', content: 'A lamp broke.' }
  const [held, seen] = await store.log.append(
    [
      { concept: semanticMemory.name, id: 'b', payload: belief, mutation: 'create' },
      { concept: observation.name, id: 'o', payload: episode, mutation: 'create' },
    ],
    by,
  )
  expect((await memory.recall({ text: 'lamps', of: ['belief', 'episode'] })).results).toHaveLength(2)
  await memory.forget(held?.id ?? '')
  await expect(memory.forget(seen?.id ?? '')).rejects.toMatchObject({ code: 'NOT_FORGETTABLE' })
  await memory.forget(seen?.id ?? '', { purge: true })
  expect((await memory.recall({ text: 'lamps' })).results).toEqual([])
  expect((await store.log.latest(held?.id ?? '', { owner: 'ada' }))?.status).toBe('pruned')
})
