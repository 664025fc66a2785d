/** What may leave a log: ended plans and agent sessions that are old enough and that nothing needs any more. */
import type { LeavingNode } from '@agentm/harness/retention'
import { expect, it } from 'vitest'
import { dayMs, observationId, planId, RetentionWorld, stepId } from './retention-world.ts'

const allRead = { episodes: Infinity, turns: Infinity }

const short = (id: string) => id.slice(id.lastIndexOf(':') + 1)

async function chosenFrom(world: RetentionWorld, ...given: Parameters<RetentionWorld['choose']>) {
  const { leave, stay } = await world.choose(...given)
  return {
    leave: leave.map(({ root }) => short(root.id)).toSorted(),
    stay: Object.fromEntries(stay.map(({ group, why }) => [short(group.root.id), why])),
  }
}

it('removes an old plan with everything that belongs to it, and nothing of another plan', async () => {
  const world = RetentionWorld.inMemory()
  await world.plan('young', { day: 60 })
  await world.plan('old', { steps: { a: ['b', 'c'], b: ['c'], c: [] } })
  await world.end()
  const before = await world.ids()
  const removal = await (await world.choose({}, allRead)).remove()
  expect(await world.ids()).toEqual(before.filter((id) => id.includes('young') || id === 'end'))
  expect(removal).toMatchObject({ nodes: 1 + 3 * 4 + 1, stayed: {} })
  expect((await world.store.log.check()).problems).toEqual([])
})

it('keeps plans that are not over, that are young, and that the rule does not ask for', async () => {
  const world = RetentionWorld.inMemory()
  await world.plan('open', { status: 'open' })
  await world.plan('running', { status: 'running' })
  await world.plan('young', { day: 50 })
  await world.plan('failed', { status: 'failed' })
  await world.plan('cellar', { project: 'cellar' })
  await world.plan('done')
  await world.turn('s', 1)
  await world.end()
  const stay = { open: 'active', running: 'active', young: 'recent' }
  expect(await chosenFrom(world)).toEqual({ leave: ['cellar', 'codex s', 'done', 'failed'], stay })
  expect((await chosenFrom(world, { statuses: ['failed', 'cancelled'] })).leave).toEqual(['failed'])
  expect((await chosenFrom(world, { project: 'cellar' })).leave).toEqual(['cellar'])
  expect((await chosenFrom(world, { kind: 'session' })).leave).toEqual(['codex s'])
  expect((await chosenFrom(world, { before: 0 })).leave).toEqual([])
})

it('keeps a plan with the plans that its steps started, as long as one of them is needed', async () => {
  const world = RetentionWorld.inMemory()
  for (const [id, status, day] of [
    ['one', 'running', 0],
    ['two', 'done', 60],
    ['three', 'done', 0],
  ] as const) {
    await world.plan(id)
    await world.plan(`${id}-child`, { status, day, parent: { plan: id, step: `${id}-a` } })
  }
  await world.end()
  expect(await chosenFrom(world)).toEqual({ leave: ['three'], stay: { one: 'active', two: 'recent' } })
  await (await world.choose()).remove()
  expect((await world.ids()).filter((id) => id.includes('three'))).toEqual([])
})

it('keeps what a belief in force was formed from, and what a schedule or a kept plan refers to', async () => {
  const world = RetentionWorld.inMemory()
  for (const id of ['seen', 'step', 'whole', 'gone', 'first', 'scheduled']) await world.plan(id)
  await world.plan('second', { follows: 'first' })
  await world.plan('third', { follows: 'second', status: 'open' })
  await world.belief('b', [observationId('o-seen-a'), stepId('step-a'), planId('whole')])
  await world.belief('pruned', [planId('gone')], 'pruned')
  await world.schedule('nightly', planId('scheduled'))
  expect(await chosenFrom(world)).toEqual({
    leave: ['gone'],
    stay: {
      seen: 'cited',
      step: 'cited',
      whole: 'cited',
      scheduled: 'cited',
      third: 'active',
      second: 'followed',
      first: 'followed',
    },
  })
})

