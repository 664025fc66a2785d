import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineConcept, type Draft, isNodesError } from '@agentm/nodes'
import { ConceptSet, decideAppend, type KnownHead, mergePayload, prepareAppend } from '@agentm/nodes/store-kit'

const plan = defineConcept({
  name: 'v1:test:plan',
  schema: z.object({ goal: z.string(), status: z.enum(['open', 'done']).default('open') }),
})
const task = defineConcept({
  name: 'v1:test:task',
  schema: z.object({
    title: z.string(),
    planId: z.string().optional(),
    status: z.enum(['pending', 'ready', 'running', 'done']).default('pending'),
    dependsOn: z.array(z.string()).default([]),
    claimedBy: z.string().optional(),
    meta: z.record(z.string(), z.unknown()).optional(),
  }),
  relations: [{ field: 'planId', to: plan.name, kind: 'parent', mustExist: true }],
  dependsOn: { field: 'dependsOn', done: ['done'] },
  guard: ({ prior, next }) =>
    prior === undefined && next.status !== 'pending' ? 'a new task starts pending' : undefined,
  claimable: {
    from: 'ready',
    to: 'running',
    sessionField: 'claimedBy',
    mutation: 'startTask',
    claim: (_, { session }) => ({ status: 'running', claimedBy: session }),
    heldBy: ({ status }) => status !== 'open',
  },
  recallable: { text: ({ title }) => title },
})
const claim = defineConcept({
  name: 'v1:test:claim',
  schema: z.object({
    text: z.string(),
    status: z.string(),
    note: z.string().optional(),
    confirmedAt: z.number().optional(),
  }),
  recallable: {
    text: ({ text }) => text,
    active: ['held', 'doubted'],
    agesFrom: ({ confirmedAt }, { firstCreatedAt }) => confirmedAt ?? firstCreatedAt,
  },
})
const concepts = new ConceptSet([plan, task, claim])
const at = 1_700_000_000_000

function known(id: string, payload: Record<string, unknown>, more: Partial<KnownHead> = {}): KnownHead {
  const concept = id.slice(0, id.lastIndexOf(':'))
  const status = typeof payload['status'] === 'string' ? payload['status'] : undefined
  return {
    id,
    concept,
    version: 1,
    owner: 'ada',
    partition: 'p',
    createdAt: at - 1000,
    firstCreatedAt: at - 1000,
    status,
    payload,
    redacted: false,
    ...more,
  }
}

function decide(drafts: readonly (Draft & { id: string })[], heads: readonly KnownHead[] = [], expects = {}) {
  const prepared = prepareAppend(concepts, drafts, { owner: 'ada', actor: 'test', partition: 'p', expects })
  return decideAppend(prepared, { at, heads: new Map(heads.map((head) => [head.id, head])), concepts })
}

const draft = (id: string, payload: Record<string, unknown>, more: Partial<Draft> = {}) => ({
  concept: task.name,
  id,
  payload,
  mutation: 'test',
  ...more,
})
const codeOf = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    return isNodesError(error) ? error.code : error
  }
  return undefined
}

test('a new node is version 1 with defaults filled in, stamped, and its short ids completed', () => {
  const { versions, heads } = decide([draft('a', { title: 'A' }), draft('b', { title: 'B', dependsOn: ['a'] })])
  expect(
    versions.map(({ id, version, owner, partition, createdBy }) => [id, version, owner, partition, createdBy]),
  ).toEqual([
    ['v1:test:task:a', 1, 'ada', 'p', 'test'],
    ['v1:test:task:b', 1, 'ada', 'p', 'test'],
  ])
  expect(versions[1]?.payload).toEqual({ title: 'B', status: 'pending', dependsOn: ['v1:test:task:a'] })
  expect(heads.map(({ remaining }) => remaining)).toEqual([0, 1])
  expect(heads[1]?.edges).toEqual([{ field: 'dependsOn', targets: ['v1:test:task:a'] }])
})

test('several versions of one id in one append follow legal edges and end in one head', () => {
  const { versions, heads } = decide([
    draft('a', { title: 'A' }),
    draft('a', { status: 'ready' }),
    draft('a', { status: 'running', claimedBy: 's1' }),
  ])
  expect(versions.map(({ version, status, oldStatus }) => [version, status, oldStatus])).toEqual([
    [1, 'pending', undefined],
    [2, 'ready', 'pending'],
    [3, 'running', 'ready'],
  ])
  expect(heads).toHaveLength(1)
  expect(heads[0]?.facts).toMatchObject({ ready: false, running: true, session: 's1' })
})

test('a dependency that becomes done frees its dependents, and one that opens again holds them', () => {
  const a = known('v1:test:task:a', { title: 'A', status: 'running', dependsOn: [] })
  expect(decide([draft('a', { status: 'done' })], [a]).flips).toEqual([{ id: a.id, delta: -1 }])
  const done = known('v1:test:task:a', { title: 'A', status: 'done', dependsOn: [] })
  expect(decide([draft('a', { status: 'ready' })], [done]).flips).toEqual([{ id: a.id, delta: 1 }])
  expect(decide([draft('b', { title: 'B', dependsOn: ['a'] })], [done]).heads[0]?.remaining).toBe(0)
})

