import { openMemory } from '@agentm/memory'
import type { Reranker } from '@agentm/memory/rerankers'
import { expect, it } from 'vitest'
import { setup } from '../world.ts'

const question = 'which port does staging use?'

/** Thirty notes about the port of staging, and one that a reranker would find. */
async function notes(rerank: Reranker['rerank'], more: { readonly first?: number; readonly deadlineMs?: number } = {}) {
  const seen: (readonly string[])[] = []
  const reranker: Reranker = {
    name: 'test',
    rerank: async (asked, texts, options) => {
      seen.push(texts)
      return rerank(asked, texts, options)
    },
  }
  const world = await setup({ reranking: { reranker, ...more } })
  for (let i = 0; i < 30; i++)
    await world.memory.save({ kind: 'fact', title: `Staging ${i}`, text: `Staging uses the port number ${i}.` })
  const plain = openMemory({ ...world.options, reranking: undefined as never })
  const titles = async (memory = world.memory, k = 30) =>
    (await memory.recall({ text: question, k, floor: 'off' })).results.map(({ title }) => title)
  return { ...world, seen, titles, plainTitles: await titles(plain) }
}

const reversed: Reranker['rerank'] = async (_, texts) => texts.map((_text, i) => i)

it('puts the first results in the order of the reranker, and leaves all others in their places', async () => {
  const { titles, plainTitles, seen, memory } = await notes(reversed, { first: 5 })
  expect(await titles()).toEqual([...plainTitles.slice(0, 5).toReversed(), ...plainTitles.slice(5)])
  expect(seen[0]).toHaveLength(5)
  expect(seen[0]?.[0]).toContain('Staging uses the port number')
  expect((await memory.recall({ text: question })).freshness.notice).toBeUndefined()
})

it('shows the reranker more results than were asked for, so that a hidden one can come first', async () => {
  const { titles, plainTitles } = await notes(reversed, { first: 20 })
  expect(await titles(undefined, 1)).toEqual([plainTitles[19]])
})

const never = new Promise<never>(() => undefined)

it.each<[string, Reranker['rerank'], string]>([
  ['late', async () => never, 'did not answer within 40 ms'],
  ['wrong with NaN', async (_, texts) => texts.map(() => Number.NaN), 'not a finite number'],
  ['wrong with too few scores', async () => [1], '1 scores for 20 texts'],
  ['down', async () => Promise.reject(new Error('connect ECONNREFUSED')), 'ECONNREFUSED'],
])(
  'answers in the plain order and says so when the reranker is %s, and then leaves it alone for a while',
  async (_, rerank, why) => {
    const { titles, plainTitles, memory, seen, tick } = await notes(rerank, { deadlineMs: 40 })
    expect(await titles()).toEqual(plainTitles)
    expect(seen).toHaveLength(1)
    const { results, freshness } = await memory.recall({ text: question, k: 30, floor: 'off' })
    expect(results).toHaveLength(30)
    expect(freshness.notice).toContain("the results are in recall's own order")
    expect(freshness.notice).toContain(why)
    expect(seen).toHaveLength(1)
    tick(10_000)
    await titles()
    expect(seen).toHaveLength(2)
  },
)

it('uses it again once it works', async () => {
  let isDown = true
  const { titles, plainTitles, tick } = await notes(async (...asked) => {
    if (isDown) throw new Error('down')
    return reversed(...asked)
  })
  expect(await titles()).toEqual(plainTitles)
  isDown = false
  tick(10_000)
  expect((await titles())[0]).toBe(plainTitles[19])
})

it('asks nothing where there is nothing to order, or where weights decide the order', async () => {
  const { memory, seen } = await notes(reversed)
  await memory.recall({ text: 'zebra crossing' })
  await memory.recall({ text: question, wLex: 1 })
  expect(seen).toEqual([])
})