it('keeps what learning has not read, unless that makes no difference', async () => {
  const world = RetentionWorld.inMemory()
  await world.plan('read')
  await world.plan('held')
  await world.turn('read', 1)
  const position = await world.store.log.position()
  await world.plan('new')
  await world.turn('new', 1)
  await world.end()
  const learning = { episodes: position, turns: position, held: [observationId('o-held-a')] }
  expect(await chosenFrom(world, {}, learning)).toEqual({
    leave: ['codex read', 'read'],
    stay: { held: 'unread', new: 'unread', 'codex new': 'unread' },
  })
  expect((await chosenFrom(world, {}, {})).leave).toEqual([])
  expect((await chosenFrom(world)).leave).toHaveLength(5)
})

it('removes the turns of an agent session together', async () => {
  const world = RetentionWorld.inMemory()
  for (const day of [1, 2, 3]) await world.turn('old', day, day)
  for (const day of [1, 60]) await world.turn('long', day, day)
  await world.turn('cited', 1)
  await world.belief('b', ['v1:sessions:turn:cited-1'])
  const { leave, stay } = await chosenFrom(world, {}, allRead)
  expect({ leave, stay }).toEqual({ leave: ['codex old'], stay: { 'codex long': 'recent', 'codex cited': 'cited' } })
  await (await world.choose({}, allRead)).remove()
  expect(await world.ids()).toEqual(['b', 'cited-1', 'long-1', 'long-60'])
})

it('keeps a plan that something refers to since it was chosen', async () => {
  const world = RetentionWorld.inMemory()
  for (const id of ['believed', 'continued', 'unneeded']) await world.plan(id)
  await world.end()
  const chosen = await world.choose()
  await world.belief('b', [observationId('o-believed-a')])
  await world.plan('next', { follows: 'continued', day: 60 })
  const left = async (id: string) => (await world.ids()).filter((each) => each.includes(id)).length
  const all = await left('believed')
  const { stayed } = await chosen.remove()
  expect(await Promise.all(['believed', 'continued', 'unneeded'].map(left))).toEqual([all, all, 0])
  expect(stayed).toEqual({ cited: 2 * all })
})

it('keeps what was written since it was read, and what that belongs to', async () => {
  const world = RetentionWorld.inMemory()
  for (const id of ['changed', 'same']) await world.plan(id)
  await world.end()
  const chosen = await world.choose()
  const read: LeavingNode[] = []
  for await (const { group, head } of chosen.nodes()) read.push({ group, id: head.id, version: head.version })
  await world.store.log.redact(stepId('changed-a'), { owner: 'ada', actor: 'test' })
  await world.belief('later', [])
  async function* given() {
    yield* read
  }
  expect((await chosen.remove({ nodes: given() })).stayed).toEqual({ changed: 1, cited: 1 })
  expect(await world.ids()).toEqual(['changed', 'changed-a', 'end', 'later'])
  expect((await world.store.log.check()).problems).toEqual([])
})

it('can be stopped, and goes on the next time', async () => {
  const world = RetentionWorld.inMemory()
  for (let i = 0; i < 100; i++) await world.plan(`p${i}`)
  await world.end()
  const stop = new AbortController()
  const first = await (await world.choose()).remove({ signal: stop.signal, onProgress: () => stop.abort() })
  expect(first.nodes).toBeGreaterThan(0)
  expect((await world.ids()).length).toBeGreaterThan(1)
  expect((await world.store.log.check()).problems).toEqual([])
  const second = await (await world.choose()).remove()
  expect(first.nodes + second.nodes).toBe(100 * 6)
  expect(await world.ids()).toEqual(['end'])
})

it('keeps the newest node of the log, and removes a plan that only a removed one follows', async () => {
  const world = RetentionWorld.inMemory()
  await world.plan('one')
  await world.plan('two', { follows: 'one' })
  expect((await chosenFrom(world, { before: dayMs })).stay).toEqual({ two: 'newest', one: 'followed' })
  await world.end()
  expect((await chosenFrom(world, { before: dayMs })).leave).toEqual(['one', 'two'])
})

it('keeps a plan whose results a kept fork carries on, over several forks, and lets all of them leave together', async () => {
  const world = RetentionWorld.inMemory()
  await world.plan('one')
  await world.plan('two', { forkedFrom: 'v1:harness:plan:one' })
  await world.plan('three', { day: 60, forkedFrom: 'v1:harness:plan:two' })
  await world.end()
  expect((await chosenFrom(world)).stay).toEqual({ one: 'followed', two: 'followed', three: 'recent' })
  const all = await world.choose({ before: 70 * dayMs })
  expect(await all.remove()).toMatchObject({ stayed: {} })
  expect(await world.ids()).toEqual(['end'])
})
