import { InMemoryBackend } from '@agentm/conformance'
import { parseNote, readFrontmatter } from '@agentm/memory/notes'
import { Capabilities } from '@agentm/storage-seam'
import { expect, test } from 'vitest'
import { setup } from '../world.ts'

const decision = { kind: 'decision', title: 'Use HTTP/2', text: 'The gateway speaks HTTP/2 to save connections.' }

test('keeps a note in the project and finds it by its words', async () => {
  const { memory, read, keys } = await setup()
  const saved = await memory.save({ ...decision, tags: ['net'] })
  expect(saved).toMatchObject({
    outcome: 'created',
    key: 'projects/acme/decision/use-http-2.md',
    slug: 'use-http-2',
    similar: [],
  })
  expect(await read(saved.key)).toBe(
    '---\nkind: decision\nstatus: active\ncreated: 2026-03-01\nupdated: 2026-03-01\ntags: [net]\ngroup: projects/acme\n' +
      'slug: use-http-2\nalways_load: false\ntitle: Use HTTP/2\n---\n\nThe gateway speaks HTTP/2 to save connections.\n',
  )
  expect(await keys('which protocol does the gateway speak?')).toEqual([saved.key])
})

test('confirms the note when the same text is saved again, also under another title', async () => {
  const { memory, read } = await setup()
  const first = await memory.save(decision)
  const again = await memory.save({ ...decision, title: 'Another title' })
  expect(again).toMatchObject({ outcome: 'reinforced', key: first.key })
  const text = await read(first.key)
  expect(text).toContain('reinforce_count: 2\nlast_reinforced: 2026-03-01T12:00:00Z\n')
})

test('gives another text of the same title a name of its own, and the same one each time', async () => {
  const { memory } = await setup()
  await memory.save(decision)
  const other = await memory.save({ ...decision, text: 'HTTP/2 was dropped.' })
  expect(other.slug).toMatch(/^use-http-2-[0-9a-f]{6}$/)
  expect(await memory.save({ ...decision, text: 'HTTP/2 was dropped.' })).toMatchObject({
    outcome: 'reinforced',
    key: other.key,
  })
})

test('refuses a wanted name that holds another note, and leaves that one alone', async () => {
  const { memory, read } = await setup()
  const { key } = await memory.save({ ...decision, slug: 'http' })
  const before = await read(key)
  await expect(memory.save({ ...decision, slug: 'http', text: 'Something else.' })).rejects.toMatchObject({
    code: 'SLUG_TAKEN',
    key,
  })
  expect(await read(key)).toBe(before)
})

test('lets one of two savers of one name win', async () => {
  const { memory } = await setup()
  const settled = await Promise.allSettled(
    ['one', 'two', 'three'].map(async (text) => memory.save({ kind: 'fix', slug: 'same', text: `It was ${text}.` })),
  )
  expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
})

test('reports what is nearly the same and merges nothing', async () => {
  const { memory, keys } = await setup()
  const first = await memory.save(decision)
  const second = await memory.save({
    kind: 'decision',
    title: 'Protocol',
    text: 'The gateway speaks HTTP/2 to save many connections.',
  })
  expect(second.outcome).toBe('created')
  expect(second.similar).toMatchObject([{ key: first.key, id: first.id }])
  expect(second.similar[0]?.likeness).toBeGreaterThan(0.5)
  expect(await keys('gateway protocol')).toHaveLength(2)
})

test('answers a repeated request with its note, and refuses its key for another text', async () => {
  const { memory, read } = await setup()
  const request = { ...decision, idempotencyKey: 'run-7/step-3' }
  const first = await memory.save(request)
  expect(parseNote(await read(first.key), first.key).tags).toEqual([expect.stringMatching(/^idem-[0-9a-f]{16}$/)])
  expect(await memory.save(request)).toMatchObject({ outcome: 'repeated', key: first.key })
  for (const change of [{ text: 'Else.' }, { text: 'Else.', title: 'Other' }, { text: 'Else.', slug: 'other' }])
    await expect(memory.save({ ...request, ...change })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
      key: first.key,
    })
})

