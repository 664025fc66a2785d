import { createInMemoryStore } from '@agentm/conformance/logs'
import { InMemoryBackend } from '@agentm/conformance'
import { observation, openMemory, semanticMemory } from '@agentm/memory'
import { Capabilities, type Locator, Tier } from '@agentm/storage-seam'
import { describe, expect, test } from 'vitest'
import { setup, SyncedBackend } from '../world.ts'

const day = 86_400
const noteText = (kind: string, created: string, body: string, status = 'active') =>
  `---\nkind: ${kind}\nstatus: ${status}\ncreated: ${created}\ntags: [metal]\n---\n\n# About pipes\n\n${body}\n`

/** Says of each file that it is as it was first seen, whatever became of it. */
class LooksUnchanged extends SyncedBackend {
  readonly opened: string[] = []
  readonly #first = new Map<string, string>()

  override async read(at: Locator) {
    this.opened.push(at.key)
    return super.read(at)
  }

  override async info(at: Locator) {
    const info = await super.info(at)
    const revision = this.#first.get(at.key) ?? info.revision ?? ''
    this.#first.set(at.key, revision)
    return { ...info, revision }
  }
}

async function furnished() {
  const world = await setup()
  await world.write('projects/acme/a.md', noteText('fix', '2026-02-27', 'Copper pipes leak.'))
  await world.write('projects/acme/b.md', noteText('decision', '2025-03-10', 'Copper pipes go.'))
  await world.write('projects/acme/c.md', noteText('decision', '2024-01-01', 'Copper pipes stay.', 'superseded'))
  const ask = async (more: object) =>
    (await world.memory.recall({ text: 'copper pipes', ...more })).results.map(({ key, id }) => key?.slice(-4) ?? id)
  return { ...world, ask }
}

test('says how many notes it reads into the index, the first time', async () => {
  const { ask } = await furnished()
  const told: (readonly [number, number])[] = []
  const onProgress = (done: number, total: number) => void told.push([done, total])
  await ask({ onProgress })
  expect(told).toEqual([[3, 3]])
  await ask({ onProgress })
  expect(told).toHaveLength(1)
})

test.each<[string, object, string[]]>([
  ['what is active, without a filter', {}, ['a.md', 'b.md']],
  ['one kind', { kinds: ['decision'] }, ['b.md']],
  ['a status that rests', { status: ['superseded'] }, ['c.md']],
  ['the last days', { window: 7 * day }, ['a.md']],
  ['from a time on', { from: Date.UTC(2026, 0, 1) }, ['a.md']],
  ['before a time', { to: Date.UTC(2026, 0, 1) }, ['b.md']],
  ['at most so many', { k: 1 }, ['a.md']],
  ['no nonsense for a nonsensical k', { k: Number.NaN }, ['a.md', 'b.md']],
  ['nothing of what was not asked for', { of: ['belief', 'episode'] }, []],
])('finds %s', async (_, more, expected) => {
  const { ask } = await furnished()
  expect(await ask(more)).toEqual(expected)
})

test('the time a question names decides between two that say the same', async () => {
  const { memory } = await furnished()
  const { results } = await memory.recall({ text: 'which copper pipes were there in March 2025?' })
  expect(results[0]).toMatchObject({ key: 'projects/acme/b.md', time: 1 })
})

test('says why: signals, passage, place and time', async () => {
  const { memory } = await furnished()
  const { results } = await memory.recall({ text: 'copper leak', at: Date.UTC(2026, 1, 27) })
  expect(results[0]).toMatchObject({
    of: 'note',
    key: 'projects/acme/a.md',
    project: 'acme',
    kind: 'fix',
    title: 'About pipes',
    tags: ['metal'],
    passage: 'Copper pipes leak.',
    similarity: undefined,
    lexical: 1,
    recency: 1,
    createdAt: Date.UTC(2026, 1, 27),
  })
})