test('a parent that closes holds its children, and a child of an open one is free', () => {
  const open = known('v1:test:plan:p', { goal: 'g', status: 'open' })
  const closing = { concept: plan.name, id: 'p', payload: { status: 'done' }, mutation: 'test' }
  expect(decide([closing], [open]).holds).toEqual([{ parent: open.id, concept: task.name, held: true }])
  expect(decide([draft('a', { title: 'A', planId: 'p' })], [open]).heads[0]?.held).toBe(false)
  expect(decide([closing, draft('a', { title: 'A', planId: 'p' })], [open]).heads[1]?.held).toBe(true)
})

test('a version is found as before when its text, its age and whether it is returned are those of before', () => {
  const [one, two] = [`${claim.name}:one`, `${task.name}:two`]
  const heads = [known(one, { text: 'rain', status: 'held' }), known(two, { title: 'two', status: 'pending' })]
  const alike = (id: string, payload: Record<string, unknown>, more: Partial<Draft> = {}) =>
    decide([draft(id, payload, { concept: id === two ? task.name : claim.name, ...more })], heads).heads[0]?.foundAlike
  expect(alike(one, { note: 'still' })).toBe(true)
  expect(alike(one, { status: 'doubted' })).toBe(true)
  expect(alike(one, { status: 'dropped' })).toBe(false)
  expect(alike(one, { text: 'snow' })).toBe(false)
  expect(alike(one, { text: ' ' })).toBe(false)
  expect(alike(one, { confirmedAt: at })).toBe(false)
  expect(alike(one, { note: 'still' }, { vector: { embedder: 'e', values: [1] } })).toBe(false)
  expect(alike(`${claim.name}:new`, { text: 'rain', status: 'held' })).toBe(false)
  // It ages from its versions, so each of them is told.
  expect(alike(two, { status: 'ready' })).toBe(false)
})

test('an append is refused whole, by the code of what is wrong', () => {
  const foreign = known('v1:test:task:x', { title: 'X', status: 'pending', dependsOn: [] }, { owner: 'bob' })
  const mine = known('v1:test:task:a', { title: 'A', status: 'pending', dependsOn: [] }, { version: 4 })
  const gone = known('v1:test:task:r', {}, { redacted: true })
  const cases: readonly (readonly [string, () => unknown])[] = [
    ['GUARD_REFUSED', () => decide([draft('a', { title: 'A', status: 'ready' })])],
    ['INVALID_PAYLOAD', () => decide([draft('a', { title: 'A', extra: 1 })])],
    ['INVALID_PAYLOAD', () => decide([draft('a', { title: 'half \ud800' })])],
    ['INVALID_PAYLOAD', () => decide([draft('a', { title: 'A', meta: { n: Number.NaN } })])],
    ['VERSION_CONFLICT', () => decide([draft('a', {})], [mine], { [mine.id]: 3 })],
    ['VERSION_CONFLICT', () => decide([draft('a', {})], [mine], { [mine.id]: 0 })],
    ['VERSION_CONFLICT', () => decide([draft('a', {})], [mine, foreign], { [foreign.id]: 1 })],
    ['OWNER_REFUSED', () => decide([draft('x', { title: 'mine now' })], [foreign])],
    ['ABSENT_NODE', () => decide([draft('x', {}, { update: true })], [foreign])],
    ['ABSENT_NODE', () => decide([draft('y', {}, { update: true })])],
    ['REDACTED_NODE', () => decide([draft('r', {})], [gone])],
    ['RELATION_REFUSED', () => decide([draft('b', { title: 'B', dependsOn: ['nope'] })])],
    ['RELATION_REFUSED', () => decide([draft('b', { title: 'B', dependsOn: ['x'] })], [foreign])],
    ['RELATION_REFUSED', () => decide([draft('b', { title: 'B', planId: 'nope' })])],
    ['RELATION_REFUSED', () => decide([draft('b', { title: 'B', dependsOn: ['b'] })])],
    ['RELATION_REFUSED', () => decide([draft('a', { dependsOn: ['a'] })], [mine])],
    ['INVALID_ID', () => decide([draft('v1:test:plan:a', { title: 'A' })])],
    ['INVALID_ID', () => decide([draft('b', { title: 'B', planId: 'v1:test:task:a' })])],
    ['UNKNOWN_CONCEPT', () => decide([draft('a', {}, { concept: 'v1:test:none' })])],
    ['INVALID_VECTOR', () => decide([draft('a', { title: 'A' }, { vector: { embedder: 'e', values: [0, 0] } })])],
  ]
  expect(cases.map(([, run]) => codeOf(run))).toEqual(cases.map(([code]) => code))
})

test('a circle through several new nodes is named', () => {
  const circle = [
    draft('a', { title: 'A', dependsOn: ['c'] }),
    draft('b', { title: 'B', dependsOn: ['a'] }),
    draft('c', { title: 'C', dependsOn: ['b'] }),
  ]
  expect(() => decide(circle)).toThrow(/goes in a circle: .*:a → .*:c → .*:b/)
})

test('no owner, no rows', () => {
  for (const owner of ['', '  '])
    expect(codeOf(() => prepareAppend(concepts, [], { owner, actor: 'test' }))).toBe('OWNER_REFUSED')
})

test('a merge replaces named fields whole and removes what is unset', () => {
  expect(mergePayload({ a: { x: 1 }, b: 2, c: 3 }, { a: { y: 1 }, b: undefined }, ['c'])).toEqual({ a: { y: 1 }, b: 2 })
})
