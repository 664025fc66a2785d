import { contentHash } from '@agentm/storage-seam'
import { expect, test } from 'vitest'
import { setup } from '../world.ts'

const lamp = { kind: 'fact', text: 'The lamp in the hal is red.', title: 'Lamps' }

test('changes the words of a note, and nothing else of it', async () => {
  const { memory, read, tick, keys } = await setup()
  const { key } = await memory.save({ ...lamp, tags: ['home'], by: 'agent', confidence: 0.7 })
  const seen = await memory.read(key)
  expect(seen).toMatchObject({ text: lamp.text, title: 'Lamps', tags: ['home'], kind: 'fact', project: 'acme' })
  tick(86_400_000 * 40)
  const { hash } = await memory.edit(key, { text: 'The lamp in the hall is red.', ifHash: seen.hash, by: 'person' })
  const after = await memory.read(key)
  expect(after).toMatchObject({ hash, text: 'The lamp in the hall is red.', writtenBy: 'person' })
  expect(after.createdAt).toBe(seen.createdAt)
  expect(await read(key)).toBe(
    seen.file
      .replace('hal ', 'hall ')
      .replace('updated: 2026-03-01', 'updated: 2026-04-10')
      .replace('written_by: agent', 'written_by: person'),
  )
  expect(await memory.history(key)).toHaveLength(1)
  expect(await keys('hall lamp')).toEqual([key])
})

test('changes the title and the tags, and a text twice in a row', async () => {
  const { memory } = await setup()
  const { key } = await memory.save(lamp)
  const { hash } = await memory.read(key)
  const first = await memory.edit(key, { text: lamp.text, title: 'The lamp', tags: ['home', 'red'], ifHash: hash })
  await memory.edit(key, { text: 'It is blue.', ifHash: first.hash })
  expect(await memory.read(key)).toMatchObject({ title: 'The lamp', tags: ['home', 'red'], text: 'It is blue.' })
})

test.each(['edit', 'supersede'] as const)('%s changes nothing that somebody else changed meanwhile', async (verb) => {
  const { memory, read, write } = await setup()
  const { key } = await memory.save(lamp)
  const { hash, file } = await memory.read(key)
  const theirs = file.replace('red', 'green')
  await write(key, theirs)
  const change = { text: 'The lamp is blue.', reason: 'painted', ifHash: hash }
  await expect(memory[verb](key, change)).rejects.toMatchObject({ code: 'CONCURRENT_MODIFICATION' })
  expect(await read(key)).toBe(theirs)
  expect(await memory.history(key)).toHaveLength(1)
  await memory[verb](key, { ...change, ifHash: contentHash(theirs) })
  expect((await memory.read(key)).text).toBe('The lamp is blue.')
})

test.each([
  ['\uFEFF# Monday\r\n\r\nThe lamp.\r\n', 'One.\nTwo.', '\uFEFFOne.\r\nTwo.\r\n'],
  [
    '---\nstatus: draft # mine\n---\n\nThe lamp.\n',
    'The lamp is on.',
    '---\nstatus: draft # mine\n---\n\nThe lamp is on.\n',
  ],
])('writes no fields into a file of a person: %j', async (before, text, after) => {
  const { memory, read, write } = await setup()
  await write('Diary/day.md', before)
  const { hash } = await memory.read('Diary/day.md')
  await expect(memory.edit('Diary/day.md', { text, ifHash: hash })).rejects.toMatchObject({ code: 'PERSON_NEEDED' })
  await memory.edit('Diary/day.md', { text, ifHash: hash, by: 'person' })
  expect(await read('Diary/day.md')).toBe(after)
})

test('refuses an empty text, a secret, an odd tag, and a note that is forgotten', async () => {
  const { memory } = await setup()
  const { key } = await memory.save(lamp)
  const { hash } = await memory.read(key)
  const edit = async (change: object) => memory.edit(key, { text: 'x', ifHash: hash, ...change })
  await expect(edit({ text: ' \n' })).rejects.toMatchObject({ code: 'INVALID_NOTE', field: 'text' })
  await expect(edit({ tags: ['Not a tag'] })).rejects.toMatchObject({ code: 'INVALID_NOTE', field: 'tags' })
  const secret = `token ghp_${'a1B2c3D4'.repeat(5).slice(0, 36)}`
  await expect(edit({ text: secret })).rejects.toMatchObject({ code: 'SECRET_FOUND' })
  await memory.forget(key)
  const forgotten = await memory.read(key)
  await expect(edit({ ifHash: forgotten.hash })).rejects.toMatchObject({ code: 'NOTE_NOT_ACTIVE' })
  await expect(memory.read('fact/nothing.md')).rejects.toMatchObject({ code: 'NOTE_ABSENT' })
})