test('refuses secrets by kind without repeating them', async () => {
  const { memory } = await setup()
  const secret = `ghp_${'aB3dE5gH7jK9mN2pQ4sT'.repeat(2)}`
  const refusal = await memory.save({ kind: 'fix', text: `use ${secret}` }).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'SECRET_FOUND', kinds: ['github-token'] })
  expect(String(refusal)).not.toContain(secret)
})

test('refuses what is no note', async () => {
  const { memory } = await setup()
  for (const bad of [
    { kind: 'Fix' },
    { text: '  \n' },
    { slug: '../x' },
    { tags: ['a b'] },
    { confidence: 2 },
    { text: '\uD800' },
  ])
    await expect(memory.save({ kind: 'fix', text: 'x', ...bad })).rejects.toMatchObject({ code: 'INVALID_NOTE' })
})

test('names the capability on a backend that cannot write on a condition', async () => {
  class Plain extends InMemoryBackend {
    override readonly capabilities: Capabilities = new Capabilities({ removal: true })
  }
  const { memory } = await setup({ backend: new Plain() })
  await expect(memory.save(decision)).rejects.toMatchObject({
    code: 'UNSUPPORTED_CAPABILITY',
    capability: 'conditionalWrite',
  })
})

test('keeps a body as it was given, whatever its line ends', async () => {
  const { memory, read } = await setup()
  const text = '  indented\r\nline\t\r\n\r\n--- not a fence\n\u2028end'
  const { key } = await memory.save({ kind: 'fix', text: `${text}\r\n\n`, title: 'x' })
  expect((await read(key)).endsWith(`---\n\n${text}\n`)).toBe(true)
})

test('saves personal notes for every project, and what a person wants every session to begin with', async () => {
  const { memory, backend } = await setup()
  await backend.mkdir(backend.resolve('personal-private'))
  const { memory: older } = await setup({ backend })
  expect((await older.save({ kind: 'preference', text: 'Tabs.', scope: 'personal' })).key).toBe(
    'personal-private/preference/tabs.md',
  )
  const brief = { kind: 'preference', text: 'Be brief.', alwaysLoad: true, by: 'person' } as const
  expect((await memory.save(brief)).key).toBe('projects/acme/_always-load/be-brief.md')
  expect((await memory.save({ ...brief, scope: 'personal' })).key).toBe('personal-private/_always-load/be-brief.md')
})

test('makes 272 notes of nearly one title and finds each of them', async () => {
  const { memory } = await setup()
  const words = Array.from({ length: 272 }, (_, i) => `quirk${i}`)
  for (const word of words)
    await memory.save({
      kind: 'fix',
      title: 'Fix the build on CI',
      text: `Fix the build on CI: ${word} was in the way.`,
    })
  const found = await Promise.all(
    words.map(async (word) => (await memory.recall({ text: word, k: 1 })).results[0]?.text),
  )
  expect(found.filter((text, i) => text?.includes(`${words[i]} `))).toHaveLength(272)
})

test('captures a candidate without its secrets, and counts it when it comes again', async () => {
  const { memory, read, keys } = await setup()
  const secret = ['glpat', 'aB3dE5gH7jK9mN2pQ4sT'].join('-')
  const captured = await memory.capture({ text: `Deploys need ${secret}`, confidence: 0.4, rationale: 'said "twice"' })
  expect(captured).toMatchObject({ outcome: 'captured', occurrences: 1, redacted: ['gitlab-token'] })
  expect(await memory.capture({ text: `Deploys need ${secret}` })).toMatchObject({
    outcome: 'seen-again',
    key: captured.key,
    occurrences: 2,
  })
  const text = await read(captured.key)
  expect(text).toContain('Deploys need [redacted: gitlab-token]')
  expect(text).not.toContain(secret)
  expect(parseNote(text, captured.key)).toMatchObject({ status: 'inbox', kind: 'idea' })
  expect(await keys('deploys')).toEqual([])
})

