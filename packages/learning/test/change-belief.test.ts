/** What a person decides about beliefs: confirm, correct, forget. */
import { expect, it } from 'vitest'
import { beliefShelf } from '@agentm/learning'
import { semanticMemory } from '@agentm/memory'
import { setup } from './world.ts'

const day = 86_400_000

async function believing(more: object = {}) {
  const { store, publishing, tick } = await setup()
  const payload = {
    ownerUserId: 'ada',
    content: 'Staging restarts at 4.',
    sourceEpisodes: [],
    lastReinforced: '2026-02-03T04:05:06.000Z',
    confidence: 0.4,
    baseConfidence: 0.7,
    reinforceCount: 2,
    ...more,
  }
  const draft = { concept: semanticMemory.name, id: 'abcdef', payload, mutation: 'createHarnessSemanticMemory' }
  await store.log.append([draft], { owner: 'ada', actor: 'test', partition: 'acme' })
  const shelf = beliefShelf({ log: store.log, owner: 'ada', now: publishing.now })
  return { shelf, store, tick }
}

it('is certain again once a person confirms it, and fades from then on', async () => {
  const { shelf, store, tick } = await believing()
  tick(day)
  const { id } = await shelf.confirm('abcd')
  expect(await shelf.show(id)).toMatchObject({ confidence: 1, reinforceCount: 3, provenance: 'distilled' })
  const head = await store.log.latest(id, { owner: 'ada' })
  expect(head?.payload).toMatchObject({ baseConfidence: 1, lastReinforced: '2026-03-02T12:00:00.000Z' })
  expect((await shelf.show(id)).versions.map(({ what }) => what)).toEqual([
    'createHarnessSemanticMemory',
    'confirmSemanticMemory',
  ])
})

it('keeps the words of a person, and remembers what it said before', async () => {
  const { shelf, store } = await believing()
  const { id } = await shelf.correct('abcd', '  Staging restarts at 5.\n')
  expect(await shelf.show(id)).toMatchObject({
    content: 'Staging restarts at 5.',
    provenance: 'operator',
    confidence: 1,
  })
  const head = await store.log.latest(id, { owner: 'ada' })
  expect(head?.payload['editedFrom']).toEqual(['Staging restarts at 4.'])
})

it('decides nothing about what is forgotten, waits for another decision, or would hold a secret', async () => {
  const { shelf } = await believing()
  const refused = { code: 'BELIEF_REFUSED' }
  await expect(shelf.correct('abcd', ' ')).rejects.toMatchObject(refused)
  const secret = `use ghp_${'a1B2c3D4'.repeat(5).slice(0, 36)}`
  await expect(shelf.correct('abcd', secret)).rejects.toMatchObject(refused)
  expect(await shelf.prune('abcd')).toMatchObject({ wasActive: true })
  expect(await shelf.prune('abcd')).toMatchObject({ wasActive: false })
  await expect(shelf.confirm('abcd')).rejects.toMatchObject(refused)
  const { shelf: other } = await believing({ origin: 'sessions', lesson: 'decision' })
  await expect(other.confirm('abcd')).rejects.toMatchObject(refused)
  expect((await other.show('abcd')).versions).toHaveLength(1)
})
