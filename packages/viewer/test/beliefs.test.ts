/** What the page shows of beliefs and what a person decides about them: a real log, and the same requests that the page sends. */
import { expect, it } from 'vitest'
import type { BeliefList, BeliefPage } from '../src/contract/beliefs.ts'
import type { Changed } from '../src/contract/frame.ts'
import type { NotePage } from '../src/contract/memory.ts'
import { ViewWorld } from './view-world.ts'

const belief = 'v1:harness:semanticMemory'
const secret = `ghp_${'a1B2c3D4'.repeat(5).slice(0, 36)}`

async function believing(options: { readonly write?: boolean } = {}) {
  const world = await ViewWorld.make(options)
  const workspace = await world.workspace()
  const { log } = await workspace.log()
  const append = async (concept: string, id: string, payload: object, mutation = 'test', partition = '_global') =>
    log.append([{ concept, id, payload: { ownerUserId: 'ada', ...payload }, mutation }], {
      owner: 'ada',
      actor: 'test',
      partition,
    })
  const believe = async (id: string, content: string, more: object = {}, partition = '_global') =>
    append(
      belief,
      id,
      { content, sourceEpisodes: [], confidence: 0.6, lastReinforced: '2026-02-03T04:05:06.000Z', ...more },
      'createHarnessSemanticMemory',
      partition,
    )
  const list = async (query = '') => world.json<BeliefList>(`/api/beliefs${query}`)
  const page = async (id: string) => world.json<BeliefPage>(`/api/beliefs/${id}`)
  const change = async (sent: object) => {
    const { status, body } = await world.change(sent, 'beliefs')
    return { status, ...(JSON.parse(body) as Changed & { readonly code?: string }) }
  }
  return { world, workspace, log, append, believe, list, page, change }
}

it('says that there is no log yet, and makes none by looking or by a wrong change', async () => {
  const world = await ViewWorld.make({ write: true })
  expect(await world.json<BeliefList>('/api/beliefs')).toMatchObject({ hasLog: false, beliefs: [] })
  expect((await world.get('/api/beliefs/abcdef')).status).toBe(404)
  expect((await world.change({ do: 'forget', id: 'abcdef' }, 'beliefs')).status).toBe(404)
  expect(await world.json<BeliefList>('/api/beliefs')).toMatchObject({ hasLog: false })
})

it('lists beliefs by confidence, and apart from them what waits and what is forgotten', async () => {
  const { believe, list } = await believing()
  await believe('aaaa1', 'Staging restarts at 4.', { confidence: 0.4 })
  await believe('aaaa2', `Deploys need two approvals, not ${secret}.`, { confidence: 0.9 }, 'acme')
  await believe('aaaa3', 'The person wants pnpm.', { origin: 'sessions', lesson: 'correction' })
  await believe('aaaa4', 'Lamps are red.', { status: 'pruned', prunedBy: 'decay' })
  const active = await list()
  expect(active).toMatchObject({ total: 2, counts: { active: 2, waiting: 1, forgotten: 1 } })
  expect(active.beliefs.map(({ id, confidence }) => [id, confidence])).toEqual([
    ['aaaa2', 0.9],
    ['aaaa1', 0.4],
  ])
  expect(JSON.stringify(active)).not.toContain(secret)
  const ids = async (query: string) => (await list(query)).beliefs.map(({ id }) => id)
  expect(await ids('?project=acme')).toEqual(['aaaa2'])
  expect(await ids('?q=STAGING')).toEqual(['aaaa1'])
  expect(await ids('?show=waiting')).toEqual(['aaaa3'])
  expect(await ids('?show=forgotten')).toEqual(['aaaa4'])
})