test('offers: keeps what is sure, asks about the rest, and skips where nobody is there', async () => {
  const { memory } = await setup()
  const offer = { kind: 'fix', text: 'Use node 20.', confidence: 0.9, confidenceReason: 'seen twice' }
  expect(await memory.offerSave({ ...offer, confidence: 0.5 })).toEqual({ outcome: 'skipped', why: 'unsure' })
  expect(await memory.offerSave(offer, { mode: 'off' })).toEqual({ outcome: 'skipped', why: 'off' })
  const asked: unknown[] = []
  const confirm = async (preview: unknown) => asked.push(preview) === 2
  expect(await memory.offerSave({ ...offer, confidence: 0.5 }, { confirm })).toEqual({
    outcome: 'skipped',
    why: 'declined',
  })
  expect(await memory.offerSave({ ...offer, confidence: 0.5 }, { confirm })).toMatchObject({
    outcome: 'saved',
    asked: true,
  })
  expect(asked[0]).toMatchObject({ reason: 'seen twice', confidence: 0.5 })
  expect(await memory.offerSave({ ...offer, text: 'Use node 22.' })).toMatchObject({ outcome: 'saved', asked: false })
})

test.each([{}, { by: 'agent' }] as const)(
  'lets nobody but a person decide what sessions begin with: %j',
  async (who) => {
    const { memory, reader } = await setup()
    const wish = { kind: 'preference', text: 'Push to main without asking.', ...who, alwaysLoad: true }
    await expect(memory.save(wish)).rejects.toMatchObject({ code: 'INVALID_NOTE', field: 'alwaysLoad' })
    await expect(memory.offerSave(wish, { mode: 'silent' })).rejects.toMatchObject({ field: 'alwaysLoad' })
    await memory.capture(wish)
    expect((await reader.bundle({})).text).not.toContain('Push to main')
  },
)

test('keeps the wish as a proposal in the inbox, with all that is needed to accept it', async () => {
  const { memory, read } = await setup()
  const text = 'Push to main\nwithout asking.'
  const wish = { kind: 'preference', title: 'How to push', text, tags: ['git'], by: 'agent', alwaysLoad: true } as const
  const { key } = await memory.capture(wish)
  expect(key).toBe('personal/_inbox/how-to-push.md')
  const { fields, body } = readFrontmatter(await read(key))
  expect(Object.fromEntries(fields)).toMatchObject({
    kind: 'preference',
    status: 'inbox',
    tags: ['git'],
    group: 'projects/acme',
    slug: 'how-to-push',
    always_load: true,
    title: 'How to push',
    written_by: 'agent',
  })
  expect(body.trim()).toBe(text)
})

test('says in the note who wrote it, and recall says it too', async () => {
  const { memory } = await setup()
  await memory.save({ kind: 'fact', text: 'The lamp is red.', by: 'agent' })
  await memory.save({ kind: 'fact', text: 'The lamp is LED.', by: 'person' })
  await memory.save({ kind: 'fact', text: 'The lamp is old.' })
  const { results } = await memory.recall({ text: 'lamp' })
  const byText = new Map(results.map(({ text, writtenBy }) => [text, writtenBy]))
  expect(byText.get('The lamp is red.')).toBe('agent')
  expect(byText.get('The lamp is LED.')).toBe('person')
  expect(byText.get('The lamp is old.')).toBeUndefined()
})

test.each([
  ['本番環境では必ず読み取り専用のレプリカを使うこと。', '本番環境では必ず読み取り専用のレプリカを使うこと。'],
  [
    'The nightly export of the billing tables has to finish before four in the morning because of the backup window.',
    'The nightly export of the billing tables has to finish before four in the morning because of the backup window.',
  ],
])('shows the first line of a note as its title, whole, in any language: %s', async (text, title) => {
  const { memory } = await setup()
  const { key } = await memory.save({ kind: 'fact', text })
  expect((await memory.notes()).map((note) => note.title)).toEqual([title])
  expect((await memory.recall({ text })).results.map((found) => found.title)).toEqual([title])
  expect((await memory.history(key)).map((version) => version.title)).toEqual([title])
})
