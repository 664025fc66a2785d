import { observation, semanticMemory } from '@agentm/memory'
import { describe, expect, test } from 'vitest'
import { setup } from '../world.ts'

const diary = '\uFEFF# Monday\r\n\r\nThe lamp in the hall is broken.\r\n'
const published = '---\ntitle: "Lamps"\nstatus: draft # not yet\ntags:\n  - home\n---\n\nThe lamp in the hall is LED.\n'
const mine = { kind: 'fact', text: 'The lamp in the hall is red.' }

describe.each([{}, { by: 'agent' }] as const)('whoever is no person: %j', (who) => {
  test.each([
    ['a file of theirs', 'My Diary/day.md', diary],
    ['one with fields of its own', 'Blog/lamps.md', published],
    ['one that only says an agent wrote it', 'Blog/lamps.md', '---\nwritten_by: agent\n---\nThe lamp.\n'],
  ])('changes nothing of a person’s: %s', async (_, key, text) => {
    const { memory, read, write, keys } = await setup()
    await write(key, text)
    expect(await keys('lamp')).toEqual([key])
    for (const refused of [
      memory.forget(key, who),
      memory.forget(key, { ...who, purge: true }),
      memory.supersede(key, { text: 'No lamp.', reason: 'x', ...who }),
    ])
      await expect(refused).rejects.toMatchObject({ code: 'PERSON_NEEDED', key })
    expect(await read(key)).toBe(text)
    expect(await keys('lamp')).toEqual([key])
  })

  test('changes no note that a person saved, accepted, or lets sessions begin with', async () => {
    const { memory, read, write } = await setup()
    const saved = await memory.save({ ...mine, by: 'person' })
    const always = await memory.save({ ...mine, alwaysLoad: true, by: 'person', scope: 'personal' })
    const agents = await memory.save({ kind: 'fact', text: 'The lamp is cheap.', by: 'agent' })
    const accepted = (await read(agents.key)).replace('written_by: agent\n', 'written_by: agent\naccepted_by: person\n')
    await write(agents.key, accepted)
    for (const { key } of [saved, always, agents]) {
      const before = await read(key)
      await expect(memory.forget(key, who)).rejects.toMatchObject({ code: 'PERSON_NEEDED' })
      expect(await read(key)).toBe(before)
    }
  })

  test('confirms no note of a person by saving the same, and says that it is known', async () => {
    const { memory, read, write } = await setup()
    const { key } = await memory.save({ ...mine, by: 'person' })
    const before = await read(key)
    expect(await memory.save({ ...mine, ...who })).toMatchObject({ outcome: 'known', key })
    expect(await read(key)).toBe(before)
    await write('projects/acme/fact/by-hand.md', 'The lamp is by hand.\n')
    await memory.recall({ text: 'lamp' })
    expect(await memory.save({ kind: 'fact', text: 'The lamp is by hand.', ...who })).toMatchObject({
      outcome: 'known',
    })
    expect(await read('projects/acme/fact/by-hand.md')).toBe('The lamp is by hand.\n')
  })

  test('forgets what an agent wrote, and brings that back', async () => {
    const { memory, read, keys } = await setup()
    const { key } = await memory.save({ ...mine, by: 'agent' })
    const before = await read(key)
    await memory.forget(key, { ...who, reason: 'wrong' })
    expect(await keys('lamp')).toEqual([])
    expect(await memory.restore(key, who)).toMatchObject({ restored: true })
    expect(await read(key)).toBe(before)
    expect(await keys('lamp')).toEqual([key])
    expect(await memory.restore(key, who)).toMatchObject({ restored: false })
  })

  test('forgets an agent’s note that a person edited by hand, and never purges it: the words of the person come back', async () => {
    const { memory, read, write } = await setup()
    const { key } = await memory.save({ ...mine, by: 'agent' })
    const edited = `${await read(key)}It is red on Mondays only.\n`
    await write(key, edited)
    await memory.forget(key, who)
    await expect(memory.forget(key, { ...who, purge: true })).rejects.toMatchObject({ code: 'PERSON_NEEDED' })
    await memory.restore(key, who)
    expect(await read(key)).toBe(edited)
    await write(key, edited.replace('written_by: agent', 'written_by: person'))
    await expect(memory.forget(key, who)).rejects.toMatchObject({ code: 'PERSON_NEEDED' })
    await memory.forget(key, { by: 'person', purge: true })
    await expect(memory.restore(key, { by: 'person' })).rejects.toMatchObject({ code: 'NOT_RESTORABLE' })
  })

  test('brings nothing back that a person forgot', async () => {
    const { memory, keys } = await setup()
    const { key } = await memory.save({ ...mine, by: 'agent' })
    await memory.forget(key, { by: 'person' })
    await expect(memory.restore(key, who)).rejects.toMatchObject({ code: 'PERSON_NEEDED' })
    expect(await keys('lamp')).toEqual([])
    await memory.restore(key, { by: 'person' })
    expect(await keys('lamp')).toEqual([key])
  })
})