it('goes back from a belief to the plan, the step and the agent session that it comes from', async () => {
  const { workspace, append, believe, page } = await believing()
  const { harness } = await workspace.plans()
  const { planId, steps } = await harness.createPlan({
    id: 'release',
    goal: 'release 1.4',
    steps: [{ key: 'ask', title: 'Ask', kind: 'approval' }],
  })
  const inStep = { planId, stepId: steps['ask'], kind: 'note', content: `Staging restarts at 4 with ${secret}.` }
  await append('v1:harness:observation', 'o1', inStep)
  const turn = {
    host: 'claude-code',
    session: 's-1',
    turn: 3,
    records: [7, 12],
    asked: 'no, at 4',
    content: 'no, at 4',
  }
  await append('v1:sessions:turn', 't1', { ...turn, startedAt: '2026-01-02T03:04:05.000Z' })
  await believe('abcdef', 'Staging restarts at 4.', {
    sourceEpisodes: ['v1:harness:observation:o1', 'v1:sessions:turn:t1', 'v1:harness:observation:gone'],
  })
  const { episodes, versions } = await page('abcd')
  expect(versions).toMatchObject([{ what: 'learned', confidence: 0.6, statement: 'Staging restarts at 4.' }])
  expect(episodes).toHaveLength(3)
  expect(episodes).toEqual(
    expect.arrayContaining([
      { id: 'gone' },
      expect.objectContaining({
        kind: 'note',
        plan: { id: 'release', goal: 'release 1.4' },
        step: steps['ask']?.split(':').at(-1),
      }),
      expect.objectContaining({
        text: 'no, at 4',
        session: { host: 'claude-code', id: 's-1', turn: 3, records: [7, 12] },
      }),
    ]),
  )
  expect(JSON.stringify(episodes)).not.toContain(secret)
})

it('confirms, corrects, forgets and restores, and tells each as a version', async () => {
  const { believe, page, change } = await believing({ write: true })
  await believe('abcdef', 'Staging restarts at 4.')
  expect((await change({ do: 'confirm', id: 'abcdef' })).status).toBe(200)
  expect(await page('abcdef')).toMatchObject({ confidence: 1, isPersons: false })
  expect((await change({ do: 'correct', id: 'abcdef', text: 'Staging restarts at 5.' })).status).toBe(200)
  expect(await page('abcdef')).toMatchObject({ statement: 'Staging restarts at 5.', isPersons: true })
  expect((await change({ do: 'forget', id: 'abcdef' })).message).toContain('not learned again')
  expect(await change({ do: 'confirm', id: 'abcdef' })).toMatchObject({ status: 409, code: 'BELIEF_REFUSED' })
  expect((await change({ do: 'restore', id: 'abcdef' })).message).toBe('Restored.')
  const { versions, status } = await page('abcdef')
  expect(status).toBe('active')
  expect(versions.map(({ what }) => what)).toEqual(['learned', 'confirmed', 'worded anew', 'forgotten', 'restored'])
})

it('makes a note of a lesson that a person confirms, and learns a rejected one never again', async () => {
  const { world, believe, page, change } = await believing({ write: true })
  const lesson = { origin: 'sessions', lesson: 'correction', formedAt: '2026-02-03T04:05:06.000Z' }
  await believe('aaaa1', 'The person wants pnpm.', lesson)
  await believe('aaaa2', 'The person wants npm.', lesson)
  await believe('aaaa3', 'The person wants yarn.', lesson, 'acme')
  await change({ do: 'correct', id: 'aaaa1', text: 'Use pnpm here.' })
  expect(await page('aaaa1')).toMatchObject({ isUnconfirmed: true, statement: 'Use pnpm here.', lesson: 'correction' })
  const { next = '' } = await change({ do: 'confirm', id: 'aaaa1' })
  const key = next.replace('/memory/note/', '')
  expect(await world.json<NotePage>(`/api/note?at=${key}`)).toMatchObject({
    kind: 'preference',
    tags: expect.arrayContaining(['learned']),
  })
  expect(await page('aaaa1')).toMatchObject({ status: 'pruned', prunedBy: 'accepted', note: key })
  expect((await change({ do: 'forget', id: 'aaaa2' })).message).toContain('Rejected')
  expect(await page('aaaa2')).toMatchObject({ status: 'pruned', prunedBy: 'operator' })
  expect((await page('aaaa3')).elsewhere).toContain('project acme')
  expect(await change({ do: 'confirm', id: 'aaaa3' })).toMatchObject({ status: 409, code: 'LESSON_REFUSED' })
})

it.each([
  { do: 'correct', id: 'abcdef', text: `use ${secret}` },
  { do: 'correct', id: 'abcdef', text: ' ' },
  { do: 'correct', id: 'abcdef' },
  { do: 'forget', id: 'v1:harness:plan:release' },
  { do: 'forget', id: '' },
  { do: 'forget', id: 'nothing' },
  { do: 'erase', id: 'abcdef' },
])('refuses %j', async (sent) => {
  const { world, believe, page } = await believing({ write: true })
  await believe('abcdef', 'Staging restarts at 4.')
  const { status, body } = await world.change(sent, 'beliefs')
  expect([400, 404, 409]).toContain(status)
  expect(body).not.toContain(secret)
  expect((await page('abcdef')).versions).toHaveLength(1)
})
