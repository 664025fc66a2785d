import type { RecallItem } from '@agentm/nodes'
import { expect, it } from 'vitest'
import { openStore, ownDirectory } from './open-store.ts'

const owner = 'ada'
const concept = 'v1:test:note'

function item(name: string, text: string, more: Partial<RecallItem> = {}): RecallItem {
  return { id: `${name}/0`, source: name, concept, partition: 'attic', text, createdAt: 1, data: { text }, ...more }
}

it('tells whoever asks again what another one put, changed and took away since', async () => {
  const directory = ownDirectory()
  const [mine, other] = [await openStore(directory), await openStore(directory)]
  const seen = async () =>
    (await mine.recall.entries({ owner, concept })).entries.map(({ id, data }) => [id, data['text']])
  await other.recall.put([item('b', 'fuse'), item('a', 'lamp'), item('c', 'wire')], { owner })
  expect(await seen()).toEqual([
    ['a/0', 'lamp'],
    ['b/0', 'fuse'],
    ['c/0', 'wire'],
  ])
  await other.recall.put([item('d', 'bulb')], { owner })
  await other.recall.put([item('b', 'another fuse')], { owner, replace: 'b' })
  await other.recall.put([item('c', 'wire', { data: { text: 'the same words, other data' } })], { owner })
  await other.recall.remove({ source: 'a' }, { owner })
  expect(await seen()).toEqual([
    ['b/0', 'another fuse'],
    ['c/0', 'the same words, other data'],
    ['d/0', 'bulb'],
  ])
  await other.recall.put([item('e', 'not of this owner')], { owner: 'bob' })
  await other.recall.put([item('f', 'not of this kind', { concept: 'v1:test:else' })], { owner })
  expect(await seen()).toHaveLength(3)
})

it('keeps the revision of a concept while only other things change, also for whoever opens the store later', async () => {
  const directory = ownDirectory()
  const { recall } = await openStore(directory)
  const revision = async () => (await recall.entries({ owner, concept })).revision
  await recall.put([item('a', 'lamp'), item('b', 'fuse')], { owner })
  const before = await revision()
  await recall.put([item('c', 'not of this kind', { concept: 'v1:test:else' })], { owner })
  await recall.put([item('d', 'not of this owner')], { owner: 'bob' })
  expect(await revision()).toBe(before)
  await recall.put([item('b', 'another fuse')], { owner })
  const after = await revision()
  expect(after).not.toBe(before)
  const later = await openStore(directory)
  expect((await later.recall.entries({ owner, concept })).revision).toBe(after)
})

it('says the same as a store that was just opened, whatever happened in between', async () => {
  const directory = ownDirectory()
  const { recall } = await openStore(directory)
  let seed = 11
  const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 40; round++) {
    const name = `${['n', '\u{1F511}', '\uFF5E'][next(3)]}${next(5)}`
    if (next(4) === 0) await recall.remove({ source: name }, { owner })
    else await recall.put([item(name, `text ${next(3)}`, { partition: `p${next(2)}` })], { owner, replace: name })
    if (next(3) > 0) continue
    const fresh = await openStore(directory)
    expect((await recall.entries({ owner, concept })).entries).toEqual(
      (await fresh.recall.entries({ owner, concept })).entries,
    )
    await fresh.close()
  }
})

it('tells more than it reads at once, in the order of ids, whatever they are made of', async () => {
  const { recall } = await openStore()
  const odd = ['"', "'", '\\', '\u{1F511}', '\uFF5E', 'é\n']
  const many = Array.from({ length: 10_100 }, (_, i) => ({
    ...item(`${odd[i % odd.length]}${i}`, 'x'),
    source: `s${i % 7}`,
  }))
  const { data: _, ...bare } = item('bare', 'x')
  await recall.put([...many, bare], { owner })
  const found = (await recall.entries({ owner, concept })).entries
  const byBytes = [...many, bare].map(({ id }) => id).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  expect(found.map(({ id }) => id)).toEqual(byBytes)
  expect(found).toEqual((await recall.entries({ owner, concept, limit: 20_000 })).entries)
})
