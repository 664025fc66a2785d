/** Which notes hold a question's words is known to memory itself; a store is asked for words of nodes, and for meaning. */
import type { RecallStore } from '@agentm/nodes'
import { observation, openMemory } from '@agentm/memory'
import { expect, test } from 'vitest'
import { setup } from '../world.ts'

const noteText = (title: string, body: string) =>
  `---\nkind: fix\nstatus: active\ncreated: 2026-01-02\n---\n\n# ${title}\n\n${body}\n`

/** Whatever is asked, what has no vector to compare is not found. */
function withoutWords(sound: RecallStore): RecallStore {
  return {
    ...sound,
    recall: async (query) => {
      const answer = await sound.recall({ ...query, wLex: 0, ...(query.weights && { weights: {} }) })
      return { ...answer, hits: answer.hits.filter(({ similarity }) => similarity !== undefined) }
    },
  }
}

test('notes are found by their words, and a save names those alike, where a store knows no words at all', async () => {
  const { options, store, write } = await setup()
  const memory = openMemory({ ...options, recall: withoutWords(store.recall) })
  for (let i = 0; i < 12; i++) await write(`projects/acme/fix/n${i}.md`, noteText(`Number ${i}`, `Pipe ${i} leaks.`))
  await write('projects/acme/fix/lamp.md', noteText('Lamp', 'The lamp in the attic blinks when the fuse is warm.'))
  const keys = async (more: object) =>
    (await memory.recall({ text: 'attic lamp', ...more })).results.map(({ key }) => key)
  expect(await keys({})).toEqual(['projects/acme/fix/lamp.md'])
  expect((await keys({ wSem: 0, wLex: 1, wRec: 0 }))[0]).toBe('projects/acme/fix/lamp.md')
  const saved = await memory.save({ kind: 'fix', text: 'The lamp in the attic blinks when the fuse is cold.' })
  expect(saved.similar?.map(({ key }) => key)).toEqual(['projects/acme/fix/lamp.md'])
})

test('a filter leaves as many places to the notes that pass it, however many others hold the words better', async () => {
  const { memory, write } = await setup()
  for (let i = 0; i < 900; i++) await write(`projects/acme/fix/n${i}.md`, noteText('Copper', 'Copper leaks.'))
  const decision = noteText('A day', 'Among many other things of that long day, we said that copper stays.')
  await write('projects/acme/decision/d.md', decision.replace('kind: fix', 'kind: decision'))
  const { results } = await memory.recall({
    text: 'copper leaks',
    kinds: ['decision'],
    floor: 'off',
    scanBudgetMs: 60_000,
  })
  expect(results.map(({ key }) => key)).toEqual(['projects/acme/decision/d.md'])
})

// How near a text is to "pipe" is what it says itself.
const embedder = {
  name: 'by-number',
  dimensions: 2,
  embed: async (texts: readonly string[]) =>
    texts.map((text) => {
      const cosine = Number(/near (\d\.\d+)/.exec(text)?.[1] ?? 1)
      return [cosine, Math.sqrt(1 - cosine ** 2)]
    }),
}

test('notes keep their nearness in meaning where episodes that are nearer take every place', async () => {
  const { memory, write, store } = await setup({ embedder })
  const by = { owner: 'ada', actor: 'test', partition: 'acme' }
  const drafts = Array.from({ length: 80 }, (_, i) => ({
    concept: observation.name,
    payload: { ownerUserId: 'ada', kind: 'note', content: `Said at hour ${i}, near 0.9${i + 10}.` },
    mutation: 'see',
  }))
  await store.log.append(drafts, by)
  await write('projects/acme/fix/a.md', noteText('Pipe', 'One pipe, near 0.50.'))
  await write('projects/acme/fix/b.md', noteText('Pipe', 'One pipe, near 0.80.'))
  await memory.recall({ text: 'pipe' })
  await memory.embedPending()
  const { results } = await memory.recall({ text: 'pipe', floor: 'off', k: 100 })
  const notes = results.filter(({ of }) => of === 'note').map(({ key, similarity }) => [key, similarity?.toFixed(1)])
  expect(notes).toEqual([
    ['projects/acme/fix/b.md', '0.8'],
    ['projects/acme/fix/a.md', '0.5'],
  ])
})

test('a note that is far in meaning shows how far, however many others are nearer', async () => {
  const { memory, write } = await setup({ embedder })
  for (let i = 0; i < 70; i++) await write(`projects/acme/fix/n${i}.md`, noteText('Other', `Thing, near 0.7${i + 10}.`))
  await write('projects/acme/fix/lamp.md', noteText('Lamp', 'The lamp in the attic, near 0.10.'))
  await memory.recall({ text: 'x', scanBudgetMs: 60_000 })
  await memory.embedPending()
  const [first] = (await memory.recall({ text: 'attic lamp', floor: 'off' })).results
  expect(first?.key).toBe('projects/acme/fix/lamp.md')
  expect(first?.similarity).toBeCloseTo(0.1, 2)
})

test('a note that has no vector yet is as near as its words say, however many others have one', async () => {
  const { memory, write } = await setup({ embedder })
  for (let i = 0; i < 70; i++) await write(`projects/acme/fix/n${i}.md`, noteText('Other', `Thing, near 0.7${i + 10}.`))
  await memory.recall({ text: 'x', scanBudgetMs: 60_000 })
  await memory.embedPending()
  await write('projects/acme/fix/lamp.md', noteText('Lamp', 'The lamp in the attic, near 0.10.'))
  const { results, freshness } = await memory.recall({ text: 'attic lamp', floor: 'off' })
  expect(freshness.pendingVectors).toBe(1)
  expect(results[0]).toMatchObject({ key: 'projects/acme/fix/lamp.md', similarity: undefined })
  expect(results[0]?.score).toBeCloseTo(1.25)
})
