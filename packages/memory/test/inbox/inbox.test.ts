import { InMemoryBackend } from '@agentm/conformance'
import { openMemory } from '@agentm/memory'
import { Capabilities } from '@agentm/storage-seam'
import { describe, expect, test } from 'vitest'
import { setup } from '../world.ts'

const wish = { kind: 'preference', title: 'How to push', text: 'Push to main\nwithout asking.', tags: ['git'] } as const
const proposal = { ...wish, by: 'agent', alwaysLoad: true, confidence: 0.4, rationale: 'said "twice"' } as const
const person = { by: 'person' } as const

describe('the inbox', () => {
  test('lists what waits, oldest first, with who proposed it, why, and for what', async () => {
    const { memory, tick, write } = await setup()
    await memory.capture(proposal)
    tick(86_400_000)
    await memory.capture({ text: 'Lamps are LED.', scope: 'personal' })
    await memory.capture({ text: 'Lamps are LED.', scope: 'personal' })
    await write(
      'personal/_inbox/mined.md',
      '---\nkind: Not A Kind\nstatus: inbox\nslug: q\nmining_rationale: "\\"seen\\""\n---\nOld tools.',
    )
    const { candidates, elsewhere, unreadable } = await memory.inbox.list()
    expect([elsewhere, unreadable]).toEqual([0, []])
    expect(candidates).toMatchObject([
      { name: 'mined', kind: 'idea', partition: '_global', reason: 'seen', createdAt: 0 },
      {
        name: 'how-to-push',
        key: 'personal/_inbox/how-to-push.md',
        status: 'waiting',
        kind: 'preference',
        title: 'How to push',
        text: wish.text,
        tags: ['git'],
        partition: 'acme',
        alwaysLoad: true,
        writtenBy: 'agent',
        createdAt: Date.UTC(2026, 2, 1),
        occurrences: 1,
        confidence: 0.4,
        reason: 'said "twice"',
      },
      { name: 'lamps-are-led', partition: '_global', alwaysLoad: false, occurrences: 2 },
    ])
    expect(candidates[2]).not.toHaveProperty('writtenBy')
  })

  test.each([{}, { by: 'agent' }] as const)('lets nobody but a person decide: %j', async (who) => {
    const { memory, read } = await setup()
    const { key } = await memory.capture(proposal)
    const before = await read(key)
    for (const refused of [
      memory.inbox.accept('how-to-push', { ...who, alwaysLoad: true }),
      memory.inbox.edit('how-to-push', { ...who, text: 'Push.' }),
      memory.inbox.reject('how-to-push', who),
    ])
      await expect(refused).rejects.toMatchObject({ code: 'PERSON_NEEDED', key })
    expect(await read(key)).toBe(before)
    expect(await memory.notes()).toEqual([])
  })

  test('accepts: the note keeps who wrote it, and that a person accepted it, and nothing waits any more', async () => {
    const { memory, read, reader, keys } = await setup()
    await memory.capture(proposal)
    const accepted = await memory.inbox.accept('how-to-push', person)
    expect(accepted).toMatchObject({
      outcome: 'created',
      key: 'projects/acme/preference/how-to-push.md',
      project: 'acme',
    })
    expect(await read(accepted.key)).toContain('written_by: agent\naccepted_by: person\n')
    expect((await memory.inbox.list()).candidates).toEqual([])
    expect(await keys('push to main')).toEqual([accepted.key])
    // Not granted by itself.
    expect((await reader.bundle({})).text).not.toContain('always-load')
    await expect(memory.forget(accepted.key, { by: 'agent' })).rejects.toMatchObject({ code: 'PERSON_NEEDED' })
    expect(await memory.capture({ ...wish, by: 'agent' })).toMatchObject({ outcome: 'known', key: accepted.key })
  })

  test('lets sessions begin with a proposal only when the person says so, also where a note says it already', async () => {
    const { memory, reader } = await setup()
    await memory.save({ ...wish, by: 'agent' })
    expect(await memory.capture(proposal)).toMatchObject({ outcome: 'captured' })
    const { key } = await memory.inbox.accept('how-to-push', { ...person, alwaysLoad: true })
    expect(key).toBe('projects/acme/_always-load/how-to-push.md')
    expect((await reader.bundle({})).text).toContain(
      "### always-load: how-to-push (an agent's note)\n\n> Push to main\n",
    )
    expect(await memory.capture(proposal)).toMatchObject({ outcome: 'known', key })
  })

  test('moves a proposal from its project to every project only when it is told to', async () => {
    const { memory, options } = await setup()
    await memory.capture(proposal)
    const beta = openMemory({ ...options, project: { slug: 'beta' } })
    expect(await beta.inbox.list()).toMatchObject({ candidates: [], elsewhere: 1 })
    for (const name of ['how-to-push', 'personal/_inbox/how-to-push.md', '../_inbox/how-to-push', 'nothing'])
      await expect(beta.inbox.accept(name, person)).rejects.toMatchObject({ code: 'NOTE_ABSENT' })
    const { project: _, ...none } = options
    expect(await openMemory(none).inbox.list()).toMatchObject({ candidates: [], elsewhere: 1 })
    expect(await memory.inbox.accept('how-to-push', { ...person, scope: 'personal' })).toMatchObject({
      key: 'personal/preference/how-to-push.md',
    })
  })

  test('changes a candidate before it is decided about; words that a person changed are a person’s', async () => {
    const { memory, read } = await setup()
    const { key } = await memory.capture(proposal)
    expect(await memory.inbox.edit('how-to-push', { ...person, kind: 'workflow' })).toMatchObject({
      writtenBy: 'agent',
    })
    const text = '---\nAsk before you push.'
    expect(await memory.inbox.edit(key, { ...person, text, tags: ['a', 'b'], scope: 'personal' })).toMatchObject({
      text,
      kind: 'workflow',
      tags: ['a', 'b'],
      partition: '_global',
      writtenBy: 'person',
      reason: 'said "twice"',
    })
    for (const bad of [{ kind: 'No Kind' }, { text: ' ' }, { tags: ['a b'] }])
      await expect(memory.inbox.edit(key, { ...person, ...bad })).rejects.toMatchObject({ code: 'INVALID_NOTE' })
    const secret = `ghp_${'aB3dE5gH7jK9mN2pQ4sT'.repeat(2)}`
    await expect(memory.inbox.edit(key, { ...person, text: secret })).rejects.toMatchObject({ code: 'SECRET_FOUND' })
    const accepted = await memory.inbox.accept('how-to-push', person)
    expect(accepted.key).toBe('personal/workflow/how-to-push.md')
    expect((await read(accepted.key)).endsWith(`\n\n${text}\n`)).toBe(true)
  })

  test.each([
    ['the same', wish.text],
    ['with other commas and capitals', 'PUSH to main; without asking'],
  ])('what was rejected does not come back: %s', async (_, text) => {
    const { memory, read, options } = await setup()
    const { key } = await memory.capture(proposal)
    const rejected = await memory.inbox.reject('how-to-push', { ...person, reason: 'never' })
    expect(await memory.inbox.list()).toEqual({ candidates: [], elsewhere: 0, unreadable: [] })
    await expect(read(key)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const again = [
      { ...proposal, text },
      { text, title: 'Other', scope: 'personal' as const },
      { text, slug: 'how-to-push' },
    ]
    for (const request of again)
      expect(await memory.capture(request)).toMatchObject({ outcome: 'rejected', key: rejected.key, occurrences: 0 })
    const beta = openMemory({ ...options, project: { slug: 'beta' } })
    expect(await beta.capture({ text })).toMatchObject({ outcome: 'rejected' })
    expect((await memory.inbox.list()).candidates).toEqual([])
    expect((await memory.inbox.list({ rejected: true })).candidates).toMatchObject([
      { status: 'rejected', text: wish.text },
    ])
    // Neither does an agent bring it back by forgetting that it was rejected.
    await memory.forget(rejected.key, { by: 'agent' })
    expect(await memory.capture({ text })).toMatchObject({ outcome: 'rejected' })
  })

  test('keeps what was rejected when the person changes their mind', async () => {
    const { memory } = await setup()
    await memory.capture(proposal)
    await memory.inbox.reject('how-to-push', person)
    const [rejected] = (await memory.inbox.list({ rejected: true })).candidates
    expect((await memory.inbox.accept(rejected?.name ?? '', person)).key).toBe(
      'projects/acme/preference/how-to-push.md',
    )
    expect((await memory.inbox.list({ rejected: true })).candidates).toEqual([])
  })

  test('a proposal that an agent forgot waits again when it is proposed again; one a person forgot does not', async () => {
    const { memory } = await setup()
    const { key } = await memory.capture(proposal)
    await memory.forget(key, { by: 'agent' })
    expect((await memory.inbox.list()).candidates).toEqual([])
    expect(await memory.capture(proposal)).toMatchObject({ outcome: 'seen-again', occurrences: 2 })
    expect((await memory.inbox.list()).candidates).toHaveLength(1)
    await memory.forget(key, person)
    expect(await memory.capture(proposal)).toMatchObject({ outcome: 'rejected' })
    expect((await memory.inbox.list()).candidates).toEqual([])
  })

  test('decides on a backend that can remove nothing, too', async () => {
    class Keeping extends InMemoryBackend {
      override readonly capabilities: Capabilities = new Capabilities({ conditionalWrite: true })
    }
    const { memory, read } = await setup({ backend: new Keeping() })
    const [one, two] = [await memory.capture(proposal), await memory.capture({ text: 'Lamps are LED.' })]
    await memory.inbox.accept('how-to-push', person)
    await memory.inbox.reject('lamps-are-led', person)
    expect((await memory.inbox.list()).candidates).toEqual([])
    expect([await read(one.key), await read(two.key)]).toEqual([
      expect.stringContaining('status: accepted'),
      expect.stringContaining('status: rejected'),
    ])
    expect(await memory.capture({ text: 'Lamps are LED.' })).toMatchObject({ outcome: 'rejected' })
  })
})

describe('the same text, for a project and for all of them', () => {
  const fact = { kind: 'fact', text: 'The lamp in the hall is red.', by: 'agent' } as const

  test('is known in a project where every project recalls it already', async () => {
    const { memory } = await setup()
    const { key } = await memory.save({ ...fact, scope: 'personal' })
    expect(await memory.save(fact)).toMatchObject({ outcome: 'reinforced', key })
    expect(await memory.save(fact)).not.toHaveProperty('project')
    expect(await memory.notes()).toHaveLength(1)
  })

  test('is kept for all projects beside the one that knows it, named as the same, and shown once', async () => {
    const { memory, reader, keys } = await setup()
    const own = await memory.save({ ...fact, kind: 'decision' })
    const all = await memory.save({ ...fact, kind: 'decision', scope: 'personal' })
    expect(all).toMatchObject({ outcome: 'created', similar: [{ key: own.key, likeness: 1 }] })
    expect(await keys('lamp in the hall')).toHaveLength(1)
    expect((await reader.bundle({ phase: 'work' })).text.match(/The lamp in the hall/g)).toHaveLength(1)
    expect(await keys('lamp in the hall', { project: '_global' })).toEqual([all.key])
    expect(await keys('lamp in the hall', { project: 'acme' })).toEqual([own.key])
  })

  test('of a person’s files is shown each time', async () => {
    const { write, keys } = await setup()
    for (const key of ['Diary/a.md', 'Diary/b.md', 'projects/acme/c.md']) await write(key, `${fact.text}\n`)
    expect(await keys('lamp in the hall')).toHaveLength(3)
  })
})

describe('the notes there are', () => {
  test.each<[string, object, string[]]>([
    ['all that are active', {}, ['cable', 'diary', 'lamp', 'pump']],
    ['of one project', { project: 'acme' }, ['lamp', 'pump']],
    ['of no project', { project: '_global' }, ['cable', 'diary']],
    ['of a kind', { kinds: ['fix'] }, ['pump']],
    ['of several kinds', { kinds: ['fix', 'fact'] }, ['cable', 'lamp', 'pump']],
    ['with a tag', { tags: ['hall'] }, ['lamp', 'pump']],
    ['with all of several tags', { tags: ['hall', 'red'] }, ['lamp']],
    ['since a day', { from: Date.UTC(2026, 2, 3) }, ['pump']],
    ['before a day', { to: Date.UTC(2026, 2, 3) }, ['cable', 'lamp']],
    ['that were forgotten', { status: ['deleted'] }, ['gone']],
  ])('are listed: %s', async (_, request, expected) => {
    const { memory, write, tick } = await setup()
    await memory.save({ kind: 'fact', slug: 'lamp', text: 'A lamp.', tags: ['hall', 'red'], by: 'person' })
    await memory.save({ kind: 'fact', slug: 'cable', text: 'A cable.', scope: 'personal' })
    tick(3 * 86_400_000)
    await memory.save({ kind: 'fix', slug: 'pump', text: 'A pump.', tags: ['hall'] })
    const gone = await memory.save({ kind: 'fix', slug: 'gone', text: 'A thing.' })
    await memory.forget(gone.key)
    await write('Home/diary.md', 'Dear diary.')
    await write('projects/other/fix/x.md', '---\nkind: fix\nstatus: active\ncreated: 2026-01-02\n---\nNot here.')
    const names = (await memory.notes(request)).map(({ key }) => key.slice(key.lastIndexOf('/') + 1, -'.md'.length))
    expect(names.toSorted((x, y) => (x < y ? -1 : 1))).toEqual(expected)
  })

  test('are listed with all that is known without opening them', async () => {
    const { memory } = await setup()
    await memory.save({ kind: 'fact', slug: 'lamp', text: 'A lamp.', tags: ['hall', 'red'], by: 'person' })
    expect(await memory.notes()).toEqual([
      {
        id: expect.stringContaining('v1:memory:note:'),
        key: 'projects/acme/fact/lamp.md',
        title: 'A lamp.',
        kind: 'fact',
        status: 'active',
        tags: ['hall', 'red'],
        project: 'acme',
        createdAt: Date.UTC(2026, 2, 1),
        writtenBy: 'person',
      },
    ])
  })
})
