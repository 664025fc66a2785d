import { utimes, stat } from 'node:fs/promises'
import path from 'node:path'
import { semanticMemory } from '@agentm/memory'
import { Tier } from '@agentm/storage-seam'
import { afterEach, expect, test } from 'vitest'
import { memoryWorld } from './memory-world.ts'

const worlds: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of worlds.splice(0)) await each.close()
})

async function world() {
  const made = await memoryWorld()
  worlds.push(made)
  return made
}

const metals = ['copper', 'steel', 'brass', 'iron', 'zinc', 'lead', 'tin', 'gold', 'silver', 'nickel']
const things = ['pipe', 'valve', 'hinge', 'wire', 'plate', 'screw', 'lamp', 'bolt', 'spring', 'gear']
const noteText = (body: string) => `---\nkind: fix\nstatus: active\ncreated: 2026-01-02\n---\n\n${body}\n`

test(
  'gives the same answers to 100 questions after both derived tiers were deleted and built again',
  { timeout: 60_000 },
  async () => {
    const { backend, open } = await world()
    const at = Date.UTC(2026, 2, 1)
    const more = { deviceId: 'laptop' }
    const { memory, store } = await open(more)
    const pairs = metals.flatMap((metal, m) => things.map((thing, t) => ({ metal, thing, n: m * 10 + t })))
    for (const { metal, thing, n } of pairs.filter((pair) => pair.n % 2 === 0))
      await backend.write(
        backend.resolve(`projects/acme/fix/n${n}.md`),
        noteText(
          `- The ${metal} ${thing} broke in house ${n}.\n- It was ${things[n % 7]} weather.\n- Shut ${metal} off.\n- Call ${n}.`,
        ),
      )
    const beliefs = metals.map((metal, i) => ({
      concept: semanticMemory.name,
      id: `b${i}`,
      mutation: 'create',
      payload: {
        ownerUserId: 'ada',
        kind: 'fact',
        content: `${metal} ${things[i]} wears out.`,
        sourceEpisodes: [],
        lastReinforced: '2026-02-01T00:00:00Z',
      },
    }))
    await store.log.append(beliefs, { owner: 'ada', actor: 'test', partition: 'acme' })
    await memory.reindex(Tier.SHARED_ABSTRACTS)
    const ask = async () => {
      const answers = []
      for (const { metal, thing } of pairs)
        answers.push((await memory.recall({ text: `broken ${metal} ${thing}`, at })).results)
      return answers
    }
    const before = await ask()
    const published = await Promise.all(
      (await backend.list(backend.resolve('beliefs/laptop'))).map(async (file) => [file.key, await backend.read(file)]),
    )
    expect([published.length, before.filter(({ length }) => length > 0).length]).toEqual([10, 100])

    for (const [key] of published) await backend.remove(backend.resolve(key ?? ''))
    await memory.reindex(Tier.LOCAL_INDEX)
    await memory.reindex(Tier.SHARED_ABSTRACTS)
    expect(await ask()).toEqual(before)
    expect(
      await Promise.all(
        (await backend.list(backend.resolve('beliefs/laptop'))).map(async (file) => [
          file.key,
          await backend.read(file),
        ]),
      ),
    ).toEqual(published)

    // Another device has the store and no log of these beliefs.
    const other = await open({ deviceId: 'phone', db: 'phone.db' })
    const { results } = await other.memory.recall({ text: 'what wears out?', of: ['belief'], k: 20 })
    expect(results.map(({ id }) => id).toSorted()).toEqual(
      beliefs.map(({ id }) => `${semanticMemory.name}:${id}`).toSorted(),
    )
  },
)

test('finds a note that was edited and given its old time back', async () => {
  const { backend, open, file } = await world()
  const { memory } = await open()
  const at = backend.resolve('projects/acme/fix/a.md')
  await backend.write(at, noteText('Copper pipes leak.'))
  expect((await memory.recall({ text: 'copper' })).results).toHaveLength(1)
  const { atime, mtime } = await stat(path.join(file('store'), at.key))
  await backend.write(at, noteText('Marble pipes leak'))
  await utimes(path.join(file('store'), at.key), atime, mtime)
  expect((await memory.recall({ text: 'marble' })).results).toHaveLength(1)
  expect((await memory.recall({ text: 'copper' })).results).toHaveLength(0)
})

test('a forgotten note stays forgotten through restart, reindex and an old copy', async () => {
  const { backend, open } = await world()
  const { memory } = await open()
  const { key } = await memory.save({ kind: 'fix', title: 'Lamp', text: 'The lamp is broken.' })
  const text = await backend.read(backend.resolve(key))
  await memory.forget(key, { purge: true, by: 'person' })
  await backend.write(backend.resolve(key.replace('.md', ' 2.md')), text)
  const next = await open()
  await next.memory.reindex(Tier.LOCAL_INDEX)
  expect((await next.memory.recall({ text: 'lamp broken' })).results).toEqual([])
})

test('two owners index one store side by side', async () => {
  const { open } = await world()
  const { memory } = await open()
  await memory.save({ kind: 'fix', title: 'Lamp', text: 'The lamp is broken.' })
  const bob = await open({ owner: 'bob' })
  expect((await bob.memory.recall({ text: 'lamp' })).results).toHaveLength(1)
  await bob.memory.reindex(Tier.LOCAL_INDEX)
  expect((await memory.recall({ text: 'lamp' })).results).toHaveLength(1)
})
