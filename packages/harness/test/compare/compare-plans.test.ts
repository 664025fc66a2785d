import { createInMemoryStore } from '@agentm/conformance/logs'
import { harnessConcepts, openHarness } from '@agentm/harness'
import { expect, it } from 'vitest'
import { tellForkStory } from '../fork/fork-story.ts'

it('shows a plan and its fork side by side: what was carried, what differs, and what each cost', async () => {
  const store = createInMemoryStore({ concepts: harnessConcepts })
  await tellForkStory(store)
  const harness = openHarness({ store, owner: 'ada', actor: 'test' })
  const found = await harness.compare('one', 'two')
  expect(found).toMatchObject({
    relation: 'fork',
    a: { status: 'done', attempts: 4, tokens: 40, carried: 0 },
    b: { status: 'done', attempts: 2, tokens: 20, carried: 2, forkedFrom: 'v1:harness:plan:one' },
    input: [{ path: 'tag', a: '"v1"', b: '"v2"' }],
  })
  expect(
    found.steps.map(({ key, differs, b }) => [key, differs.join(), b?.carriedFrom ?? '', b?.attempts, b?.tokens]),
  ).toEqual([
    ['fetch', '', 'v1:harness:plan:one', 0, 0],
    ['notes', '', 'v1:harness:plan:one', 0, 0],
    ['build', 'input,output', '', 1, 10],
    ['ship', 'output', '', 1, 10],
  ])
  expect(found.steps[2]).toMatchObject({
    input: [{ path: 'as', a: '1', b: '2' }],
    output: [{ a: '"build(fetch()0)1"', b: '"build(fetch()0)2"' }],
  })
  await store.close()
})

it('says that two plans are not related, and compares them all the same', async () => {
  const store = createInMemoryStore({ concepts: harnessConcepts })
  const harness = openHarness({ store, owner: 'ada', actor: 'test' })
  for (const id of ['x', 'y'])
    await harness.createPlan({ id, goal: id, steps: [{ key: 'build', title: `Build ${id}`, kind: 'command' }] })
  expect(await harness.compare('x', 'y')).toMatchObject({
    relation: 'unrelated',
    steps: [{ key: 'build', matchedBy: 'key', a: { status: 'ready' }, b: { status: 'ready' } }],
  })
  await store.close()
})