test('with weights, the formula alone decides', async () => {
  const { memory, store } = await furnished()
  const by = { owner: 'ada', actor: 'test', partition: 'acme' }
  const episode = { ownerUserId: 'ada', kind: 'note', content: 'A man talked of pipes.' }
  const [seen] = await store.log.append([{ concept: observation.name, id: 'o', payload: episode, mutation: 'see' }], by)
  const words = await memory.recall({ text: 'copper pipes leak', wLex: 1, wSem: 0, wRec: 0 })
  expect(words.results[0]).toMatchObject({ key: 'projects/acme/a.md', lexical: 1, score: 1 })
  const fresh = await memory.recall({ text: 'copper pipes leak', wLex: 0, wSem: 0, wRec: 1, halfLife: day })
  expect(fresh.results[0]).toMatchObject({ id: seen?.id, score: 1 })
  const { results } = await memory.recall({ text: 'pipes', of: ['episode'] })
  // Nothing has a vector, so the weight of similarity goes to the words: 0.7 + 0.3, the seed's weights.
  expect(results).toMatchObject([{ id: seen?.id, of: 'episode', score: 1 }])
})

test('saturates weights: no number asked for makes a score that is none', async () => {
  const { memory } = await furnished()
  for (const odd of [Infinity, -Infinity, Number.NaN, 1e308, -1, 0]) {
    const asked = { text: 'copper pipes leak', wSem: odd, wLex: odd, wRec: odd, halfLife: odd }
    const { results } = await memory.recall(asked)
    expect(results.length).toBeGreaterThan(0)
    for (const { score, recency } of results) expect([score, recency].every(Number.isFinite)).toBe(true)
  }
})

test('asks the log of another store and ranks what both find as one list', async () => {
  const { options } = await setup()
  const elsewhere = createInMemoryStore({ concepts: [observation, semanticMemory] })
  const content = 'Copper pipes leak in March.'
  const belief = {
    ownerUserId: 'ada',
    kind: 'fact',
    content,
    sourceEpisodes: [],
    lastReinforced: '2026-02-01T00:00:00Z',
  }
  const draft = { concept: semanticMemory.name, id: 'b', payload: belief, mutation: 'create' }
  await elsewhere.log.append([draft], { owner: 'ada', actor: 'test', partition: 'acme' })
  await elsewhere.log.append([{ ...draft, id: 'x' }], { owner: 'ada', actor: 'test', partition: 'beta' })
  await elsewhere.log
    .append([{ ...draft, id: 'y' }], { owner: 'bob', actor: 'test', partition: 'acme' })
    .catch(() => [])
  const memory = openMemory({ ...options, recall: elsewhere.recall, log: elsewhere.log })
  await memory.save({ kind: 'fix', text: 'Copper pipes were replaced.' })
  const { results } = await memory.recall({ text: 'copper pipes' })
  expect(results.map(({ of }) => of).toSorted()).toEqual(['belief', 'note'])
  expect(results.map(({ id }) => id)).toContain('v1:harness:semanticMemory:b')
})

test('refuses an empty question', async () => {
  const { memory } = await setup()
  await expect(memory.recall({ text: ' ' })).rejects.toMatchObject({ code: 'INVALID_NOTE', field: 'text' })
})

test('empties archived versions where the backend cannot remove them', async () => {
  class Keeping extends InMemoryBackend {
    override readonly capabilities: Capabilities = new Capabilities({ conditionalWrite: true })
  }
  const { memory, read } = await setup({ backend: new Keeping() })
  const { key } = await memory.save({ kind: 'fix', slug: 'lamp', text: 'A private matter.' })
  const { archive } = await memory.supersede(key, { text: 'Another private matter.', reason: 'news' })
  await memory.forget(key, { purge: true, by: 'person' })
  for (const place of [key, archive]) expect(await read(place)).not.toContain('private')
})

test('finds words of every script', async () => {
  const { memory, write } = await setup()
  await write('projects/acme/jp.md', '昨日、東京で会議がありました。\n')
  await write('projects/acme/de.md', 'Die Prüfung war in München.\n')
  await write('projects/acme/code.md', 'Call parseHttpHeader first.\n')
  for (const [text, key] of [
    ['東京の会議', 'jp'],
    ['munchen prufung', 'de'],
    ['http header', 'code'],
  ])
    expect((await memory.recall({ text: text ?? '', k: 1 })).results[0]?.key).toBe(`projects/acme/${key}.md`)
})