test('a tool changes no entry that nobody signed; a program may, as long as that can be undone', async () => {
  const { memory, keys } = await setup()
  const { key } = await memory.save(mine)
  await expect(memory.forget(key, { by: 'agent' })).rejects.toMatchObject({ code: 'PERSON_NEEDED' })
  await expect(memory.forget(key, { purge: true })).rejects.toMatchObject({ code: 'PERSON_NEEDED' })
  await memory.forget(key)
  expect(await keys('lamp')).toEqual([])
  await memory.restore(key)
  expect(await keys('lamp')).toEqual([key])
})

test.each([
  ['My Diary/day.md', diary],
  ['Blog/lamps.md', published],
  ['projects/acme/_index.md', 'The lamp is LED.'],
])('a person’s note that a person forgot is restored byte for byte: %s', async (key, text) => {
  const { memory, read, write, keys } = await setup()
  await write(key, text)
  await memory.forget(key, { by: 'person', reason: 'private:\nvery' })
  expect(await keys('lamp')).toEqual([])
  expect(await read(key)).toContain('lamp')
  await memory.restore(key, { by: 'person' })
  expect(await read(key)).toBe(text)
  expect(await keys('lamp')).toEqual([key])
})

const payload = (more: object) => ({
  ownerUserId: 'ada',
  kind: 'fact',
  content: 'Lamps break in March.',
  sourceEpisodes: [],
  lastReinforced: '2026-02-01T00:00:00Z',
  confidence: 0.2,
  baseConfidence: 0.8,
  ...more,
})

test('what an agent forgets of beliefs is not final, and what a person wrote of them is not an agent’s to forget', async () => {
  const { memory, store } = await setup()
  const create = { concept: semanticMemory.name, mutation: 'create' }
  const [learned, edited] = await store.log.append(
    [
      { ...create, id: 'b', payload: payload({}) },
      { ...create, id: 'c', payload: payload({ content: 'Lamps never break.', provenance: 'operator' }) },
    ],
    { owner: 'ada', actor: 'test', partition: 'acme' },
  )
  if (learned === undefined || edited === undefined) throw new TypeError('two beliefs were written')
  const latest = async () => (await store.log.latest(learned.id, { owner: 'ada' }))?.payload
  await memory.forget(learned.id, { by: 'agent' })
  expect(await latest()).toMatchObject({ status: 'pruned', prunedBy: 'agent' })
  await memory.restore(learned.id, { by: 'agent' })
  expect(await latest()).toMatchObject({
    status: 'active',
    confidence: 0.8,
    lastReinforced: '2026-03-01T12:00:00.000Z',
  })
  expect(await latest()).not.toHaveProperty('prunedBy')
  await memory.forget(learned.id, { by: 'person' })
  expect(await latest()).toMatchObject({ prunedBy: 'operator' })
  await expect(memory.restore(learned.id, { by: 'agent' })).rejects.toMatchObject({ code: 'PERSON_NEEDED' })
  await expect(memory.forget(edited.id, { by: 'agent' })).rejects.toMatchObject({ code: 'PERSON_NEEDED' })
  await expect(memory.forget(learned.id, { by: 'agent', purge: true })).rejects.toMatchObject({ code: 'PERSON_NEEDED' })
  await expect(memory.restore(`${observation.name}:none`)).rejects.toMatchObject({ code: 'NOTE_ABSENT' })
})