test('what was ranked as it was read before is opened before it is an answer', async () => {
  const backend = new LooksUnchanged()
  const { memory, write } = await setup({ backend })
  await write('projects/acme/a.md', noteText('fix', '2026-02-27', 'Copper pipes leak.'))
  await write('projects/acme/b.md', noteText('fix', '2026-02-27', 'Copper pipes go, and copper bends.'))
  const found = async (text: string) =>
    (await memory.recall({ text })).results.map(({ key, passage }) => [key, passage] as const)
  const before = await found('do pipes leak?')
  expect(before[0]).toEqual(['projects/acme/a.md', 'Copper pipes leak.'])
  // As when it is written between the walk and the answer: the walk still saw what was there before.
  await write('projects/acme/a.md', noteText('fix', '2026-02-27', 'Tin gutters stay.'))
  const after = await found('do pipes leak?')
  expect(new Map(after)).toEqual(
    new Map([
      ['projects/acme/a.md', '# About pipes'],
      ['projects/acme/b.md', '# About pipes'],
    ]),
  )
  await write('projects/acme/b.md', noteText('fix', '2026-02-27', 'It is the other pipes that leak.'))
  expect((await found('do pipes leak?'))[0]).toEqual(['projects/acme/b.md', 'It is the other pipes that leak.'])
})

test('of what the walk found unchanged, only what is answered is opened again', async () => {
  const backend = new LooksUnchanged()
  const { memory, write } = await setup({ backend })
  for (let i = 0; i < 30; i++)
    await write(`projects/acme/n${i}.md`, noteText('fix', '2026-02-27', `Copper pipes of house ${i}.`))
  await memory.recall({ text: 'copper pipes', k: 3 })
  backend.opened.length = 0
  const { results } = await memory.recall({ text: 'copper pipes', k: 3 })
  expect(backend.opened.filter((key) => key.startsWith('projects/')).toSorted()).toEqual(
    results.map(({ key = '' }) => key).toSorted(),
  )
})

describe('the relevance floor', () => {
  // As the default embedder is to what has nothing in common: a cosine of one half.
  const middling = {
    name: 'static-1/glove-6b-50k.1/256',
    dimensions: 2,
    embed: async (texts: readonly string[]) =>
      texts.map((text) => (/\d|Ada|Monday/.test(text) ? [1, 0] : [0.5, 0.866])),
  }
  const written = async () => {
    const world = await setup({ embedder: middling })
    const notes = [
      'The staging database listens on port 5433.',
      'Ada prefers small commits.',
      'Deploys happen on Mondays.',
    ]
    for (const [i, text] of notes.entries())
      await world.write(
        `projects/acme/${i}.md`,
        noteText('fact', '2026-02-27', text).replace('About pipes', `Note ${i}`),
      )
    await world.memory.reindex(Tier.LOCAL_INDEX)
    await world.memory.embedPending()
    return world
  }

  test.each(['quantum chromodynamics', 'Who painted the ceiling of the Sistine Chapel?'])(
    'finds nothing for %j among ordinary notes, and says how much it left out',
    async (text) => {
      const { memory } = await written()
      const { results, leftOut } = await memory.recall({ text })
      expect([results, leftOut?.belowFloor]).toEqual([[], expect.any(Number)])
      expect((await memory.recall({ text, floor: 'off' })).results.length).toBeGreaterThan(0)
    },
  )

  test.each(['off', 'mild', 'strict'] as const)('lets an answer through when it is %s', async (floor) => {
    const { memory } = await written()
    const { results } = await memory.recall({ text: 'which port does the staging database use?', floor })
    expect(results[0]?.key).toBe('projects/acme/0.md')
  })

  test('is for whoever asks: with a weight given, the formula shows everything', async () => {
    const { memory } = await written()
    expect((await memory.recall({ text: 'quantum chromodynamics', wRec: 1 })).results).toHaveLength(3)
  })

  test('shows a note before the output of a tool that repeats the question', async () => {
    const { memory, store } = await written()
    const by = { owner: 'ada', actor: 'test', partition: 'acme' }
    const content = 'shell: searching for which port does the staging database listen on'
    const payload = { ownerUserId: 'ada', kind: 'tool_result', content }
    await store.log.append([{ concept: observation.name, payload, mutation: 'see' }], by)
    const { results } = await memory.recall({ text: 'which port does the staging database listen on?' })
    expect(results.slice(0, 2).map(({ of }) => of)).toEqual(['note', 'episode'])
  })
})
